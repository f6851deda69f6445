import assert from 'node:assert/strict'
import { allCounts, unassigned } from '../server/crm/counts/tables.ts'
import { answerStart, leadColumns } from '../server/crm/leads/columns.ts'
import type { LeadRow } from '../server/crm/leads/lead.ts'
import { migrationTexts } from '../server/platform/database/migrate.ts'
import { ourTables } from '../server/platform/database/our-objects.ts'
import { readSchema } from '../server/platform/database/schema-objects.ts'
import { roleNames } from '../server/platform/database/service-roles.ts'
import type { Sql } from '../server/platform/database/sql.ts'

/** The content of the tables, read as their owner, to check more than the answer. */

export function timelineOf(owner: Sql, leadId: string) {
  return owner`select kind, summary, details, assigned_to, at from timeline_entries where lead_id = ${leadId} order by id`
}

export function auditOf(owner: Sql, subjectId: string) {
  return owner`select action, user_id, via, via_id, details from audit_log where subject_id = ${subjectId} order by id`
}

/** Locks leads of an account in another database session until the returned function is called. */
export async function lockLead(owner: Sql, ...ids: string[]): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holder = owner.begin(async (tx) => {
    const [lead] = await tx`select account_id from leads where id = ${ids[0]}`
    await tx`select from leads where account_id = ${lead!.account_id} and id = any (${ids}::uuid[]) for update`
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
  'lead_sources',
  'lead_contacts',
  'lead_conflicts',
  'merged_leads',
  'call_logs',
  'phone_calls',
  'phone_lines',
  'pending_phone_lines',
  'own_numbers',
  'quick_replies',
  'pass_ons',
  'lead_offers',
  'origin_costs',
  'goals',
  'lead_views',
  'timeline_entries',
  'lead_counts',
  'lead_count_changes',
  'call_counts',
  'call_count_changes',
  'audit_log',
  'idempotency_keys',
  'deliveries',
  'delivery_counts',
  'delivery_count_changes',
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
  'lead_import_leads',
  'lead_import_rejections',
  'bulk_changes',
  'bulk_change_leads',
  'notices',
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
        ) as last_call, (
          select min(called_at) from call_logs
          where account_id = leads.account_id and lead_id = leads.id and called_at >= leads.created_at
        ) as first_call
      from leads
    )
    select leads.id, leads.attempts, leads.last_call_at, leads.last_call_outcome, counted.*
    from leads join counted using (account_id, id)
    where leads.attempts <> counted.attempts or first_call_at is distinct from first_call
      or (case when last_call_at is not null then row (last_call_at, last_call_outcome)::text end) is distinct from last_call`
  assert.deepEqual([...wrong], [], 'leads differ from their calls')
}

/** Checks that the counts with their changes equal `count(*)`, by every set of columns that is kept. */
export async function assertCountsHold(owner: Sql): Promise<void> {
  for (const { counts, changes, rows, time, columns, kept } of allCounts)
    for (const set of kept) {
      const keys = ['account_id', 'day', ...set].join(', ')
      const others = columns.filter((column) => !set.includes(column)).map((column) => `and ${column} is null`)
      const values = set.map((column) =>
        column === 'assigned_to' ? `coalesce(assigned_to, '${unassigned}') as assigned_to` : column,
      )
      const wrong = await owner.unsafe(`
        with stored as (
          select ${keys}, n from ${counts} where true ${set.map((column) => `and ${column} is not null`).join(' ')} ${others.join(' ')}
          union all select ${keys}, n from ${changes}
        ), summed as (
          select ${keys}, sum(n) as n from stored group by ${keys} having sum(n) <> 0
        ), keyed as (
          select ${['account_id', ...values].join(', ')}, (${time} at time zone interval '05:30')::date as day from ${rows}
        ), counted as (
          select ${keys}, count(*) as n from keyed group by ${keys}
        )
        select * from summed full join counted using (${keys}) where summed.n is distinct from counted.n`)
      assert.deepEqual([...wrong], [], `${counts} by ${set} differ from ${rows}`)
    }
}

/** Counts all rows, after a test wrote some of its own. */
export async function countAllRows(owner: Sql): Promise<void> {
  await owner.begin(async (tx) => {
    for (const { counts, changes } of allCounts)
      await tx`delete from ${tx(counts)}`.then(() => tx`delete from ${tx(changes)}`)
    await tx.unsafe(migrationTexts.get('0089_count_rows.sql')!)
  })
}

/** Checks that the stored beginnings of answers are what their leads' columns say. */
export async function assertAnswersHold(owner: Sql): Promise<void> {
  const leads = await owner<(LeadRow & { answer_start: string })[]>`
    select ${owner(leadColumns)}, answer_start from leads where answer_start is not null`
  const object = (start: string) => JSON.parse(`${start}}`)
  for (const { answer_start, ...lead } of leads) {
    const deal_value = lead.deal_value === null ? null : Number(lead.deal_value)
    assert.deepEqual(object(answer_start), object(answerStart({ ...lead, deal_value })))
  }
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
  const roles = await roleNames(owner, null)
  const objects = roles ? await readSchema(owner, roles) : []
  const files = await owner<{ file: string }[]>`select file from migrations`
  return [...objects]
    .map((object) => object.join(' '))
    .concat(files.map(({ file }) => file))
    .sort()
}
