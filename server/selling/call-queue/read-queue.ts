import { enquiryPreview, notesBeside } from '../../crm/enquiries/store.ts'
import { isGoingCold, isToAnswer } from '../../crm/leads/follow-up.ts'
import { instant } from '../../crm/leads/list-page.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { dateWindow } from '../../platform/http/date-window.ts'
import { istDay } from '../../platform/http/instants.ts'
import { needsCallback } from '../../telephony/calls/missed.ts'
import { maxCounted, maxListed, type QueueReason } from './contract.ts'

/** In characters. */
const textLength = 300
const day = 86_400_000
/** Older missed calls and tries are left to lists. */
const oldest = 30 * day
/** A lead that was not reached is called again after this time. */
const pause = day

interface Wanted {
  accountId: string
  /** A lead has one owner, so no two users are sent to the same one. */
  owner: string
  /** Whether missed calls and repeat enquiries of unassigned leads are part of it. */
  withUnassigned: boolean
  /** Lists the leads of this reason alone. All are counted. */
  reason: QueueReason | null
  /** Leads without a call since then are going cold. */
  coldBefore: Date
  now: Date
}

/**
 * Reads which leads an owner calls next: calls that are due, the oldest promise first; missed calls to call back, newest first; new leads of
 * today without a call, and leads that enquired again, newest first; older new leads, newest first; leads that were not reached for a day, the
 * longest ago first; leads that are going cold, the longest ago first; and leads of another open status without a call, newest first, as files
 * bring them. Each part has an index in its order and ends after `maxCounted` rows. Leads with a time to call again wait for it, unless they
 * called or enquired.
 */
export async function readQueue(
  tx: TransactionSql,
  { accountId, owner, withUnassigned, reason, coldBefore, now }: Wanted,
) {
  const ago = (time: number) => new Date(now.getTime() - time)
  const { from: today } = dateWindow({ from_date: istDay(now) }, now)
  const own = tx`account_id = ${accountId} and assigned_to = ${owner}`
  const missed = tx`called_at >= ${ago(oldest)} and called_at <= ${now} and ${needsCallback(tx, accountId)}`
  // In the order of the index, which PostgreSQL does not recognise after `is null` without its first column.
  const unassigned = {
    calls: tx`union all (
        select lead_id, called_at from call_logs calls where account_id = ${accountId} and assigned_to is null and ${missed}
        order by assigned_to, called_at desc, calls.id desc limit ${maxCounted}
      )`,
    enquiries: tx`union all (
        select id, enquired_again_at from leads where account_id = ${accountId} and assigned_to is null and ${isToAnswer(tx)}
        order by assigned_to, enquired_again_at desc, id desc limit ${maxCounted}
      )`,
  }
  const [queue] = await tx<{ leads: string; counts: Partial<Record<QueueReason, number>> }[]>`
    with due as materialized (
      select id, call_again_at as since from leads where ${own} and call_again_at is not null and call_again_at <= ${now}
      order by call_again_at, id limit ${maxCounted}
    ), missed as materialized (
      select lead_id as id, max(called_at) as since from ((
        select lead_id, called_at from call_logs calls where ${own} and ${missed}
        order by called_at desc, calls.id desc limit ${maxCounted}
      ) ${withUnassigned ? unassigned.calls : tx``}) newest group by lead_id order by 2 desc limit ${maxCounted}
    ), enquired_again as materialized (
      select id, since from ((
        select id, enquired_again_at as since from leads where ${own} and ${isToAnswer(tx)}
        order by enquired_again_at desc, id desc limit ${maxCounted}
      ) ${withUnassigned ? unassigned.enquiries : tx``}) newest order by since desc, id desc limit ${maxCounted}
    ), uncalled as materialized (
      select id, created_at as since from leads
      where ${own} and status = 'New' and last_call_at is null and call_again_at is null
      order by created_at desc, id desc limit ${maxCounted}
    ), not_reached as materialized (
      select id, last_call_at as since from leads
      where ${own} and last_call_outcome in ('No Answer', 'Busy', 'Voicemail') and status not in ('Won', 'Lost')
        and call_again_at is null and last_call_at >= ${ago(oldest)} and last_call_at <= ${ago(pause)}
      order by last_call_at, id limit ${maxCounted}
    ), going_cold as materialized (
      select id, coalesce(last_call_at, created_at) as since from leads where ${own} and ${isGoingCold(tx, coldBefore)}
      order by coalesce(last_call_at, created_at), id limit ${maxCounted}
    ), never_called as materialized (
      select id, created_at as since from leads
      where ${own} and status in ('Contacted', 'Qualified', 'Proposal') and last_call_at is null and call_again_at is null
      order by created_at desc, id desc limit ${maxCounted}
    ), found as (
      select 1 as part, 'due' as reason, id, since, extract(epoch from since) as place from due
      union all select 2, 'missed', id, since, -extract(epoch from since) from missed
      union all select 3, 'enquired_again', id, since, -extract(epoch from since) from enquired_again
      union all select case when since >= ${today} then 3 else 4 end, 'new', id, since, -extract(epoch from since) from uncalled
      union all select 5, 'not_reached', id, since, extract(epoch from since) from not_reached
      union all select 6, 'going_cold', id, since, extract(epoch from since) from going_cold
      union all select 7, 'never_called', id, since, -extract(epoch from since) from never_called
    ), queued as (
      select distinct on (id) * from found order by id, part, reason
    ), first as (
      select * from queued where ${reason}::text is null or reason = ${reason} order by part, place, id limit ${maxListed}
    )
    select
      (select coalesce(json_object_agg(reason, n), '{}') from (
        select reason, count(*)::int as n from queued group by reason
      ) counted) as counts,
      (select coalesce(json_agg(lead), '[]')::text from (
        select page.id, first.reason, left(to_json(first.since)#>>'{}', 19) || 'Z' as since, page.name, page.phone, page.email,
          page.company, page.city, page.source, page.status, page.priority,
          case when length(beside.notes) > ${textLength} then '…' || right(beside.notes, ${textLength}) else beside.notes end as notes,
          ${enquiryPreview(tx, accountId, tx`page.id`)} as enquiry, (
            select left(calls.notes, ${textLength}) from call_logs calls
            where calls.account_id = ${accountId} and calls.lead_id = page.id order by called_at desc, calls.id desc limit 1
          ) as last_call_notes,
          ${instant(tx, 'last_call_at')}, page.last_call_outcome, page.attempts, ${instant(tx, 'call_again_at')},
          ${instant(tx, 'enquired_again_at')}
        from first join leads page on page.account_id = ${accountId} and page.id = first.id,
          lateral (select ${notesBeside(tx, accountId, tx`page.id`, tx`page.notes`)} as notes) beside
        order by first.part, first.place, first.id
      ) lead) as leads`
  return queue!
}
