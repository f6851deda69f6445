import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseUrl, runCommand } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { addMigration, laterProgram } from '../later-program.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-starts-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('two services that start at once on an empty embedded database make one account, and both serve', async (t) => {
  const env = { DATA_DIR: join(folder, 'data') }
  const services = await Promise.all([startService(env), startService(env)])
  t.after(() => Promise.all(services.map((service) => service.end())))
  await until(() => services.every(({ said }) => said().includes('/join/')), 'the set-up links')
  const keys = services.flatMap((service) => /le_live_\w+/.exec(service.said())?.[0] ?? [])
  assert.equal(keys.length, 1, 'the first account is made once')
  const tokens = services.map(({ said }) => /\/join\/(\S+)/.exec(said())![1])
  const links = await Promise.all(
    tokens.map((token) =>
      ask(services[0]!.url, null, 'POST', '/web-public/link', { token }, { origin: services[0]!.url }),
    ),
  )
  assert.deepEqual(links.map(({ status }) => status).sort(), [200, 404], 'the newest set-up link works')
  for (const [n, { url }] of services.entries()) {
    const lead = { name: 'Ravi', email: `ravi-${n}@example.com` }
    assert.equal((await ask(url, keys[0]!, 'POST', '/api/v1/leads', lead)).status, 201)
  }
  for (const { url } of services) {
    const { body } = await ask(url, keys[0]!, 'GET', '/api/v1/leads')
    assert.equal(body.pagination.total, 2)
  }
  // The first to end does not stop the database under the other.
  assert.equal(await services[0]!.end(), 0)
  assert.equal((await ask(services[1]!.url, keys[0]!, 'GET', '/api/v1/leads')).status, 200)
})

test('a migration that fails half-way changes nothing, says which it was, and runs when it is corrected', async (t) => {
  const store = await testDatabase()
  t.after(store.close)
  const program = laterProgram(join(folder, 'newer'))
  const migration = (text: string) => addMigration(program, '9998_score.sql', `-- compatible: yes\n${text}`)
  const env = { DATABASE_URL: databaseUrl(store.connection) }
  const columns = async () =>
    (await store.owner`select column_name from information_schema.columns where table_name = 'leads' order by 1`).map(
      String,
    )
  const before = await columns()

  migration('alter table leads add column score integer;\nalter table leads add column score integer;\n')
  const failed = await runCommand(['migrate'], env, program)
  assert.equal(failed.status, 1)
  assert.match(failed.err, /9998_score\.sql/)
  assert.deepEqual(await columns(), before)
  const [applied] = await store.owner`select count(*)::int as n from migrations where file = '9998_score.sql'`
  assert.equal(applied!.n, 0)
  // The program of before still starts.
  const older = await startService(env)
  assert.equal(await older.end(), 0)

  migration('alter table leads add column score integer;\n')
  assert.equal((await runCommand(['migrate'], env, program)).status, 0)
  assert.deepEqual((await columns()).length, before.length + 1)
})
