import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { testDatabase } from '#test/database.ts'
import { accountActor } from './actor.ts'
import type { Sql } from './sql.ts'

const { database, directory, signIns, close } = await testDatabase()
after(close)

/** PgBouncer rejects a connection that sends settings that it neither knows nor ignores. */
const [, ignored = ''] = /^ignore_startup_parameters = (.*)$/m.exec(
  readFileSync(join(import.meta.dirname, '../../../deploy/pgbouncer.ini'), 'utf8'),
)!
const ignoredByPgBouncer = ignored.split(',').sort()
const knownToPgBouncer = new Set(['role', 'session_authorization', 'TimeZone', 'DateStyle', 'application_name'])

test('every connection has the settings that it was opened with', async () => {
  const account = accountActor(crypto.randomUUID())
  const ofBrief = signIns.app.isCluster ? {} : { statement_timeout: '200ms', enable_seqscan: 'off' }
  const pools: [(ask: (sql: Sql) => PromiseLike<void>) => PromiseLike<void>, string, object?][] = [
    [(ask) => database.write(account, ask), signIns.app.username],
    [(ask) => database.read(account, ask), signIns.app.username],
    [(ask) => database.readBriefly(account, ask), signIns.app.username, ofBrief],
    [(ask) => ask(directory), signIns.directory.username],
    [(ask) => ask(database.lookup), signIns.directory.username],
  ]
  for (const [withPool, username, others] of pools) {
    const settings = {
      role: 'none',
      session_authorization: username,
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      jit: 'off',
      plan_cache_mode: signIns.app.isCluster ? 'auto' : 'force_generic_plan',
      statement_timeout: '30s',
      enable_seqscan: 'on',
      lock_timeout: '2s',
      idle_in_transaction_session_timeout: '30s',
      application_name: 'lead-engine',
      ...others,
    }
    await withPool(async (sql) => {
      const rows =
        await sql`select name, current_setting(name) as value from unnest(${Object.keys(settings)}::text[]) name`
      assert.deepEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])), settings)
    })
    const sent = Object.keys(settings).filter((name) => !knownToPgBouncer.has(name))
    assert.deepEqual(sent.sort(), ignoredByPgBouncer)
  }
})

test('brief reads share a connection; a long one is repeated on another, and so are those of its account after it', {
  skip: signIns.app.isCluster && 'a silent machine of the cluster would hold up all of them',
}, async () => {
  const [slow, other] = [accountActor(crypto.randomUUID()), accountActor(crypto.randomUUID())]
  const connectionOf = async (actor = other, seconds = 0) => {
    const [row] = await database.readBriefly(
      actor,
      (sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(${seconds})`,
    )
    return row!.pid
  }
  const together = Array.from({ length: 8 }, () => connectionOf())
  await setImmediate()
  assert.equal(database.shares.brief.figures.running, 4)
  const [shared, ...rest] = new Set(await Promise.all(together))
  assert.deepEqual(rest, [])
  const canceled = database.conflicts.canceled

  assert.notEqual(await connectionOf(slow, 0.5), shared)
  assert.equal(database.conflicts.canceled, canceled + 1)
  assert.notEqual(await connectionOf(slow), shared)
  assert.equal(await connectionOf(), shared)
  assert.equal(database.conflicts.canceled, canceled + 1)
})
