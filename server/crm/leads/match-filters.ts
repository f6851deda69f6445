import type { Actor } from '../../platform/database/actor.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { areTagsRare, countFiltered, filterConditions, type LeadFilters } from './lead-filters.ts'
import { areWordsCommon, matchesSearch } from './match-search.ts'

/**
 * Returns a function that writes the condition of all leads that match the filters and the search, for statements of this transaction.
 * A statement itself would run when it is awaited.
 */
export async function matchesFilters(tx: TransactionSql, actor: Actor, filters: LeadFilters): Promise<() => Statement> {
  // How many leads a filter leaves differs too much for one plan.
  await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
  const rareTags = await areTagsRare(tx, actor, filters)
  const { search } = filters
  const commonWords =
    search !== null && (await areWordsCommon(tx, actor, search, { among: await countFiltered(tx, actor, filters) }))
  return () =>
    tx`${filterConditions(tx, actor, filters, { rareTags })} ${search ? tx`and ${matchesSearch(tx, actor.account_id, search, { commonWords })}` : tx``}`
}
