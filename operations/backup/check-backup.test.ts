import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { checkBackup } from './check-backup.ts'
import { createBackup } from './create-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-check-'))
const app = await testApp()
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
const { asha } = await people(app)
await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9811223344' })
const file = join(folder, 'one.backup')
const { bytes } = await createBackup(app.connection, file)
const content = readFileSync(file)

/** Checks a file with other content. */
async function check(changed: Buffer) {
  const path = join(folder, 'changed.backup')
  writeFileSync(path, changed)
  return checkBackup(path)
}

test('a complete backup is accepted', async () => {
  const manifest = await check(content)
  assert.deepEqual([manifest.accounts, manifest.leads, content.length], [2, 1, bytes])
})

test('a changed byte anywhere is found', async () => {
  const changes = fc.tuple(fc.nat(content.length - 1), fc.integer({ min: 1, max: 255 }))
  await fc.assert(
    fc.asyncProperty(changes, async ([at, difference]) => {
      const changed = Buffer.from(content)
      changed[at]! ^= difference
      await assert.rejects(check(changed), /is damaged|is not a backup/)
    }),
    { numRuns: 300 },
  )
})

test('a file cut anywhere, or with more at its end, is found', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(content.length - 1), async (length) => {
      await assert.rejects(check(content.subarray(0, length)), /is damaged|is not a backup/)
    }),
  )
  await assert.rejects(check(Buffer.concat([content, Buffer.from('\n')])), /is damaged \(its end is missing\)/)
  await assert.rejects(check(Buffer.concat([content, content])), /is damaged/)
})

test('files of others are rejected by what they are', async () => {
  await assert.rejects(check(Buffer.from('name,phone\n')), /changed\.backup is not a backup of Lead Engine\.$/)
  await assert.rejects(check(Buffer.alloc(0)), /is not a backup of Lead Engine\.$/)
  await assert.rejects(checkBackup(join(folder, 'none')), /^Error: There is no file .*none\.$/)
  await assert.rejects(checkBackup(folder), /is not a file\.$/)
})

test('programs for tar files can read a backup, and it says first that it holds secrets', () => {
  const list = execFileSync('tar', ['tf', file], { encoding: 'utf8' }).split('\n')
  assert.equal(list[0], 'lead-engine-backup.txt')
  assert.ok(list.includes('tables/leads/00001.zst') && list.includes('manifest.json'))
  assert.match(content.subarray(512, 1024).toString(), /Keep it as safe as the database\./)
})
