import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { programVersion } from '../program-version.ts'
import { schemaProblem, schemaState } from './migrate.ts'

const { owner, directory, close } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-newer-'))
const snapshot = join(folder, 'before-migration.backup')
writeFileSync(snapshot, '')
after(async () => {
  rmSync(folder, { recursive: true })
  await close()
})

const problem = async () => schemaProblem(await schemaState(directory))?.message
const applied = (file: string, compatible: boolean, more: object = {}) =>
  owner`insert into migrations ${owner({ file, hash: '', compatible, ...more })}`

test('each migration is recorded with the version that applied it', async () => {
  const versions = await owner`select distinct program from migrations`
  assert.deepEqual(
    versions.map(({ program }) => program),
    [programVersion],
  )
})

test('an older program names both versions, and the snapshot before the first migration that it cannot use', async () => {
  const begins = `The database is newer than this program, version ${programVersion}`
  await applied('9997_fine.sql', true, { program: '0.8.0+11111111', snapshot: '/elsewhere' })
  assert.equal((await schemaState(directory)).is, 'current')

  await applied('9998_other.sql', false, { program: '0.9.0+22222222', snapshot })
  await applied('9999_more.sql', false, { program: '1.0.0+33333333', snapshot: '/later' })
  const message = `${begins} (it has 9998_other.sql, 9999_more.sql, of version 1.0.0+33333333): use version 1.0.0+33333333.`
  assert.equal(
    await problem(),
    `${message} To go back to the data before the migration instead, run with this version: lead-engine restore "${snapshot}" --yes`,
  )

  rmSync(snapshot)
  assert.equal(
    await problem(),
    `${message} The snapshot from before the migration, ${snapshot}, is gone: to go back, restore a backup that this version can read.`,
  )

  await owner`update migrations set program = null, snapshot = null where file > '9000'`
  assert.equal(await problem(), `${begins} (it has 9998_other.sql, 9999_more.sql): use the newer program.`)
})
