import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from './database.ts'
import { schemaPage } from './schema-page.ts'

const { owner, close } = await testDatabase()
after(close)

const skip = process.env.CITUS_URL === undefined ? false : 'a cluster changes keys and policies'

test('docs/reference/schema.md is what the migrations make', { skip }, async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reference/schema.md'), 'utf8')
  const wanted = await schemaPage(owner)
  if (page === wanted) return
  const [lines, wantedLines] = [page.split('\n'), wanted.split('\n')]
  let at = 0
  while (lines[at] === wantedLines[at]) at++
  const difference = `"${lines[at] ?? ''}" should be "${wantedLines[at] ?? ''}"`
  assert.fail(`Run "npm run schema-page" and commit the page: line ${at + 1} differs from the schema: ${difference}`)
})
