import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { countFiltered, hasUncountedFilter, type LeadFilters } from './lead-filters.ts'
import { matchesFilters } from './match-filters.ts'

/** So many matches are counted, if the daily counts do not know their number. */
const maxCounted = 1000

/** Counts the leads that match the filters and that the actor sees. Is canceled after `longest` milliseconds. */
export function countLeads(
  database: Database,
  actor: Actor,
  filters: LeadFilters,
  timeoutMs: number,
): Promise<{ total: number; capped: boolean }> {
  return readAsActor(database, actor, async (tx) => {
    await tx`select set_config('statement_timeout', ${String(timeoutMs)}, true)`
    if (!filters.search && !hasUncountedFilter(filters)) {
      return { total: await countFiltered(tx, actor, filters), capped: false }
    }
    const matches = await matchesFilters(tx, actor, filters)
    const [counted] = await tx`select count(*)::int as n from (
      select from leads where leads.account_id = ${actor.account_id} and ${matches()} limit ${maxCounted + 1}
    ) matched`
    return { total: Math.min(counted!.n, maxCounted), capped: counted!.n > maxCounted }
  })
}
