import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openLeadFile } from './lead-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-places-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'leads')
writeFileSync(path, 'Name,Phone\nRavi,9820000001\n')
const open = (id: string) => openLeadFile({ path, account: { id, country: 'IN' }, layout: {} })
const isFull = { status: 503 }

test('two accounts leave places to read files to others, and an account reads at most two', async () => {
  const files = [await open('a'), await open('a')]
  await assert.rejects(open('a'), isFull)
  files.push(await open('b'))
  await assert.rejects(open('b'), isFull)
  files.push(await open('c'))
  await assert.rejects(open('d'), isFull)
  files.shift()!.close()
  files.push(await open('d'))
  for (const file of files) file.close()
  for (const file of [await open('b'), await open('b')]) file.close()
})
