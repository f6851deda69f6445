import { msg } from '@lingui/core/runtime-macro'
import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { LeadSort } from './contract.ts'
import {
  areTagsRare,
  countFiltered,
  filterConditions,
  hasUncountedFilter,
  isByField,
  isSingle,
  type LeadFilters,
} from './lead-filters.ts'
import { readingPage } from './list-page.ts'
import { areWordsCommon, matchesSearch, maxByPrefix, prefixMatches } from './match-search.ts'
import { newestLeads } from './newest-leads.ts'
import { responseRows, type Shown } from './response-rows.ts'
import type { SearchTerms } from './search-terms.ts'

export interface LeadListQuery extends LeadFilters, Shown {
  sort: LeadSort
  /** The other way round. */
  reverse?: boolean
  limit: number
  offset: number
}

export interface LeadPage {
  total: number
  /** The total is a lower bound: the matches were not counted. */
  capped: boolean
  has_more: boolean
  /** JSON as PostgreSQL wrote it. */
  rows: string | Buffer
}

/** So many leads are collected and sorted. With more of them, a scan in the order of the list soon fills a page. */
export const maxSorted = 10_000
/** A scan to a deep page is long, and that of a search longer: for each lead that it would skip, so many more are sorted. */
const sortedPerSkipped = { list: 4, search: 25 }
/** The leads of an import are read by an index, and may all be older than thousands of others. */
const maxSortedOfImport = 100_000
/** One user's leads are stored together, and are few of all those that match a prefix. */
const maxSortedOfOneUser = 40_000
/** Scans end here: filters lead to what is further on. */
export const maxScanOffset = 10_000
export const maxSearchOffset = 1000

/**
 * Returns a page of the leads that an actor sees, for the API and the web app. Newest first needs only the daily counts.
 * Other lists ask the counts how many leads the filters leave: few are collected, by their filters or by what was typed,
 * and sorted; many are scanned in order.
 */
export async function listLeads(database: Database, actor: Actor, query: LeadListQuery): Promise<LeadPage> {
  const { owners, search, sort, reverse, limit, offset } = query
  const [owner] = owners ?? []
  const isPlain = !search && isSingle(query) && owner !== 'nobody' && !hasUncountedFilter(query)
  if (sort === 'newest' && !reverse && isPlain) {
    // A field of some users' leads is looked for in up to 10,000 of them.
    const isSearched = isByField(query) && (owner || actor.sees !== 'all')
    const read = isSearched ? database.read : readingPage(database, query)
    const { total, rows } = await read(actor, (sql) => newestLeads(sql, actor, { ...query, owner }))
    return { total, rows, capped: false, has_more: offset + limit < total }
  }
  return readAsActor(database, actor, async (tx) => {
    // How many leads a filter or a prefix leaves differs too much for one plan.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const filtered = await countFiltered(tx, actor, query)
    const isFew = filtered <= maxToSort(actor, query)
    const rareTags = !isFew && (await areTagsRare(tx, actor, query))
    // Leads are closed after they were created: the index of closed leads has both.
    const closed = sort === 'closed' ? tx`and closed_at >= ${query.window.from}` : tx``
    const filters = tx`${filterConditions(tx, actor, query, { rareTags })} ${closed}`
    const commonWords = search !== null && (await areWordsCommon(tx, actor, search, { among: filtered }))
    const found = search ? tx`and ${matchesSearch(tx, actor.account_id, search, { commonWords })}` : tx``
    if (isFew) return sorted(tx, actor, query, tx`select * from leads where ${filters} ${found}`)
    if (search)
      return (
        (commonWords ? null : await matchedByPrefix(tx, actor, query, { search, filters })) ??
        (await scanned(tx, actor, query, { conditions: tx`${filters} ${found}`, total: maxByPrefix, capped: true }))
      )
    if (!hasUncountedFilter(query))
      return scanned(tx, actor, query, { conditions: filters, total: filtered, capped: false })
    // Few of them are found by the index of a filter; many soon fill a page in the order of the list.
    const max = query.importId ? maxSortedOfImport : maxSorted
    const few = await sorted(tx, actor, query, tx`select * from leads where ${filters} limit ${max + 1}`)
    return few.total <= max ? few : scanned(tx, actor, query, { conditions: filters, total: max, capped: true })
  })
}

