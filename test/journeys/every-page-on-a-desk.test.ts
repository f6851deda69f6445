import { test } from 'node:test'
import { assertEveryPageFits } from '../every-page.ts'
import { desk } from '../journey.ts'

test('every page is accessible and fits on a desktop screen', () => assertEveryPageFits(desk, false))
