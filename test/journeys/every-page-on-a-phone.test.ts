import { test } from 'node:test'
import { assertEveryPageFits } from '../every-page.ts'
import { phone } from '../journey.ts'

test('every page on a phone is fit for all', () => assertEveryPageFits(phone, true))
