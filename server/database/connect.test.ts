import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Sql } from 'postgres'
import { testDatabase } from '#test/database.ts'
import { accountActor } from './actor.ts'

const { database, directory, close } = await testDatabase()
after(close)

test('every connection has the settings that it was opened with', async () => {
  const account = accountActor(crypto.randomUUID())
  const pools: [(ask: (sql: Sql) => PromiseLike<void>) => PromiseLike<void>, string][] = [
    [(ask) => database.write(account, ask), 'lead_engine_app'],
    [(ask) => database.read(account, ask), 'lead_engine_app'],
    [(ask) => ask(directory), 'lead_engine_directory'],
    [(ask) => ask(database.lookup), 'lead_engine_directory'],
  ]
  for (const [withPool, role] of pools) {
    const settings = {
      ...{ role, jit: 'off', plan_cache_mode: 'force_generic_plan', TimeZone: 'UTC', DateStyle: 'ISO, YMD' },
      ...{
        statement_timeout: '30s',
        lock_timeout: '2s',
        idle_in_transaction_session_timeout: '30s',
        application_name: 'lead-engine',
      },
    }
    await withPool(async (sql) => {
      const rows =
        await sql`select name, current_setting(name) as value from unnest(${Object.keys(settings)}::text[]) name`
      assert.deepEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])), settings)
    })
  }
})
