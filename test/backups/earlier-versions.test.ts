import assert from 'node:assert/strict'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { openBackup, restoreBackup } from '../../operations/backup/restore-backup.ts'
import { distribute } from '../../server/platform/database/cluster/distribute.ts'
import { connect } from '../../server/platform/database/connect.ts'
import { serve } from '../app.ts'
import { testDatabase } from '../database.ts'
import { ask } from '../people.ts'
import { assertCountsHold, schemaOf } from '../records.ts'
import { key } from './key.ts'

/**
 * A backup for each schema that was released, all of the same leads. They contain invented people only, and never change:
 * add one before each release with `npm run backup-of-schema`.
 */
const files = globSync('*.backup', { cwd: import.meta.dirname }).sort()

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-earlier-'))
const current = await testDatabase()
after(async () => {
  await current.close()
  rmSync(folder, { recursive: true, force: true })
})

test('there are backups of earlier versions', () => assert.ok(files.length > 0))

for (const name of files) {
  test(`${basename(name, '.backup')} is restored, migrated and served`, async (t) => {
    const file = join(folder, name)
    cpSync(join(import.meta.dirname, name), file)
    const store = await testDatabase()
    await store.database.close()
    t.after(store.close)
    const target = { owner: store.connection, given: null, dataDir: folder, isEmbedded: false, replace: false }
    const restored = await restoreBackup(await openBackup(file, []), target)
    assert.deepEqual(restored, { accounts: 1, leads: 3, erased_again: 0, set_aside: null })
    // On a cluster, a restored backup is on the coordinator alone.
    if (store.signIns.app.isCluster)
      await distribute(store.connection, { given: null, dryRun: false, onPlan: () => {} })
    assert.deepEqual(await schemaOf(store.owner), await schemaOf(current.owner))
    await assertCountsHold(store.owner)
    const database = connect(store.signIns)
    const service = await serve(database)
    t.after(() => service.close().then(() => database.close()))
    const send = (method: string, path: string, body?: unknown) => ask(service.url, key, method, path, body)
    const { data } = (await send('GET', '/api/v1/leads?from_date=2020-01-01')).body
    assert.deepEqual(data.map((lead: { name: string }) => lead.name).sort(), ['Asha Rao', 'Ravi Kumar', 'Sunil Mehta'])
    const ravi = data.find((lead: { name: string }) => lead.name === 'Ravi Kumar')
    assert.equal((await send('POST', '/api/v1/leads', { name: 'Ravi Kumar', phone: ravi.phone })).status, 200)
    assert.equal((await send('DELETE', `/api/v1/leads/${ravi.id}`)).status, 200)
    await assertCountsHold(store.owner)
  })
}
