import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { directoryTables } from '../server/platform/database/cluster/placement.ts'
import { testDatabase } from './database.ts'

/** The rules of docs/reference/sql.md for tables and keys. `lint/sql.ts` checks the statements. */

const { owner, close } = await testDatabase()
after(close)

const tables = (
  await owner<{ name: string }[]>`select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
).map(({ name }) => name)
const accountTables = tables.filter((name) => !directoryTables.has(name))

test('every table is account data or in the directory', async () => {
  const rows = await owner<{ name: string }[]>`select relname as name from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'account_id' and attnotnull
    where relnamespace = 'public'::regnamespace and relkind = 'r'`
  const withAccount = new Set(rows.map(({ name }) => name))
  for (const name of accountTables) assert.ok(withAccount.has(name), `${name} has no account_id`)
})

test('every key and index of account data starts with account_id', async () => {
  const rows = await owner<{ name: string; first: string }[]>`
    select indexrelid::regclass::text as name, attname as first from pg_index
    join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid::regclass::text = any (${accountTables})`
  assert.ok(rows.length > 50)
  for (const { name, first } of rows) assert.equal(first, 'account_id', name)
})

/** On a cluster, the coordinator has tables such as `sessions_102060`, which contain the rows. */
const partOfTable = '_\\d{6}$'

test('every foreign key between account data starts with account_id, and none sets null', async () => {
  const rows = await owner<{ name: string; from: string; to: string; first: string; deletes: string }[]>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to, attname as first,
      confdeltype as deletes
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid::regclass::text !~ ${partOfTable}`
  for (const { name, from, to, first, deletes } of rows) {
    assert.notEqual(deletes, 'n', `${name} sets null`)
    if (directoryTables.has(from))
      assert.ok(directoryTables.has(to), `${name} leads from the directory to account data`)
    else assert.equal(first, 'account_id', name)
  }
})

test('there are no triggers, and generated columns are stored', async () => {
  const ofTables = await owner`select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace and relname !~ ${partOfTable}`
  assert.deepEqual([...ofTables], [])
  assert.deepEqual([...(await owner`select attname from pg_attribute where attgenerated not in ('', 's')`)], [])
})
