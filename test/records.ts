import assert from 'node:assert/strict'
import type { Sql } from 'postgres'
import { ourTables } from '../server/database/our-objects.ts'

/** The content of the tables, read as their owner, to check more than the answer. */

export function timelineOf(owner: Sql, leadId: string) {
  return owner`select kind, summary, details, assigned_to, at from timeline_entries where lead_id = ${leadId} order by id`
}

export function auditOf(owner: Sql, subjectId: string) {
  return owner`select action, user_id, via, via_id, details from audit_log where subject_id = ${subjectId} order by id`
}

/** Locks the lead in another database session until the returned function is called. */
export async function lockLead(owner: Sql, id: string): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holder = owner.begin(async (tx) => {
    const [lead] = await tx`select account_id from leads where id = ${id}`
    await tx`select from leads where account_id = ${lead!.account_id} and id = ${id} for update`
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return async () => {
    released.resolve()
    await holder
  }
}

/** Selects the sessions of the service that wait for a lock. On a cluster the lock is on a worker, and they wait for that. */
export const waitingForLock = process.env.CITUS_URL
  ? `select waiting_gpid as pid from citus_lock_waits
      join pg_stat_activity on pg_stat_activity.pid = citus_pid_for_gpid(waiting_gpid)
      where datname = current_database() and application_name = 'lead-engine'`
  : `select pid from pg_stat_activity
      where datname = current_database() and application_name = 'lead-engine' and wait_event_type = 'Lock'`

const tables = [
  'leads',
  'call_logs',
  'timeline_entries',
  'lead_counts',
  'lead_day_counts',
  'lead_totals',
  'lead_field_totals',
  'lead_value_totals',
  'lead_marks',
  'call_counts',
  'audit_log',
  'idempotency_keys',
  'deliveries',
  'delivery_counts',
  'delivery_receipts',
  'distribution_turns',
  'delivery_contacts',
  'accounts',
  'users',
  'credentials',
  'two_factors',
  'password_links',
  'api_keys',
  'webhooks',
  'distribution_rules',
  'lead_reassignments',
  'lead_imports',
  'assignments',
  'notification_settings',
  'push_subscriptions',
]

/** Everything that a request may change, by table: the same before and after a rejected one. */
export async function world(owner: Sql): Promise<Record<string, unknown[]>> {
  const rows = await Promise.all(
    tables.map((table) => owner.unsafe(`select to_json(t) as row from ${table} t order by t::text`)),
  )
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]!.map(({ row }) => row)]))
}

/** Checks that what leads keep of their calls is what their calls say. */
export async function assertLeadsKnowTheirCalls(owner: Sql): Promise<void> {
  const wrong = await owner`
    with counted as (
      select account_id, id, (
          select count(*) from call_logs
          where account_id = leads.account_id and lead_id = leads.id and call_type = 'Outbound'
        ) as attempts, (
          select row (called_at, outcome)::text from call_logs where account_id = leads.account_id and lead_id = leads.id
          order by called_at desc, id desc limit 1
        ) as last_call
      from leads
    )
    select leads.id, leads.attempts, leads.last_call_at, leads.last_call_outcome, counted.*
    from leads join counted using (account_id, id)
    where leads.attempts <> counted.attempts
      or (case when last_call_at is not null then row (last_call_at, last_call_outcome)::text end) is distinct from last_call`
  assert.deepEqual([...wrong], [], 'leads differ from their calls')
}

/** Checks that the stored counts of leads, calls and deliveries equal `count(*)` for each key. */
export async function assertCountsHold(owner: Sql): Promise<void> {
  const deliveries = await owner`
    with kept as (
      select account_id, webhook_id, day, outcome, sum(n) as n from delivery_counts group by 1, 2, 3, 4 having sum(n) <> 0
    ), counted as (
      select account_id, webhook_id, (received_at at time zone interval '05:30')::date as day, outcome, count(*) as n
      from deliveries group by 1, 2, 3, 4
    )
    select * from kept full join counted using (account_id, webhook_id, day, outcome)
    where kept.n is distinct from counted.n`
  assert.deepEqual([...deliveries], [], 'delivery_counts differ from deliveries')
  for (const [counts, rows, time, keys] of [
    ['lead_counts', 'leads', 'created_at', 'account_id, day, status, source, priority, assigned_to'],
    ['lead_day_counts', 'leads', 'created_at', 'account_id, day, assigned_to'],
    ['lead_totals', 'leads', 'created_at', 'account_id, day'],
    ['lead_field_totals', 'leads', 'created_at', 'account_id, day, status, source, priority'],
    ['call_counts', 'call_logs', 'called_at', 'account_id, day, call_type, assigned_to'],
  ] as const) {
    const wrong = await owner.unsafe(`
      with kept as (
        select ${keys}, sum(n) as n from ${counts} group by ${keys} having sum(n) <> 0
      ), named as (
        select *, (${time} at time zone interval '05:30')::date as day,
          coalesce(assigned_to, '00000000-0000-0000-0000-000000000000') as owned_by from ${rows}
      ), counted as (
        select ${keys.replace('assigned_to', 'owned_by as assigned_to')}, count(*) as n from named
        group by ${keys.replace('assigned_to', 'owned_by')}
      )
      select * from kept full join counted using (${keys})
      where kept.n is distinct from counted.n`)
    assert.deepEqual([...wrong], [], `${counts} differ from ${rows}`)
  }
}

