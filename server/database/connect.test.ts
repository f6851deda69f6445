import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Sql } from 'postgres'
import { testDatabase } from '#test/database.ts'
import { accountActor } from './actor.ts'

const { database, directory, signIns, close } = await testDatabase()
after(close)

test('every connection has the settings that it was opened with', async () => {
  const account = accountActor(crypto.randomUUID())
  const pools: [(ask: (sql: Sql) => PromiseLike<void>) => PromiseLike<void>, string][] = [
    [(ask) => database.write(account, ask), signIns.app.username],
    [(ask) => database.read(account, ask), signIns.app.username],
    [(ask) => ask(directory), signIns.directory.username],
    [(ask) => ask(database.lookup), signIns.directory.username],
  ]
  for (const [withPool, username] of pools) {
    const settings = {
      role: 'none',
      session_authorization: username,
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      jit: 'off',
      plan_cache_mode: signIns.app.isCluster ? 'auto' : 'force_generic_plan',
      statement_timeout: '30s',
      lock_timeout: '2s',
      idle_in_transaction_session_timeout: '30s',
      application_name: 'lead-engine',
    }
    await withPool(async (sql) => {
      const rows =
        await sql`select name, current_setting(name) as value from unnest(${Object.keys(settings)}::text[]) name`
      assert.deepEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])), settings)
    })
  }
})
