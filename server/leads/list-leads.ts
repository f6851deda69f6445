import type { PendingQuery, Row, TransactionSql } from 'postgres'
import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { invalid } from '../http/problem.ts'
import { answeredRows } from './columns.ts'
import type { LeadSort } from './contract.ts'
import { countFiltered, filterConditions, type LeadFilters } from './lead-filters.ts'
import { matchesSearch, prefixMatches } from './match-search.ts'
import { newestLeads } from './newest-leads.ts'
import type { SearchTerms } from './search-terms.ts'

export interface LeadListQuery extends LeadFilters {
  sort: LeadSort
  limit: number
  offset: number
  /** Notes can be long, and lists on screen do not show them. */
  withoutNotes?: boolean
}

export interface LeadPage {
  total: number
  /** The total is a lower bound: the matches were not counted. */
  capped: boolean
  has_more: boolean
  /** JSON as PostgreSQL wrote it. */
  rows: string
}

/** So many leads are collected and sorted. With more of them, a scan in the order of the list soon fills a page. */
const mostSorted = 10_000
/** A scan to a deep page is long: for each lead that it would skip, so many more are sorted instead. */
const sortedPerSkipped = 4
/** One user's leads are stored together, and are few of all those that match a prefix. */
const mostSortedOfOneUser = 40_000
const mostByPrefix = 5000
/** Scans end here: filters lead to what is further on. */
const furthestScan = 10_000
const furthestSearch = 2000

/**
 * Returns a page of the leads that an actor sees, for the API and the web app. Newest first needs only the daily counts.
 * Other lists ask the counts how many leads the filters leave: few are collected, by their filters or by what was typed,
 * and sorted; many are scanned in order.
 */
export async function listLeads(database: Database, actor: Actor, query: LeadListQuery): Promise<LeadPage> {
  const { assignee, search, sort, limit, offset } = query
  if (sort === 'newest' && !search && assignee !== null && assignee !== 'nobody') {
    const { total, rows } = await database.read(actor, (sql) => newestLeads(sql, actor, { ...query, assignee }))
    return { total, rows, capped: false, has_more: offset + limit < total }
  }
  return readAsActor(database, actor, async (tx) => {
    // How many leads a filter or a prefix leaves differs too much for one plan.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const filters = filterConditions(tx, actor, query)
    const filtered = await countFiltered(tx, actor, query)
    const found = search ? tx`and ${matchesSearch(tx, search)}` : tx``
    if (filtered <= mostToSort(actor, query))
      return sorted(tx, actor, query, tx`select * from leads where ${filters} ${found}`)
    if (!search) return scanned(tx, actor, query, { conditions: filters, total: filtered, capped: false })
    return (
      (await matchedByPrefix(tx, actor, query, { search, filters })) ??
      (await scanned(tx, actor, query, { conditions: tx`${filters} ${found}`, total: mostByPrefix, capped: true }))
    )
  })
}

function mostToSort(actor: Actor, { search, assignee, offset }: LeadListQuery): number {
  const isOfOneUser = assignee !== undefined || (actor.sees !== 'all' && actor.sees.length === 1)
  if (search) return isOfOneUser ? mostSortedOfOneUser : mostSorted
  return offset > furthestScan ? mostSorted : mostSorted + sortedPerSkipped * offset
}

type Fragment = PendingQuery<Row[]>

async function sorted(tx: TransactionSql, actor: Actor, query: LeadListQuery, leads: Fragment): Promise<LeadPage> {
  const [found] = await tx`with collected as materialized (
      select id, created_at, updated_at, name_key from (${leads}) leads
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
      ${prefixMatches(tx, actor.account_id, search, mostByPrefix + 1)}
    ), collected as materialized (
      select id, created_at, updated_at, name_key from matched leads where ${filters}
    ), ${page(tx, query, tx`collected`)}
    select (select count(*)::int from matched) as matched, (select count(*)::int from collected) as total,
      ${rowsOf(tx, actor, query)}`
  return found!.matched > mostByPrefix ? null : countedPage(query, found as unknown as { total: number; rows: string })
}

async function scanned(
  tx: TransactionSql,
  actor: Actor,
  query: LeadListQuery,
  { conditions, total, capped }: { conditions: Fragment; total: number; capped: boolean },
): Promise<LeadPage> {
  const { limit, offset } = query
  const furthest = capped ? furthestSearch : furthestScan
  if (offset > furthest)
    throw invalid(`offset must be at most ${furthest} here. Choose fewer leads by a filter.`, 'offset')
  const [found] = await tx`with ${page(tx, query, tx`leads where ${conditions}`)}
    select (select count(*)::int from page) as n, ${rowsOf(tx, actor, query)}`
  return { total, capped, has_more: capped ? found!.n === limit : offset + limit < total, rows: found!.rows }
}

function countedPage({ limit, offset }: LeadListQuery, { total, rows }: { total: number; rows: string }): LeadPage {
  return { total, capped: false, has_more: offset + limit < total, rows }
}

function page(tx: TransactionSql, { sort, limit, offset }: LeadListQuery, from: Fragment): Fragment {
  const orders = {
    newest: tx`created_at desc, id desc`,
    updated: tx`updated_at desc, id desc`,
    name: tx`name_key, id`,
  }
  return tx`page as materialized (
    select id, row_number() over () as place
    from (select id from ${from} order by ${orders[sort]} limit ${limit} offset ${offset}) ordered
  )`
}

function rowsOf(tx: TransactionSql, actor: Actor, query: LeadListQuery): Fragment {
  const whole = tx`(
    select leads.*, page.place from page join leads on leads.account_id = ${actor.account_id} and leads.id = page.id
  ) page`
  return answeredRows(tx, whole, tx`page.place`, query)
}
