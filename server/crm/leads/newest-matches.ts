import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { allDays, dateWindow } from '../../platform/http/date-window.ts'
import { countFiltered, filterConditions, type LeadFilters } from './lead-filters.ts'
import { maxSorted } from './list-leads.ts'
import { areWordsCommon, matchesSearch, maxByPrefix, prefixMatches } from './match-search.ts'
import type { SearchTerms } from './search-terms.ts'

/** Returns the ids of at most `most` leads that match a search and that the actor sees, the newest first. */
export async function newestMatches(
  tx: TransactionSql,
  actor: Actor,
  search: SearchTerms,
  limit: number,
): Promise<string[]> {
  const all: LeadFilters = { window: dateWindow(allDays, new Date()), search }
  const visible = filterConditions(tx, actor, all)
  const newest = tx`order by created_at desc, id desc limit ${limit}`
  const among = await countFiltered(tx, actor, all)
  const commonWords = await areWordsCommon(tx, actor, search, { among })
  if (among > maxSorted && !commonWords) {
    const [found] = await tx<{ n: number; ids: string[] }[]>`
      with matched as materialized (${prefixMatches(tx, actor.account_id, search, maxByPrefix + 1)})
      select (select count(*)::int from matched) as n, array(select id from matched leads where ${visible} ${newest}) as ids`
    if (found!.n <= maxByPrefix) return found!.ids
  }
  const leads = await tx<{ id: string }[]>`
    select id from leads where ${visible} and ${matchesSearch(tx, actor.account_id, search, { commonWords })} ${newest}`
  return leads.map(({ id }) => id)
}
