import { test } from 'node:test'
import { assertEveryPageFits } from '../every-page.ts'
import { desk } from '../journey.ts'

test('every page on a desk is fit for all', () => assertEveryPageFits(desk, false))
