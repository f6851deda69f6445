import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type DealValues, maxAddedUp } from './contract.ts'
import { areTagsRare, countFiltered, filterConditions, hasUncountedFilter, type LeadFilters } from './lead-filters.ts'
import { areWordsCommon, matchesSearch, maxByPrefix, prefixMatches } from './match-search.ts'

const unknown: DealValues = { all: null, won: null }

/** Sums the deal values of the leads that match the filters, if these are at most `maxAddedUp`. */
export async function sumDealValues(database: Database, actor: Actor, filters: LeadFilters): Promise<DealValues> {
  return readAsActor(database, actor, async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const { search } = filters
    const among = await countFiltered(tx, actor, filters)
    const isFew = among <= maxAddedUp
    if (!isFew && !search && !hasUncountedFilter(filters)) return unknown
    const rareTags = !isFew && (await areTagsRare(tx, actor, filters))
    const conditions = filterConditions(tx, actor, filters, { rareTags })
    const commonWords = search !== null && isFew && (await areWordsCommon(tx, actor, search, { among }))
    const byPrefix = search !== null && !isFew
    const matched = byPrefix
      ? tx`(${prefixMatches(tx, actor.account_id, search, maxByPrefix + 1)})`
      : tx`(select * from leads where ${conditions} ${search ? tx`and ${matchesSearch(tx, actor.account_id, search, { commonWords })}` : tx``}
          limit ${maxAddedUp + 1})`
    const [summed] = await tx<{ matched: number; paise: string; won_paise: string }[]>`
      with matched as materialized ${matched}
      select (select count(*)::int from matched) as matched, coalesce(sum(deal_paise), 0) as paise,
        coalesce(sum(deal_paise) filter (where status = 'Won'), 0) as won_paise
      from matched leads ${byPrefix ? tx`where ${conditions}` : tx``}`
    const { matched: n, paise, won_paise } = summed!
    if (n > (byPrefix ? maxByPrefix : maxAddedUp)) return unknown
    return { all: Number(paise) / 100, won: Number(won_paise) / 100 }
  })
}
