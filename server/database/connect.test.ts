import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'

const { database, directory, close } = await testDatabase()
after(close)

test('every connection has the settings that it was opened with', async () => {
  for (const [sql, role] of [
    [database.of(crypto.randomUUID()), 'lead_engine_app'],
    [directory, 'lead_engine_directory'],
  ] as const) {
    const settings = {
      ...{ role, jit: 'off', plan_cache_mode: 'force_generic_plan', TimeZone: 'UTC', DateStyle: 'ISO, YMD' },
      ...{ statement_timeout: '30s', idle_in_transaction_session_timeout: '30s', application_name: 'lead-engine' },
    }
    const rows =
      await sql`select name, current_setting(name) as value from unnest(${Object.keys(settings)}::text[]) name`
    assert.deepEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])), settings)
  }
})
