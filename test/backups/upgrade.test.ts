import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { migrate } from '../../server/platform/database/migrate.ts'
import { prepareRoles, withRoleNames } from '../../server/platform/database/service-roles.ts'
import type { TransactionSql } from '../../server/platform/database/sql.ts'
import { splitStatements } from '../../server/platform/database/statements.ts'
import { testDatabase } from '../database.ts'
import { assertAnswersHold, assertCountsHold, schemaOf } from '../records.ts'

const current = await testDatabase()
const store = await testDatabase()
await store.database.close()
const owner = openAsOwner(store.connection, { max: 1 })
after(async () => {
  await owner.end()
  await current.close()
  await store.close()
})
const user = '0b9c1d9e-4f43-4a86-9d3c-0d5a3c1c2b11'
const skip = current.signIns.app.isCluster ? 'the tables of a cluster are placed after its migrations' : false

/** Makes the database of an earlier version by its migrations, which a file has in their order. */
async function makeDatabase(
  file: string,
  { first, last }: { first: number; last: string },
  fill: (tx: TransactionSql) => Promise<void>,
) {
  const schema = gunzipSync(readFileSync(join(import.meta.dirname, file))).toString()
  const number = Number.parseInt(last, 10)
  await owner`drop schema public cascade`
  await owner`create schema public`
  await owner.begin(async (tx) => {
    await tx`create table migrations (file text primary key, hash text not null, applied_at timestamptz not null default now(),
      compatible boolean not null default false)`
    const names = await prepareRoles(tx, null)
    for (const statement of splitStatements(schema)) await tx.unsafe(withRoleNames(statement, names))
    await tx`insert into migrations (file, hash) select lpad(n::text, 4, '0') || '.sql', '' from generate_series(${first}::int, ${number - 1}) n`
    await tx`insert into migrations (file, hash) values (${last}, '')`
    await tx`insert into accounts (id, name, created_at) select gen_random_uuid(), 'Account ' || n, now() from generate_series(1, 2) n`
    await tx`insert into users (id, account_id, email, name, role) select gen_random_uuid(), id, id || '@x.in', 'Asha', 'Admin' from accounts`
    await fill(tx)
  })
}

async function assertSchemaIsCurrent() {
  const [upgraded, made] = [await schemaOf(owner), await schemaOf(current.owner)]
  assert.deepEqual(
    [upgraded.filter((one) => !made.includes(one)), made.filter((one) => !upgraded.includes(one))],
    [[], []],
  )
}

test('a database of version 0.2 gets the schema of a new one, keeps its rows and counts them', { skip }, async () => {
  await makeDatabase('schema-45.sql.gz', { first: 1, last: '0045_totals_by_value.sql' }, async (tx) => {
    await tx`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, deal_value, tags, assigned_to,
        created_at, updated_at)
      select users.account_id, gen_random_uuid(), 'Lead "' || n, n::text, n::text, 'Source ' || n % 3, 'New', 'Low', n + 0.5,
        array['VIP'], case when n % 4 > 0 then users.id end, now() - n * interval '7 hours', now()
      from users, generate_series(1, 40) n`
    await tx`insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, called_at, created_at)
      select account_id, gen_random_uuid(), id, assigned_to, 'Inbound', 5, 'Completed', created_at, created_at from leads`
    await tx`update leads set last_call_at = created_at, last_call_outcome = 'Completed', call_again_at = now() + interval '1 day'`
    await tx`insert into lead_totals select account_id, '2026-01-01', 0, 99 from accounts, lateral (select id as account_id) of_account`
  })
  const leads = () => owner`select id, name, answer_start, deal_paise from leads order by id`
  const before = [...(await leads())]
  assert.equal(before.length, 80)
  await migrate(owner)
  await assertSchemaIsCurrent()
  assert.deepEqual([...(await leads())], before)
  await assertAnswersHold(owner)
  await assertCountsHold(owner)
  const [filled] = await owner`select
      (select count(*)::int from leads where first_call_at = created_at and remind_at = call_again_at) as leads,
      (select count(*)::int from call_logs where called_by is not distinct from assigned_to) as calls,
      (select array_agg(distinct first_start) from accounts) as first_start`
  assert.deepEqual(filled, { leads: 80, calls: 80, first_start: ['ended'] })
})

