import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl, runCommand } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { acknowledgedIn, assertLedgerHolds, newLedger, writeUntil } from '../ledger.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-sigterm-load-'))
const store = await testDatabase()
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('SIGTERM under load: all that is under way is answered, the process ends, and nothing is lost', async (t) => {
  const env = { DATABASE_URL: databaseUrl(store.connection) }
  const service = await startService(env)
  t.after(() => service.end('SIGKILL'))
  while (!/le_live_\w+\n/.test(service.said())) await sleep(20)
  const key = /le_live_\w+/.exec(service.said())![0]
  const made = await runCommand(
    ['webhook', 'create', '--account', 'My company', '--name', 'Site', '--source', 'Site', '--json'],
    env,
  )
  const webhook = new URL(JSON.parse(made.out).url).pathname
  const ledger = newLedger()
  const stop = new AbortController()
  t.after(() => stop.abort())
  const writing = writeUntil(stop.signal, { url: service.url, key, webhook }, ledger)
  const acknowledged = () => acknowledgedIn(ledger)
  while (acknowledged() < 50) await sleep(20)

  // These meet a locked table, so they are under way when the signal arrives.
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  t.after(() => release.resolve())
  const holder = store.owner.begin(async (tx) => {
    await tx`lock table leads in exclusive mode`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  // When all writers wait, their number stays the same.
  const others = await settled(() => runningWrites(service.url))
  const held = Array.from({ length: 30 }, (_, n) =>
    ask(service.url, key, 'POST', '/api/v1/leads', { name: 'Ravi', email: `held-${n}@example.com` }),
  )
  while ((await runningWrites(service.url)) < others + held.length) await sleep(20)
  const exit = once(service.child, 'exit')
  const start = performance.now()
  service.child.kill('SIGTERM')
  release.resolve()
  const answers = await Promise.all(held)
  for (const { status, body } of answers) assert.ok(status === 201 || status === 503, JSON.stringify(body))
  const [code] = await exit
  const seconds = (performance.now() - start) / 1000
  stop.abort()
  await Promise.all([writing, holder])
  assert.equal(code, 0, service.said().slice(-2000))
  assert.ok(seconds < 10, `it ended after ${seconds} s`)
  const created = answers.filter(({ status }) => status === 201)
  const [row] = await store.owner`select count(*)::int as n from leads where starts_with(email, 'held-')`
  assert.equal(row!.n, created.length)
  const kept = await assertLedgerHolds(store.owner, ledger)
  t.diagnostic(`ended after ${seconds.toFixed(1)} s; ${created.length} of 30 held answered 201; ${kept}`)
})

/** How many requests have or wait for a connection to write. */
async function runningWrites(url: string): Promise<number> {
  const { body } = await ask(url, null, 'GET', '/metrics')
  const figure = (name: string) => Number(new RegExp(`^${name}\\{pool="write"\\} (\\d+)`, 'm').exec(body)![1])
  return figure('lead_engine_database_in_use') + figure('lead_engine_database_waiting')
}

/** Reads a figure until it stays the same. */
async function settled(read: () => Promise<number>): Promise<number> {
  let [last, same] = [await read(), 0]
  while (same < 5) {
    await sleep(40)
    const next = await read()
    same = next === last ? same + 1 : 0
    last = next
  }
  return last
}
