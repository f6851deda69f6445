import { needsCallback } from '../calls/missed.ts'
import type { TransactionSql } from '../database/sql.ts'
import { instant } from '../leads/list-page.ts'
import { maxCounted, type QueueReason } from './contract.ts'

const maxListed = 50
/** In characters. */
const notesLength = 500
const day = 86_400_000
/** Older missed calls and tries are left to lists. */
const oldest = 30 * day
/** A lead that was not reached is called again after this time. */
const pause = day

interface Wanted {
  accountId: string
  /** A lead has one owner, so no two users are sent to the same one. */
  owner: string
  /** Whether missed calls of unassigned leads are part of it. */
  withUnassigned: boolean
  now: Date
}

/**
 * Reads which leads an owner calls next: new leads without a call, newest first; missed calls to call back, newest first; calls
 * that are due; leads that were not reached for a day, the longest ago first; and leads of another open status without a call, newest
 * first, as files bring them. Each part has an index in its order and
 * ends after `maxCounted` rows. Leads with a time to call again wait for it, unless they called.
 */
export async function readQueue(tx: TransactionSql, { accountId, owner, withUnassigned, now }: Wanted) {
  const ago = (time: number) => new Date(now.getTime() - time)
  const own = tx`account_id = ${accountId} and assigned_to = ${owner}`
  const missed = tx`called_at >= ${ago(oldest)} and called_at <= ${now} and ${needsCallback(tx, accountId)}`
  // In the order of the index, which PostgreSQL does not recognise after `is null` without its first column.
  const unassigned = tx`union all (
        select lead_id, called_at from call_logs calls where account_id = ${accountId} and assigned_to is null and ${missed}
        order by assigned_to, called_at desc, calls.id desc limit ${maxCounted}
      )`
  const [queue] = await tx<{ leads: string; counts: Partial<Record<QueueReason, number>> }[]>`
    with uncalled as materialized (
      select id, created_at as since from leads
      where ${own} and status = 'New' and last_call_at is null and call_again_at is null
      order by created_at desc, id desc limit ${maxCounted}
    ), missed as materialized (
      select lead_id as id, max(called_at) as since from ((
        select lead_id, called_at from call_logs calls where ${own} and ${missed}
        order by called_at desc, calls.id desc limit ${maxCounted}
      ) ${withUnassigned ? unassigned : tx``}) newest group by lead_id order by 2 desc limit ${maxCounted}
    ), due as materialized (
      select id, call_again_at as since from leads where ${own} and call_again_at is not null and call_again_at <= ${now}
      order by call_again_at, id limit ${maxCounted}
    ), not_reached as materialized (
      select id, last_call_at as since from leads
      where ${own} and last_call_outcome in ('No Answer', 'Busy', 'Voicemail') and status not in ('Won', 'Lost')
        and call_again_at is null and last_call_at >= ${ago(oldest)} and last_call_at <= ${ago(pause)}
      order by last_call_at, id limit ${maxCounted}
    ), never_called as materialized (
      select id, created_at as since from leads
      where ${own} and status in ('Contacted', 'Qualified', 'Proposal') and last_call_at is null and call_again_at is null
      order by created_at desc, id desc limit ${maxCounted}
    ), found as (
      select 1 as part, 'new' as reason, id, since, -extract(epoch from since) as place from uncalled
      union all select 2, 'missed', id, since, -extract(epoch from since) from missed
      union all select 3, 'due', id, since, extract(epoch from since) from due
      union all select 4, 'not_reached', id, since, extract(epoch from since) from not_reached
      union all select 5, 'never_called', id, since, -extract(epoch from since) from never_called
    ), queued as (
      select distinct on (id) * from found order by id, part
    ), first as (
      select * from queued order by part, place, id limit ${maxListed}
    )
    select
      (select coalesce(json_object_agg(reason, n), '{}') from (
        select reason, count(*)::int as n from queued group by reason
      ) counted) as counts,
      (select coalesce(json_agg(lead), '[]')::text from (
        select page.id, first.reason, left(to_json(first.since)#>>'{}', 19) || 'Z' as since, page.name, page.phone, page.email,
          page.company, page.city, page.source, page.status, page.priority, left(page.notes, ${notesLength}) as notes,
          ${instant(tx, 'last_call_at')}, page.last_call_outcome, page.attempts, ${instant(tx, 'call_again_at')}
        from first join leads page on page.account_id = ${accountId} and page.id = first.id
        order by first.part, first.place, first.id
      ) lead) as leads`
  return queue!
}