/** Checks that the totals by value are the sums of the totals that were added up. */
export async function assertValueTotalsHold(owner: Sql): Promise<void> {
  const wrong = await owner`
    with summed as (
      select account_id, field, value, day, sum(n) as n
      from lead_field_totals, lateral (values ('priority', priority), ('source', source), ('status', status)) as of_field (field, value)
      where slot = 0 group by 1, 2, 3, 4 having sum(n) <> 0
    ), kept as (
      select * from lead_value_totals where n <> 0
    )
    select * from kept full join summed using (account_id, field, value, day) where kept.n is distinct from summed.n`
  assert.deepEqual([...wrong], [], 'totals by value differ from totals')
}

/** Checks that every mark is the lead at its place of the day, oldest first. */
export async function assertMarksHold(owner: Sql): Promise<void> {
  const wrong = await owner`
    select day, field, value, leads from lead_marks marks where leads <> (
      select coalesce(array_agg(id order by place), '{}') from (
        select id, row_number() over (order by created_at, id) as place from leads
        where leads.account_id = marks.account_id and (created_at at time zone interval '05:30')::date = marks.day
          and case field when 'status' then status when 'source' then source when 'priority' then priority else '' end = value
      ) placed
      where place % step = 0 and place <= step * cardinality(marks.leads)
    )`
  assert.deepEqual([...wrong], [], 'marks differ from leads')
}

/** Checks that the kept beginnings of answers are what their leads' columns say. */
export async function assertAnswersHold(owner: Sql): Promise<void> {
  const wrong = await owner`
    select id, answer_start from (
      select *, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created,
        to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as updated
      from leads
    ) leads
    where answer_start || '}' <> (
      select row_to_json(lead)::text from (
        select id, name, email, phone, company, city, source, status, priority, tags, deal_value, created as created_at,
          updated as updated_at
      ) lead
    )`
  assert.deepEqual([...wrong], [], 'kept answers differ from their leads')
}

/** The number of rows of every table of ours, and a checksum of their content. */
export async function contentOf(owner: Sql): Promise<Record<string, string>> {
  const found = await owner<{ name: string }[]>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any (${[...ourTables]}::text[])`
  const sums = found.map(async ({ name }) => {
    const [row] =
      await owner.unsafe(`select count(*) || ' ' || md5(coalesce(string_agg(t::text, ' ' order by t::text), ''))
      as sum from ${name} t`)
    return [name, row!.sum as string] as const
  })
  return Object.fromEntries((await Promise.all(sums)).sort())
}

/** What the schema consists of: tables, keys, indexes, policies, rights and functions. */
export async function schemaOf(owner: Sql): Promise<string[]> {
  const rows = await owner<{ what: string }[]>`
    select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      pg_get_expr(adbin, adrelid)) as what
    from pg_attribute join pg_class on pg_class.oid = attrelid and relkind in ('r', 'v')
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', tablename, policyname, cmd, qual, with_check, roles) from pg_policies
    union all select concat_ws(' ', relname, relrowsecurity, (select string_agg(acl::text, ' ' order by acl::text)
      from unnest(relacl) acl)) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all select file from migrations`
  // On a cluster, each database has roles of its own, and the coordinator also has the copies of the directory's tables.
  return rows
    .map(({ what }) => what.replaceAll(/lead_engine_(app|directory)_[0-9a-f]{12}/g, 'lead_engine_$1'))
    .filter((what) => !/_1\d{5}\b/.test(what))
    .sort()
}