function maxToSort(actor: Actor, { search, owners, offset }: LeadListQuery): number {
  const isOfOneUser = owners?.length === 1 || (actor.sees !== 'all' && actor.sees.length === 1)
  if (search && isOfOneUser) return maxSortedOfOneUser
  const [maxOffset, perSkipped] = search
    ? [maxSearchOffset, sortedPerSkipped.search]
    : [maxScanOffset, sortedPerSkipped.list]
  return offset > maxOffset ? maxSorted : maxSorted + perSkipped * offset
}

type Fragment = Statement

async function sorted(tx: TransactionSql, actor: Actor, query: LeadListQuery, leads: Fragment): Promise<LeadPage> {
  const [found] = await tx`with collected as materialized (
      select ${sortColumns(tx)} from (${leads}) leads
    ), ${page(tx, query, tx`collected`)}
    select (select count(*)::int from collected) as total, ${rowsOf(tx, actor, query)}`
  return countedPage(query, found as { total: number; rows: string })
}

/** The leads that indexes find for what was typed; null if these are too many to be sorted. */
async function matchedByPrefix(
  tx: TransactionSql,
  actor: Actor,
  query: LeadListQuery,
  { search, filters }: { search: SearchTerms; filters: Fragment },
): Promise<LeadPage | null> {
  const [found] = await tx`with matched as materialized (
      ${prefixMatches(tx, actor.account_id, search, maxByPrefix + 1)}
    ), collected as materialized (
      select ${sortColumns(tx)} from matched leads where ${filters}
    ), ${page(tx, query, tx`collected`)}
    select (select count(*)::int from matched) as matched, (select count(*)::int from collected) as total,
      ${rowsOf(tx, actor, query)}`
  return found!.matched > maxByPrefix ? null : countedPage(query, found as unknown as { total: number; rows: string })
}

async function scanned(
  tx: TransactionSql,
  actor: Actor,
  query: LeadListQuery,
  { conditions, total, capped }: { conditions: Fragment; total: number; capped: boolean },
): Promise<LeadPage> {
  const { limit, offset } = query
  const maxOffset = capped ? maxSearchOffset : maxScanOffset
  if (offset > maxOffset)
    throw invalid(
      msg`${{ field: 'offset' }} must be at most ${{ maxOffset }} here. Choose fewer leads by a filter.`,
      'offset',
    )
  const [found] = await tx`with ${page(tx, query, tx`leads where ${conditions}`)}
    select (select count(*)::int from ahead) as n, ${rowsOf(tx, actor, query)}`
  return { total, capped, has_more: capped ? found!.n > limit : offset + limit < total, rows: found!.rows }
}

function countedPage({ limit, offset }: LeadListQuery, { total, rows }: { total: number; rows: string }): LeadPage {
  return { total, capped: false, has_more: offset + limit < total, rows }
}

const sortColumns = (tx: TransactionSql) =>
  tx`id, created_at, updated_at, name_key, last_call_at, deal_paise, closed_at`

/** `page`, and one lead more in `ahead`, if there is one. */
function page(tx: TransactionSql, query: LeadListQuery, from: Fragment): Fragment {
  const { limit, offset } = query
  return tx`ahead as materialized (
    select id, row_number() over () as place
    from (select id from ${from} order by ${orderOf(tx, query)} limit ${limit + 1} offset ${offset}) ordered
  ), page as materialized (select * from ahead where place <= ${limit})`
}

/** Each order is one of an index, read forwards or backwards. Leads without a value are last, or first. */
export function orderOf(
  tx: TransactionSql,
  { sort, reverse, lastCall }: Pick<LeadListQuery, 'sort' | 'reverse' | 'lastCall'>,
): Fragment {
  // The same order among leads without a call, whose index begins with the last call.
  const by = sort === 'newest' && lastCall === null ? 'last_call' : sort
  const orders = {
    newest: ['created_at desc, id desc', 'created_at, id'],
    updated: ['updated_at desc, id desc', 'updated_at, id'],
    name: ['name_key, id', 'name_key desc, id desc'],
    last_call: ['last_call_at desc nulls last, created_at desc, id desc', 'last_call_at nulls first, created_at, id'],
    value: ['deal_paise desc nulls last, id desc', 'deal_paise nulls first, id'],
    closed: ['closed_at desc, id desc', 'closed_at, id'],
  } satisfies Record<LeadSort, [string, string]>
  return tx.unsafe(orders[by][reverse ? 1 : 0]!) as unknown as Fragment
}

function rowsOf(tx: TransactionSql, actor: Actor, query: LeadListQuery): Fragment {
  const whole = tx`(
    select leads.* from page join leads on leads.account_id = ${actor.account_id} and leads.id = page.id order by page.place
  ) page`
  return responseRows(tx, actor.account_id, whole, query)
}
