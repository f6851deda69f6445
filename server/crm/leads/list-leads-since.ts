import type { Actor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isOfAllDays } from '../../platform/http/date-window.ts'
import { countFiltered, filterConditions, isByField, type LeadFilters } from './lead-filters.ts'
import { type ChangesQuery, isSince, listChanges } from './list-changes.ts'
import { responseRows } from './response-rows.ts'

/** Leads of a filter are collected and sorted up to here. With more of them, a scan in the order of changes soon fills a page. */
const maxSorted = 10_000

/** Returns a page of the leads that changed since a time, in this order. */
export function listLeadsSince(database: Database, actor: Actor, query: LeadFilters & ChangesQuery) {
  const { account_id, sees } = actor
  const isOfAll = sees === 'all' && !query.owners && !isByField(query) && isOfAllDays(query.window)
  return listChanges(database, actor, query, {
    isOfAll,
    list: async (sql) => {
      const since = isSince(sql, sql`updated_at`, query.cursor)
      const isFew = !isOfAll && (await countFiltered(sql, actor, query)) <= maxSorted
      const page = sql`(select leads.* from ids, lateral (
          select * from leads where account_id = ${account_id} and leads.id = ids.id offset 0
        ) leads order by ids.at, ids.id) page`
      return {
        // Without OFFSET, PostgreSQL may look for few leads in the order of all changes.
        changed: sql`select id, updated_at as at from leads
          where ${isOfAll ? sql`account_id = ${account_id}` : filterConditions(sql, actor, query)} and ${since}
          ${isFew ? sql`offset 0` : sql``}`,
        rows: responseRows(sql, account_id, page, {}),
      }
    },
  })
}
