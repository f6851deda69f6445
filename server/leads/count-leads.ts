import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { areTagsRare, countFiltered, filterConditions, hasUncountedFilter, type LeadFilters } from './lead-filters.ts'
import { matchesSearch } from './match-search.ts'

/** So many matches are counted, if the daily counts do not know their number. */
const maxCounted = 1000

/** Counts the leads that match the filters and that the actor sees. Is canceled after `longest` milliseconds. */
export function countLeads(
  database: Database,
  actor: Actor,
  filters: LeadFilters,
  longest: number,
): Promise<{ total: number; capped: boolean }> {
  const { search } = filters
  return readAsActor(database, actor, async (tx) => {
    await tx`select set_config('statement_timeout', ${String(longest)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`
    if (!search && !hasUncountedFilter(filters)) {
      return { total: await countFiltered(tx, actor, filters), capped: false }
    }
    const rareTags = await areTagsRare(tx, actor, filters)
    const found = search ? tx`and ${matchesSearch(tx, actor.account_id, search)}` : tx``
    const [counted] = await tx`select count(*)::int as n from (
      select from leads where ${filterConditions(tx, actor, filters, { rareTags })} ${found} limit ${maxCounted + 1}
    ) matched`
    return { total: Math.min(counted!.n, maxCounted), capped: counted!.n > maxCounted }
  })
}