test('a database of the last version before the baseline gets the same schema, and keeps its rows', {
  skip,
}, async () => {
  await makeDatabase('schema-79.sql.gz', { first: 46, last: '0079_erased_ips.sql' }, async (tx) => {
    await tx`update accounts set first_start = 'started'`
    await tx`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, assigned_to, created_at, updated_at,
        call_again_at, remind_at)
      select account_id, gen_random_uuid(), 'Lead', '1', '1', 'Web', 'New', 'Low', id, now(), now(), now() + interval '1 day', null from users`
    await tx`insert into distribution_rules (account_id, id, position, name, people, created_at)
      select id, id, 1, 'Rule', '[]', now() from accounts`
    await tx`insert into distribution_turns (account_id, rule_id, turns, credits) select id, id, 7, '{"a": 1}' from accounts`
    await tx`insert into assignments (account_id, lead_id, user_id, at, notify_at, call_log_id, submitted_by, passed_on_to, offered,
        enquired_again, leads)
      select account_id, id, assigned_to, now(), now(), call_log_id, submitted_by, passed_on_to, offered, enquired_again, count
      from leads, (values
        (1, null, null, null, false, false, 1), (2, ${user}::uuid, null, null, false, false, 1), (3, null, ${user}::uuid, null, false, false, 1),
        (4, null, null, ${user}::uuid, false, false, 1), (5, null, null, null, true, false, 1), (6, null, null, null, false, true, 1),
        (7, null, null, null, false, false, 5)
      ) as kind (n, call_log_id, submitted_by, passed_on_to, offered, enquired_again, count) order by leads.id, n`
    await tx`insert into merged_leads (account_id, lead_id, kept_lead_id, merged_at, undo)
      select account_id, gen_random_uuid(), id, now(), '{"moved": {"assignments": ["1"], "call_logs": ["2"]}}' from leads`
  })
  const rows = () => owner`select leads.id, leads.name, assigned_to, remind_at, first_start, credits
    from leads join accounts on accounts.id = account_id join distribution_turns using (account_id) order by 1`
  const before = [...(await rows())]
  assert.equal(before.length, 2)
  await migrate(owner)
  await assertSchemaIsCurrent()
  assert.deepEqual([...(await rows())], before)
  const notices = await owner`select id::int, kind, about from notices where notify_at is not null order by id limit 7`
  assert.deepEqual(
    [...notices],
    [
      { id: 1, kind: 'assigned', about: {} },
      { id: 2, kind: 'missed_call', about: { call_log_id: user } },
      { id: 3, kind: 'submission', about: { user_id: user } },
      { id: 4, kind: 'passed_on', about: { user_id: user } },
      { id: 5, kind: 'offered', about: {} },
      { id: 6, kind: 'enquired_again', about: {} },
      { id: 7, kind: 'assigned_in_bulk', about: { leads: 5 } },
    ],
  )
  const [added] = await owner`insert into notices (account_id, kind, user_id, lead_id, at)
    select account_id, 'assigned', assigned_to, id, now() from leads limit 1 returning id::int`
  assert.equal(added!.id, 15)
  const [merge] = await owner`select undo from merged_leads limit 1`
  assert.deepEqual(merge!.undo, { moved: { notices: ['1'], call_logs: ['2'] } })
})

test('databases of other versions before the baseline are left as they are, with what to do', async () => {
  await owner`update migrations set file = '0078_calls_by_change.sql' where file = '0080_accounts.sql'`
  await assert.rejects(
    migrate(owner),
    /from a version before 0\.3\.0\+2e59f53f .*: start version 0\.3\.0\+2e59f53f on it, then this one\./,
  )
  await owner`update migrations set file = '0044_marks_within_days.sql' where file = '0078_calls_by_change.sql'`
  await assert.rejects(migrate(owner), /from a version before 0\.2 .*: start version 0\.2 on it, then this one\./)
})
