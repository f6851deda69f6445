import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { invalid } from '../http/problem.ts'
import { instant } from '../leads/list-page.ts'
import type { CallListQuery } from './list-calls.ts'

interface CallsSinceQuery extends Pick<CallListQuery, 'window' | 'lead_id' | 'call_type' | 'limit' | 'offset'> {
  changedSince: Date
}

interface CallsSince {
  total: number
  /** Present where the total is a lower bound. */
  capped?: true
  has_more: boolean
  /** JSON as PostgreSQL wrote it. */
  rows: string
}

/** The calls since a time are not in the daily counts. They are counted, but no further. */
const maxCounted = 10_000
/** Programs that keep in step skip calls that changed within one second. */
const furthest = 100_000

/** Returns a page of the calls that were logged or changed since a time, in this order. */
export async function listCallsSince(database: Database, actor: Actor, query: CallsSinceQuery): Promise<CallsSince> {
  const { window, changedSince, lead_id, call_type, limit, offset } = query
  const { account_id, sees } = actor
  if (offset > furthest)
    throw invalid(`offset must be at most ${furthest} with updated_since. Choose a later time.`, 'offset')
  const most = Math.max(maxCounted, offset + limit)
  const { n, rows } = await readAsActor(database, actor, async (tx) => {
    // How many calls there are since a time differs too much for one plan.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    // The assignees that the actor sees are named for the plan; the policy enforces them.
    const [found] = await tx<{ n: number; rows: string }[]>`
      with changed as materialized (
        select id, coalesce(changed_at, created_at) as at from call_logs
        where account_id = ${account_id} and coalesce(changed_at, created_at) >= ${changedSince}
          and called_at >= ${window.from} and called_at < ${window.until}
          ${lead_id ? tx`and lead_id = ${lead_id}` : tx``} ${call_type ? tx`and call_type = ${call_type}` : tx``}
          ${sees === 'all' ? tx`` : tx`and assigned_to = any (${sees as string[]}::uuid[])`}
        order by at, id limit ${most + 1}
      ), page as (
        select calls.*, ids.at from (select id, at from changed order by at, id limit ${limit} offset ${offset}) ids
        join call_logs calls on calls.account_id = ${account_id} and calls.id = ids.id
      )
      select (select count(*)::int from changed) as n, (
        select coalesce(json_agg(call), '[]')::text from (
          select page.id, page.lead_id, page.call_type, page.duration_seconds, page.outcome, page.notes,
            ${instant(tx, 'called_at')}, ${instant(tx, 'created_at')}
          from page order by page.at, page.id
        ) call
      ) as rows`
    return found!
  })
  const has_more = offset + limit < n
  return n > most ? { total: most, capped: true, has_more, rows } : { total: n, has_more, rows }
}
