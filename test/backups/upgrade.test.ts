import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openAsOwner } from '../../server/database/connect.ts'
import { migrate } from '../../server/database/migrate.ts'
import { prepareRoles, withRoleNames } from '../../server/database/service-roles.ts'
import { splitStatements } from '../../server/database/statements.ts'
import { testDatabase } from '../database.ts'
import { assertAnswersHold, assertCountsHold, schemaOf } from '../records.ts'

/** All migrations of version 0.2 in their order. */
const schema = gunzipSync(readFileSync(join(import.meta.dirname, 'schema-45.sql.gz'))).toString()

const current = await testDatabase()
const store = await testDatabase()
await store.database.close()
after(async () => {
  await current.close()
  await store.close()
})
const skip = current.signIns.app.isCluster ? 'the tables of a cluster are placed after its migrations' : false

test('a database of version 0.2 gets the schema of a new one, keeps its rows and counts them', { skip }, async (t) => {
  const owner = openAsOwner(store.connection, { max: 1 })
  t.after(() => owner.end())
  await owner`drop schema public cascade`
  await owner`create schema public`
  await owner.begin(async (tx) => {
    await tx`create table migrations (file text primary key, hash text not null, applied_at timestamptz not null default now(),
      compatible boolean not null default false)`
    const names = await prepareRoles(tx, null)
    for (const statement of splitStatements(schema)) await tx.unsafe(withRoleNames(statement, names))
    await tx`insert into migrations (file, hash) select lpad(n::text, 4, '0') || case n when 45 then '_totals_by_value' else '' end || '.sql',
      '' from generate_series(1, 45) n`
    await tx`insert into accounts (id, name, created_at) select gen_random_uuid(), 'Account ' || n, now() from generate_series(1, 2) n`
    await tx`insert into users (id, account_id, email, name, role) select gen_random_uuid(), id, id || '@x.in', 'Asha', 'Admin' from accounts`
    await tx`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, deal_value, tags, assigned_to,
        created_at, updated_at)
      select users.account_id, gen_random_uuid(), 'Lead "' || n, n::text, n::text, 'Source ' || n % 3, 'New', 'Low', n + 0.5,
        array['VIP'], case when n % 4 > 0 then users.id end, now() - n * interval '7 hours', now()
      from users, generate_series(1, 40) n`
    await tx`insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, called_at, created_at)
      select account_id, gen_random_uuid(), id, assigned_to, 'Inbound', 5, 'Completed', created_at, created_at from leads`
    await tx`insert into lead_totals select account_id, '2026-01-01', 0, 99 from accounts, lateral (select id as account_id) of_account`
  })
  const leads = () => owner`select id, name, answer_start, deal_paise from leads order by id`
  const before = [...(await leads())]
  assert.equal(before.length, 80)
  await migrate(owner)
  const [upgraded, made] = [await schemaOf(owner), await schemaOf(current.owner)]
  assert.deepEqual(
    [upgraded.filter((one) => !made.includes(one)), made.filter((one) => !upgraded.includes(one))],
    [[], []],
  )
  assert.deepEqual([...(await leads())], before)
  await assertAnswersHold(owner)
  await assertCountsHold(owner)
})

test('a database from before version 0.2 is left as it is, with what to do', async (t) => {
  const owner = openAsOwner(store.connection, { max: 1 })
  t.after(() => owner.end())
  await owner`update migrations set file = '0044_marks_within_days.sql' where file = '0046_accounts.sql'`
  await assert.rejects(migrate(owner), /from a version before 0\.2 .*: start version 0\.2 on it, then this one\./)
})
