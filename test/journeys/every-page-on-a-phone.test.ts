import { test } from 'node:test'
import { assertEveryPageFits } from '../every-page.ts'
import { phone } from '../journey.ts'

test('every page is accessible and fits on a phone screen', () => assertEveryPageFits(phone, true))
