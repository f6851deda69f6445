import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { account, addPlayer, signedIn } from '#test/people.ts'
import { startService } from '#test/service.ts'
import { until } from '#test/until.ts'

test('a bulk change of a killed service is continued, and changes each lead once', async () => {
  const store = await testDatabase()
  const { owner, database } = store
  const env = { DATABASE_URL: databaseUrl(store.connection), LOG_LEVEL: 'error' }
  let service = await startService(env)
  try {
    const acme = await account(database, 'Acme')
    const asha = await addPlayer(database, service.url, acme, 'Asha', 'Admin', null)
    const web = await signedIn({ directory: store.directory, url: service.url }, asha)
    await owner`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, created_at, updated_at)
      select ${acme.account_id}, gen_random_uuid(), 'Ravi', n::text, n::text, 'API', 'New', 'Low', now(), now() - interval '1 hour'
      from generate_series(1, 600) n`
    const started = await web.send('POST', '/web/bulk-changes', {
      matching: { source: ['API'] },
      change: { status: 'Lost' },
    })
    assert.equal(started.status, 201)
    const job = async () => (await owner`select state, position, changed, skipped from bulk_changes`)[0]!
    await until(async () => (await job()).position > 0, 'the first batch')
    await service.end('SIGKILL')
    const { state, position } = await job()
    assert.equal(state, 'running')
    assert.ok(position < 600)
    const before = await owner`select count(*)::int as n from leads where status = 'Lost'`
    assert.equal(before[0]!.n, position, 'a batch is whole or not there')
    service = await startService(env)
    await until(async () => (await job()).state === 'done', 'the end')
    assert.deepEqual(await job(), { state: 'done', position: 600, changed: 600, skipped: 0 })
    const entries =
      await owner`select lead_id, count(*)::int as n from timeline_entries group by 1 having count(*) <> 1`
    assert.deepEqual([...entries], [])
    const [left] = await owner`select count(*)::int as n from leads where status <> 'Lost'`
    assert.equal(left!.n, 0)
    const audit = await owner`select details from audit_log where action = 'leads.bulk_changed'`
    assert.deepEqual(
      audit.map(({ details }) => details.leads),
      [600],
    )
  } finally {
    await service.end()
    await store.close()
  }
})
