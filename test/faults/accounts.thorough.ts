import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { accountTables, ofAccount } from '../../operations/accounts/tables.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { databaseUrl, runCommand } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { people } from '../people.ts'
import { assertCountsHold } from '../records.ts'
import { startService } from '../service.ts'

const leads = Number(process.env.ACCOUNT_LEADS ?? 200_000)
/** What the service writes meanwhile, for requests of the other account and in its search for duplicates. */
const written = ['logged_requests', 'api_key_uses', 'duplicate_searches']

async function rowsOf(sql: Sql, accountId: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of await accountTables(sql)) {
    if (written.includes(table.name)) continue
    const [row] = await sql<{ sum: string }[]>`
      select count(*) || ' ' || coalesce(sum(('x' || left(md5(t::text), 8))::bit(32)::bigint), 0) as sum
      from ${sql(table.name)} t where ${ofAccount(sql, table, accountId)}`
    found[table.name] = row!.sum
  }
  return found
}

test(`an account of ${leads} leads is exported, restored and deleted while another one works`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-accounts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const store = await testDatabase()
  t.after(store.close)
  const env = { DATABASE_URL: databaseUrl(store.connection), DATA_DIR: folder }
  const service = await startService(env)
  t.after(() => service.end('SIGKILL'))
  const { acme, other, zoya } = await people({ ...store, url: service.url })
  const { owner } = store
  const run = async (...args: string[]) => {
    const started = performance.now()
    const { status, out, err } = await runCommand(['account', ...args, '--json'], env)
    assert.deepEqual([status, err], [0, ''], args.join(' '))
    t.diagnostic(`${args[0]}: ${Math.round((performance.now() - started) / 100) / 10} s`)
    return JSON.parse(out)
  }
  const filled = await runCommand(['demo', '--account', 'Acme', '--leads', String(leads), '--json'], env)
  assert.equal(filled.status, 0, filled.err)
  for (let n = 0; n < 50; n++)
    assert.equal(
      (await zoya.send('POST', '/api/v1/leads', { name: `Lead ${n}`, phone: `98766000${n + 10}` })).status,
      201,
    )
  await owner`select pg_sleep(3)`
  const others = await rowsOf(owner, other.account_id)

  const waits: number[] = []
  const isOver = new AbortController()
  const work = (async () => {
    while (!isOver.signal.aborted) {
      const started = performance.now()
      assert.equal((await zoya.send('GET', '/api/v1/leads')).status, 200)
      waits.push(performance.now() - started)
    }
  })()
  const meanwhile = (name: string) => {
    const sorted = waits.splice(0).toSorted((one, next) => one - next)
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)]!)
    t.diagnostic(`${name}: ${sorted.length} requests of the other account, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  }

  const file = join(folder, 'acme.account')
  waits.length = 0
  const exported = await run('export', 'Acme', file)
  meanwhile('export')
  const saved = await rowsOf(owner, acme.account_id)

  // A customer's mistake.
  await owner`delete from leads where account_id = ${acme.account_id} and id in (
    select id from leads where account_id = ${acme.account_id} order by id limit 1000)`
  const damaged = await rowsOf(owner, acme.account_id)

  // Killed, a restore leaves the account closed and unchanged.
  const killed = runCommand(['account', 'restore', 'Acme', '--from', file, '--yes'], env)
  for (;;) {
    const [busy] = await owner<{ pid: number }[]>`select pid from pg_stat_activity
      where datname = current_database() and query like 'insert into "%overriding system value%' and state = 'active'`
    if (busy) {
      await owner`select pg_terminate_backend(${busy.pid}::int)`
      break
    }
  }
  assert.equal((await killed).status, 1)
  assert.deepEqual(await rowsOf(owner, acme.account_id), damaged)

  waits.length = 0
  const restored = await run('restore', 'Acme', '--from', file, '--yes')
  meanwhile('restore')
  assert.equal(restored.leads, exported.leads)
  const now = await rowsOf(owner, acme.account_id)
  // The sessions ended, and what was deleted in SQL alone is back.
  for (const table of ['leads', 'call_logs', 'timeline_entries', 'users', 'lead_counts', 'enquiries'])
    assert.equal(now[table], saved[table], table)
  await assertCountsHold(owner)

  waits.length = 0
  const deleted = await run('delete', 'Acme', '--yes')
  meanwhile('delete')
  assert.equal(deleted.rows_left, 0)
  isOver.abort()
  await work
  assert.deepEqual(await rowsOf(owner, other.account_id), others)
})
