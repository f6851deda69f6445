import { type ChangesQuery, isSince, listChanges } from '../../crm/leads/list-changes.ts'
import { instant } from '../../crm/leads/list-page.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isOfAllDays } from '../../platform/http/date-window.ts'
import type { CallListQuery } from './list-calls.ts'

type CallsSinceQuery = Pick<CallListQuery, 'window' | 'lead_id' | 'call_type'> & ChangesQuery

/** Returns a page of the calls that were logged or changed since a time, in this order. */
export function listCallsSince(database: Database, actor: Actor, query: CallsSinceQuery) {
  const { window, cursor, lead_id, call_type } = query
  const { account_id, sees } = actor
  const isOfAll = sees === 'all' && !lead_id && !call_type && isOfAllDays(window)
  return listChanges(database, actor, query, {
    isOfAll,
    list: (sql) => {
      // As in the index (migration 0078).
      const at = sql`(case when changed_at is null then created_at else changed_at end)`
      // The assignees that the actor sees are named for the plan; the policy enforces them.
      const filters = sql`and called_at >= ${window.from} and called_at < ${window.until}
        ${lead_id ? sql`and lead_id = ${lead_id}` : sql``} ${call_type ? sql`and call_type = ${call_type}` : sql``}
        ${sees === 'all' ? sql`` : sql`and assigned_to = any (${sees as string[]}::uuid[])`}`
      return {
        changed: sql`select id, ${at} as at from call_logs
          where account_id = ${account_id} and ${isSince(sql, at, cursor)} ${isOfAll ? sql`` : filters}`,
        rows: sql`(
          select coalesce(json_agg(call), '[]')::text from (
            select page.id, page.lead_id, page.call_type, page.duration_seconds, page.outcome, page.notes,
              ${instant(sql, 'called_at')}, ${instant(sql, 'created_at')}
            from ids, lateral (
              select * from call_logs where account_id = ${account_id} and call_logs.id = ids.id offset 0
            ) page order by ids.at, ids.id
          ) call
        ) as rows`,
      }
    },
  })
}
