import { instant } from '../../crm/leads/list-page.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { indianMinutes } from '../../platform/http/instants.ts'
import { lastCallNotes } from '../../telephony/calls/last-call-notes.ts'
import { maxCounted, maxListed, type PromiseGroup, promiseGroups } from './contract.ts'

/** In characters. */
const notesLength = 300
const day = 86_400_000

interface Wanted {
  accountId: string
  owners: string[]
  withUnassigned: boolean
  now: Date
}

/** From the first time of each group to that of the next one. */
function groupStarts(now: Date): Record<PromiseGroup | 'end', Date | '-infinity'> {
  const offset = indianMinutes * 60_000
  const midnight = Math.floor((now.getTime() + offset) / day) * day - offset
  const after = (days: number) => new Date(midnight + days * day)
  const nextSecond = new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000)
  return { overdue: '-infinity', today: nextSecond, tomorrow: after(1), later: after(2), end: after(7) }
}

/** Reads the calls that are promised, by when, the oldest first: JSON as PostgreSQL wrote it. */
export async function readToday(tx: TransactionSql, wanted: Wanted): Promise<Record<PromiseGroup, string>> {
  const starts = groupStarts(wanted.now)
  const ends = [...promiseGroups.slice(1), 'end' as const].map((next) => starts[next])
  const groups = await Promise.all(
    promiseGroups.map((group, at) => readGroup(tx, wanted, { from: starts[group], until: ends[at]! })),
  )
  return Object.fromEntries(promiseGroups.map((group, at) => [group, groups[at]!])) as Record<PromiseGroup, string>
}

/** Each owner's part follows the index of their promised calls, and ends after so many rows. */
async function readGroup(
  tx: TransactionSql,
  { accountId, owners, withUnassigned }: Wanted,
  { from, until }: { from: Date | string; until: Date | string },
): Promise<string> {
  const within = tx`call_again_at >= ${from}::timestamptz and call_again_at < ${until}::timestamptz`
  const promised = (limit: number) => tx`
    select promise.id, promise.call_again_at from unnest(${owners}::uuid[]) as owner cross join lateral (
      select id, call_again_at from leads where account_id = ${accountId} and assigned_to = owner and ${within}
      order by call_again_at, id limit ${limit}
    ) promise
    ${
      withUnassigned
        ? tx`union all (
      select id, call_again_at from leads where account_id = ${accountId} and assigned_to is null and ${within}
      order by assigned_to, call_again_at, id limit ${limit}
    )`
        : tx``
    }`
  const [group] = await tx<{ answer: string }[]>`
    with first as materialized (
      select id, call_again_at from (${promised(maxListed)}) promise order by call_again_at, id limit ${maxListed}
    )
    select json_build_object(
      'count', (select count(*) from (select from (${promised(maxCounted)}) promise limit ${maxCounted}) counted),
      'calls', (select coalesce(json_agg(call), '[]') from (
        select page.id, page.name, page.phone, page.email, page.status, users.email as assigned_to, users.name as owner,
          ${instant(tx, 'call_again_at')}, ${instant(tx, 'last_call_at')}, page.last_call_outcome,
          ${lastCallNotes(tx, accountId, tx`page.id`, { length: notesLength })} as last_call_notes
        from first join leads page on page.account_id = ${accountId} and page.id = first.id
        left join users on users.account_id = ${accountId} and users.id = page.assigned_to
        order by first.call_again_at, first.id
      ) call)
    )::text as answer`
  return group!.answer
}
