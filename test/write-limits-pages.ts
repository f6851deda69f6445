/** Writes docs/reference/limits.md, and the variables in docs/configuration.md: `npm run limits-pages`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generatedPages } from './limits-pages.ts'
import { root } from './service.ts'

for (const [page, text] of Object.entries(generatedPages()))
  test(`write ${page}`, () => writeFileSync(join(root, page), text))
