import type { Account, User } from '../../access/account/users.ts'
import { hoursOf } from '../../crm/availability/availability.ts'
import { istInstant, istMoment, lastShiftEnd } from '../../crm/availability/hours.ts'
import { enquiryPreview, notesBeside } from '../../crm/enquiries/store.ts'
import { coldBefore, isGoingCold, isToAnswer } from '../../crm/leads/follow-up.ts'
import { instant } from '../../crm/leads/list-page.ts'
import { retryAt } from '../../crm/leads/retry-at.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import { lastCallNotes } from '../../telephony/calls/last-call-notes.ts'
import { needsCallback } from '../../telephony/calls/missed.ts'
import { maxCounted, maxListed, type QueueReason, queueReasons } from './contract.ts'
import { type Candidate, orderQueue, promiseStarts } from './order-queue.ts'

/** In characters. */
const textLength = 300
const day = 86_400_000
/** Older missed calls, repeat enquiries and attempts are left to other groups and lists. */
const oldest = 30 * day
/** Some leads that were not reached wait for another time of the day. */
const maxRetries = 2 * maxCounted

interface Wanted {
  account: Account
  /** A lead has one owner, so no two users are sent to the same one. */
  owner: User
  /** Whether unassigned leads are part of it. */
  withUnassigned: boolean
  /** Lists the leads of this reason alone. All are counted. */
  reason: QueueReason | null
  now: Date
}

/** Reads which leads an owner calls next: the first ones, as JSON, and how many there are for each reason. */
export async function readQueue(tx: TransactionSql, wanted: Wanted) {
  const { account, owner, reason, now } = wanted
  const hours = hoursOf(account, owner)
  const today = istInstant(istMoment(now).day, 0)
  const lastWorked = Math.min(today.getTime(), lastShiftEnd(now, hours).getTime())
  const found = await readCandidates(tx, wanted, today)
  const candidates = found.flatMap(({ attempts, since, ...lead }): Candidate[] => {
    if (lead.reason !== 'not_reached') return [{ ...lead, since }]
    const retry_at = retryAt({ attempts, last_call_at: new Date(since) }, { ...account, hours }).getTime()
    return retry_at <= now.getTime() ? [{ ...lead, since, retry_at }] : []
  })
  const queue = orderQueue(candidates, { now: now.getTime(), lastWorked })
  const byReason = Map.groupBy(queue, (lead) => lead.reason)
  const counts = Object.fromEntries(
    queueReasons.map((one) => [one, Math.min(byReason.get(one)?.length ?? 0, maxCounted)]),
  )
  const listed = (reason === null ? queue : (byReason.get(reason) ?? [])).slice(0, maxListed)
  return { leads: await readLeads(tx, account.id, listed), counts }
}

type Found = Omit<Candidate, 'retry_at'> & { attempts: number }

/**
 * Each group has an index in its order and ends after `maxCounted` rows. Leads with a time to call again wait for it, unless they called or
 * enquired. Of a closed lead only what the customer did since is left.
 */
