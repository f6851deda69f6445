import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl, runCommand } from './command-line.ts'
import { testDatabase } from './database.ts'
import { laterProgram } from './later-program.ts'
import { ask } from './people.ts'
import { root, startService } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-versions-'))
const store = await testDatabase()
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
const env = { DATABASE_URL: databaseUrl(store.connection) }

const older = root
const compatible = { '9998_score.sql': '-- compatible: yes\nalter table leads add column score integer;\n' }
const newer = laterProgram(join(folder, 'newer'), compatible)
const breaking = laterProgram(join(folder, 'breaking'), {
  ...compatible,
  '9999_town.sql': '-- compatible: no\nalter table leads rename column city to town;\n',
})

const run = (program: string, ...args: string[]) => runCommand(args, env, program)
const schema = async () => (await store.owner`select file, applied_at from migrations order by file`).map(String)
const functions = async () =>
  (
    await store.owner`select proname, md5(prosrc) as body from pg_proc where pronamespace = 'public'::regnamespace
    order by 1, 2`
  ).map((row) => ({ ...row }))

/** Checks that every reading command works, and one that changes something. */
async function commandsWork(program: string) {
  const commands = [['key', 'list'], ['migrate']]
  commands.push(['key', 'create', '--user', 'a@x.example', '--name', 'K', '--permissions', 'read'])
  const ended = await Promise.all(commands.map((args) => run(program, ...args)))
  for (const { status, err } of ended) assert.deepEqual([status, err], [0, ''])
}

/** A service in constant use. Collects the answers that failed. */
async function usedService(program: string, key: string) {
  const service = await startService(env, program)
  const going = { on: true }
  const problems: string[] = []
  let served = 0
  const use = async () => {
    for (; going.on; served++) {
      const lead = { name: 'Ravi', email: `ravi-${crypto.randomUUID()}@example.com`, city: 'Pune' }
      const made = await ask(service.url, key, 'POST', '/api/v1/leads', lead)
      const listed = await ask(service.url, key, 'GET', '/api/v1/leads?limit=5')
      const removed = await ask(service.url, key, 'DELETE', `/api/v1/leads/${made.body.data?.id}`)
      const ready = await ask(service.url, null, 'GET', '/readyz')
      const statuses = [made.status, listed.status, removed.status, ready.status].join(' ')
      if (statuses !== '201 200 200 200') problems.push(statuses)
      await sleep(50)
    }
  }
  const user = use()
  return {
    ...service,
    /** Waits a moment, then checks that nothing failed. */
    works: async () => {
      for (const until = served + 5; served < until && problems.length === 0; ) {
        await sleep(20)
      }
      assert.deepEqual(problems, [])
    },
    end: async () => {
      going.on = false
      await user
      return service.end()
    },
  }
}

test('two versions share a database in either order, until a migration is not compatible', {
  timeout: 170_000,
}, async (t) => {
  const setup = await run(older, 'setup', '--account', 'Acme', '--email', 'a@x.example', '--name', 'A', '--json')
  const key: string = JSON.parse(setup.out).api_key
  const first = await usedService(older, key)
  t.after(first.end)
  await first.works()

  // A newer program's command on the older schema changes nothing and says what to do.
  const before = await schema()
  const rejected = await run(newer, 'key', 'list')
  assert.equal(rejected.status, 1)
  assert.match(
    rejected.err,
    /^The database is older .*9998_score\.sql.*: run lead-engine migrate, or start the newer .*\n$/,
  )
  assert.equal((await run(newer, 'setup', '--account', 'B', '--email', 'b@x.example', '--name', 'B')).status, 1)
  assert.deepEqual(await schema(), before)
  await first.works()

  // The newer program migrates under the older service.
  assert.equal((await run(newer, 'migrate')).status, 0)
  const migrated = await schema()
  const defined = await functions()
  assert.equal(migrated.length, before.length + 1)
  await first.works()
  await commandsWork(older)
  await commandsWork(newer)
  await first.works()

  // The newer service beside it, and an older one that starts on the newer schema.
  const second = await usedService(newer, key)
  t.after(second.end)
  const third = await usedService(older, key)
  t.after(third.end)
  await commandsWork(older)
  for (const service of [first, second, third]) await service.works()
  assert.equal(await third.end(), 0)
  assert.deepEqual([await schema(), await functions()], [migrated, defined])

  // A schema that is not compatible: the older program says so and touches nothing.
  assert.equal(await first.end(), 0)
  assert.equal(await second.end(), 0)
  assert.equal((await run(breaking, 'migrate')).status, 0)
  const broken = await schema()
  const tried = [older, newer].flatMap((program) => [run(program, 'key', 'list'), run(program, 'migrate')])
  for (const { status, err } of await Promise.all([...tried, run(older, 'serve')])) {
    assert.equal(status, 1)
    assert.match(
      err,
      /^The database is newer than this program, version \S+ \(it has 9999_town\.sql, of version \S+\): use version \S+\.\n$/m,
    )
  }
  assert.deepEqual(await schema(), broken)
})

test('a running service is not ready with an incompatible schema', async (t) => {
  const other = await testDatabase()
  const service = await startService({ DATABASE_URL: databaseUrl(other.connection) })
  t.after(async () => {
    await service.end()
    await other.close()
  })
  await other.owner`insert into migrations (file, hash, compatible) values ('9998_fine.sql', '', true)`
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  await other.owner`insert into migrations (file, hash, compatible) values ('9999_other.sql', '', false)`
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
})

test('no command but serve, setup and migrate creates an embedded database', async () => {
  const empty = join(folder, 'nothing here')
  const work = [
    ['key', 'list'],
    ['user', 'list'],
    ['webhook', 'list'],
    ['demo', '--account', 'A', '--leads', '1'],
  ]
  for (const { status, err } of await Promise.all(work.map((args) => runCommand(args, { DATA_DIR: empty })))) {
    assert.equal(status, 1)
    assert.match(err, /^There is no database in .*nothing here: set DATA_DIR .* or DATABASE_URL .*\.\n$/)
  }
  assert.equal(existsSync(empty), false)
})
