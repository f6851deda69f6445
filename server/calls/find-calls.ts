import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { DateWindow } from '../http/date-window.ts'
import { nobody } from '../leads/counts.ts'
import { instant } from '../leads/visible.ts'
import type { CallSearch } from './contract.ts'
import { missed, unreturned } from './missed.ts'

export interface CallWish extends Pick<CallSearch, 'lead_id' | 'call_type' | 'outcome'> {
  window: DateWindow
  /** A person of the account, or nobody; null for one who is none. */
  assignee?: { id: string } | 'nobody' | null | undefined
  missed: boolean
  unreturned: boolean
  limit: number
  offset: number
}

/** In characters: a list of long notes stays small, and the call by itself has them whole. */
const shownOfNotes = 500

/** Counted so far and no further. */
const mostCounted = 100_000

/** A page of the calls that an actor sees, newest first, each with its lead's name and phone. */
export async function findCalls(
  database: Database,
  actor: Actor,
  wish: CallWish,
): Promise<{ total: number; capped: boolean; rows: string }> {
  const { window, lead_id, call_type, outcome, assignee, limit, offset } = wish
  const { account_id, sees } = actor
  return readAsActor(database, actor, async (tx) => {
    // How many calls a filter leaves differs too much for one plan.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const whose = (person: { id: string } | null | undefined) => {
      if (person !== undefined) return tx`and calls.assigned_to = ${person?.id ?? null}`
      return sees === 'all' ? tx`` : tx`and calls.assigned_to = any (${sees as string[]}::uuid[])`
    }
    const ofType = call_type ? tx`and calls.call_type = ${call_type}` : tx``
    const wanted = tx`from call_logs calls where calls.account_id = ${account_id}
      and calls.called_at >= ${window.from} and calls.called_at < ${window.until}
      ${assignee === 'nobody' ? tx`and calls.assigned_to is null` : whose(assignee)}
      ${lead_id ? tx`and calls.lead_id = ${lead_id}` : tx``} ${ofType}
      ${outcome ? tx`and calls.outcome = ${outcome}` : tx``}
      ${wish.unreturned ? tx`and ${unreturned(tx, account_id)}` : wish.missed ? tx`and ${missed(tx)}` : tx``}`
    // The daily counts know of days, types and people, and of nothing else.
    const beyondCounts = Boolean(lead_id || outcome || wish.missed || wish.unreturned)
    const total = beyondCounts
      ? tx`select count(*)::int from (select ${wanted} limit ${mostCounted + 1}) counted`
      : tx`select coalesce(sum(n), 0)::int from call_counts calls where calls.account_id = ${account_id}
            and calls.day between ${window.first_day} and ${window.last_day}
            ${whose(assignee === 'nobody' ? { id: nobody } : assignee)} ${ofType}`
    const [found] = await tx`
      with page as materialized (
        select calls.* ${wanted} order by calls.called_at desc, calls.id desc limit ${limit} offset ${offset}
      )
      select (${total}) as total,
        (select coalesce(json_agg(call), '[]')::text from (
          select page.id, page.lead_id, leads.name as lead_name, leads.phone as lead_phone, users.email as assigned_to,
            page.call_type, page.duration_seconds, page.outcome,
            case when length(page.notes) > ${shownOfNotes} then left(page.notes, ${shownOfNotes}) || '…'
              else page.notes end as notes,
            coalesce(length(page.notes) > ${shownOfNotes}, false) as notes_cut, ${instant(tx, 'called_at')},
            ${instant(tx, 'created_at')}, page.unreturned
          from (select calls.*, ${unreturned(tx, account_id)} as unreturned from page calls) page
          join leads on leads.account_id = page.account_id and leads.id = page.lead_id
          left join users on users.account_id = page.account_id and users.id = page.assigned_to
          order by page.called_at desc, page.id desc
        ) call) as rows`
    const capped = beyondCounts && found!.total > mostCounted
    return { total: capped ? mostCounted : found!.total, capped, rows: found!.rows }
  })
}