async function readCandidates(tx: TransactionSql, wanted: Wanted, today: Date): Promise<Found[]> {
  const { account, owner, withUnassigned, now } = wanted
  const accountId = account.id
  const ago = (time: number) => new Date(now.getTime() - time)
  const cold = coldBefore(account, now)
  const isUnreached = tx`last_call_outcome in ('No Answer', 'Busy', 'Voicemail')`
  const isRetried = tx`(${isUnreached} and last_call_at >= ${ago(oldest)})`
  const isSince = (time: Statement) => tx`(status not in ('Won', 'Lost') or closed_at is null or closed_at <= ${time})`
  const firstRetry = ago(account.firstRetryAfter * 60_000)
  // In the order of the indexes, which PostgreSQL does not recognise after `is null` without its first column.
  const groups = (whose: Statement, isFree: Statement) => tx`
    (select 'due' as reason, id, call_again_at as since, attempts from leads
      where ${whose} and call_again_at is not null and call_again_at <= ${ago(-promiseStarts)}
      order by assigned_to desc, call_again_at desc, id desc limit ${maxCounted})
    union all (select 'missed', lead_id, called_at, 0 from call_logs calls
      where ${whose} and called_at >= ${ago(oldest)} and called_at <= ${now} and ${needsCallback(tx, accountId)} and exists (
        select from leads where leads.account_id = ${accountId} and leads.id = calls.lead_id and ${isSince(tx`calls.called_at`)}
      )
      order by assigned_to, called_at desc, calls.id desc limit ${maxCounted})
    union all (select 'enquired_again', id, enquired_again_at, attempts from leads
      where ${whose} and ${isToAnswer(tx)} and enquired_again_at >= ${ago(oldest)} and ${isSince(tx`enquired_again_at`)}
      order by assigned_to, enquired_again_at desc, id desc limit ${maxCounted})
    union all (select 'new', id, created_at, attempts from leads
      where ${whose} and status = 'New' and last_call_at is null and call_again_at is null and ${isFree}
      order by assigned_to, created_at desc, id desc limit ${maxCounted})
    union all (select 'not_reached', id, last_call_at, attempts from leads
      where ${whose} and ${isUnreached} and status not in ('Won', 'Lost') and call_again_at is null and no_next_step is null
        and last_call_at >= ${ago(oldest)} and (last_call_at < ${today} or (attempts <= 1 and last_call_at <= ${firstRetry}))
      order by assigned_to, last_call_at, id limit ${maxRetries})
    union all (select 'going_cold', id, coalesce(last_call_at, created_at), attempts from leads
      where ${whose} and ${isGoingCold(tx, cold)}
      order by assigned_to, coalesce(last_call_at, created_at), id limit ${maxCounted})
    union all (select 'no_next_step', id, last_call_at, attempts from leads
      where ${whose} and status in ('New', 'Contacted') and last_call_at is not null and call_again_at is null
        and no_next_step is null and not ${isRetried}
      order by assigned_to, last_call_at, id limit ${maxCounted})
    union all (select 'no_next_step', id, last_call_at, attempts from leads
      where ${whose} and status in ('Qualified', 'Proposal') and last_call_at > ${cold} and call_again_at is null
        and no_next_step is null and not ${isRetried}
      order by assigned_to, last_call_at, id limit ${maxCounted})
    union all (select 'never_called', id, created_at, attempts from leads
      where ${whose} and status in ('Contacted', 'Qualified', 'Proposal') and last_call_at is null and call_again_at is null
      order by assigned_to, created_at desc, id desc limit ${maxCounted})`
  const own = groups(tx`account_id = ${accountId} and assigned_to = ${owner.id}`, tx`true`)
  const isOffered = tx`select from lead_offers where lead_offers.account_id = ${accountId} and lead_id = leads.id and due_at is not null`
  const unassigned = groups(tx`account_id = ${accountId} and assigned_to is null`, tx`not exists (${isOffered})`)
  // As one text, because a thousand rows take longer to receive than to read.
  const [all] = await tx<{ found: string }[]>`
    select string_agg(concat_ws(' ', reason, id, extract(epoch from since)::bigint, attempts), ',') as found
    from (${own} ${withUnassigned ? tx`union all ${unassigned}` : tx``}) found`
  return (all!.found ?? '').split(',').flatMap((one): Found[] => {
    const [reason, id, since, attempts] = one.split(' ')
    return id ? [{ reason: reason as QueueReason, id, since: Number(since) * 1000, attempts: Number(attempts) }] : []
  })
}

/** What to know of leads before a call, in their order. */
async function readLeads(tx: TransactionSql, accountId: string, listed: Candidate[]): Promise<string> {
  const ids = listed.map(({ id }) => id)
  const reasons = listed.map(({ reason }) => reason)
  const times = listed.map(({ since }) => instantText(new Date(since)))
  const [page] = await tx<{ leads: string }[]>`
    select coalesce(json_agg(lead), '[]')::text as leads from (
      select page.id, listed.reason, listed.since, page.name, page.phone, page.email,
        page.company, page.city, page.source, page.status, page.priority,
        case when length(beside.notes) > ${textLength} then '…' || right(beside.notes, ${textLength}) else beside.notes end as notes,
        ${enquiryPreview(tx, accountId, tx`page.id`)} as enquiry,
        ${lastCallNotes(tx, accountId, tx`page.id`, { length: textLength })} as last_call_notes,
        ${instant(tx, 'last_call_at')}, page.last_call_outcome, page.attempts, ${instant(tx, 'call_again_at')},
        ${instant(tx, 'enquired_again_at')}, page.assigned_to is null as is_unassigned
      from unnest(${ids}::uuid[], ${reasons}::text[], ${times}::text[]) with ordinality as listed (id, reason, since, place)
      join leads page on page.account_id = ${accountId} and page.id = listed.id,
        lateral (select ${notesBeside(tx, accountId, tx`page.id`, tx`page.notes`)} as notes) beside
      order by listed.place
    ) lead`
  return page!.leads
}
