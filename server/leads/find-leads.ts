import type { PendingQuery, Row, TransactionSql } from 'postgres'
import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { DateWindow } from '../http/date-window.ts'
import { invalid } from '../http/problem.ts'
import { answeredColumns } from './columns.ts'
import type { LeadPriority, LeadSort, LeadStatus } from './contract.ts'
import { nobody } from './counts.ts'
import { beginnings, matches } from './match-search.ts'
import type { SearchTerms } from './search-terms.ts'
import { listLeads } from './store.ts'

export interface LeadFilters {
  window: DateWindow
  status?: LeadStatus | undefined
  source?: string | undefined
  priority?: LeadPriority | undefined
  /** A person of the account, or nobody; null for one who is none. */
  assignee?: { id: string; email: string } | 'nobody' | null | undefined
  search: SearchTerms | null
}

export interface LeadWish extends LeadFilters {
  sort: LeadSort
  limit: number
  offset: number
}

export interface FoundLeads {
  total: number
  /** There are at least `total`, and nobody has counted them. */
  capped: boolean
  has_more: boolean
  /** JSON as PostgreSQL wrote it. */
  rows: string
}

/** So many leads are gathered and sorted. Where there are more, a page is soon met on a walk in the order wished. */
const mostGathered = 10_000
/** The walk to a deep page is long: for each lead that it would skip, so many more are rather gathered. */
const gatheredPerSkipped = 4
/** One person's leads lie together, and are few among what everybody's begin with. */
const mostOfOnePerson = 40_000
const mostBegun = 5000
/** Walks end here: whoever wants what is further on has a filter. */
const furthestWalk = 10_000
const furthestSearch = 2000

/**
 * A page of the leads that an actor sees, for the web app. The daily counts say how many the filters leave: few are
 * gathered by their filters, or by what was typed, and sorted; many are walked in order.
 */
export async function findLeads(database: Database, actor: Actor, wish: LeadWish): Promise<FoundLeads> {
  const { assignee, search, sort, limit, offset, ...filter } = wish
  if (sort === 'newest' && !search && assignee !== null && assignee !== 'nobody') {
    const whose = { ...filter, assigned_to: assignee?.email, limit, offset, withoutNotes: true }
    const { total, rows } = await database.read(actor, (sql) => listLeads(sql, actor, whose))
    return { total, rows, capped: false, has_more: offset + limit < total }
  }
  return readAsActor(database, actor, async (tx) => {
    // How many leads a filter or the beginning of a word leaves differs too much for one plan.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const filters = filtersOf(tx, actor, wish)
    const filtered = await countFiltered(tx, actor, wish)
    const found = search ? tx`and ${matches(tx, search)}` : tx``
    if (filtered <= gatherable(actor, wish))
      return gathered(tx, actor, wish, tx`select * from leads where ${filters} ${found}`)
    if (!search) return walked(tx, actor, wish, filters, { total: filtered, capped: false })
    return (
      (await begun(tx, actor, wish, search, filters)) ??
      (await walked(tx, actor, wish, tx`${filters} ${found}`, { total: mostBegun, capped: true }))
    )
  })
}

function gatherable(actor: Actor, { search, assignee, offset }: LeadWish): number {
  const ofOnePerson = assignee !== undefined || (actor.sees !== 'all' && actor.sees.length === 1)
  if (search) return ofOnePerson ? mostOfOnePerson : mostGathered
  return offset > furthestWalk ? mostGathered : mostGathered + gatheredPerSkipped * offset
}

type Fragment = PendingQuery<Row[]>

/** Conditions on `leads`. Whom the actor sees is named for the plan; the policy is the wall. */
export function filtersOf(tx: TransactionSql, actor: Actor, wish: LeadFilters): Fragment {
  const { window, status, source, priority, assignee } = wish
  return tx`leads.account_id = ${actor.account_id} and leads.created_at >= ${window.from}
    and leads.created_at < ${window.until}
    ${status ? tx`and leads.status = ${status}` : tx``} ${source ? tx`and leads.source = ${source}` : tx``}
    ${priority ? tx`and leads.priority = ${priority}` : tx``}
    ${assignee === 'nobody' ? tx`and assigned_to is null` : whose(tx, actor, assignee)}`
}

function whose(tx: TransactionSql, actor: Actor, assignee: { id: string } | null | undefined): Fragment {
  if (assignee === null) return tx`and false`
  if (assignee) return tx`and assigned_to = ${assignee.id}`
  return actor.sees === 'all' ? tx`` : tx`and assigned_to = any (${actor.sees as string[]}::uuid[])`
}

async function countFiltered(tx: TransactionSql, actor: Actor, wish: LeadFilters): Promise<number> {
  const { window, status, source, priority, assignee } = wish
  const fine = status !== undefined || source !== undefined || priority !== undefined
  const [counted] = await tx`select coalesce(sum(n), 0)::int as n from ${fine ? tx`lead_counts` : tx`lead_day_counts`}
    where account_id = ${actor.account_id} and day between ${window.first_day} and ${window.last_day}
      ${status ? tx`and status = ${status}` : tx``} ${source ? tx`and source = ${source}` : tx``}
      ${priority ? tx`and priority = ${priority}` : tx``}
      ${whose(tx, actor, assignee === 'nobody' ? { id: nobody } : assignee)}`
  return counted!.n
}

async function gathered(tx: TransactionSql, actor: Actor, wish: LeadWish, leads: Fragment): Promise<FoundLeads> {
  const [found] = await tx`with gathered as materialized (
      select id, created_at, updated_at, name_key from (${leads}) leads
    ), ${page(tx, wish, tx`gathered`)}
    select (select count(*)::int from gathered) as total, ${rowsOf(tx, actor)}`
  return counted(wish, found as { total: number; rows: string })
}

/** Those that the indexes find for what was typed; null where these are too many to be gathered. */
async function begun(
  tx: TransactionSql,
  actor: Actor,
  wish: LeadWish,
  search: SearchTerms,
  filters: Fragment,
): Promise<FoundLeads | null> {
  const [found] = await tx`with begun as materialized (${beginnings(tx, actor.account_id, search, mostBegun + 1)}),
    gathered as materialized (
      select id, created_at, updated_at, name_key from begun leads where ${filters}
    ), ${page(tx, wish, tx`gathered`)}
    select (select count(*)::int from begun) as begun, (select count(*)::int from gathered) as total,
      ${rowsOf(tx, actor)}`
  return found!.begun > mostBegun ? null : counted(wish, found as unknown as { total: number; rows: string })
}

async function walked(
  tx: TransactionSql,
  actor: Actor,
  wish: LeadWish,
  conditions: Fragment,
  { total, capped }: { total: number; capped: boolean },
): Promise<FoundLeads> {
  const { limit, offset } = wish
  const furthest = capped ? furthestSearch : furthestWalk
  if (offset > furthest)
    throw invalid(`offset must be at most ${furthest} here. Choose fewer leads by a filter.`, 'offset')
  const [found] = await tx`with ${page(tx, wish, tx`leads where ${conditions}`)}
    select (select count(*)::int from page) as n, ${rowsOf(tx, actor)}`
  return { total, capped, has_more: capped ? found!.n === limit : offset + limit < total, rows: found!.rows }
}

function counted({ limit, offset }: LeadWish, { total, rows }: { total: number; rows: string }): FoundLeads {
  return { total, capped: false, has_more: offset + limit < total, rows }
}

function page(tx: TransactionSql, { sort, limit, offset }: LeadWish, from: Fragment): Fragment {
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

function rowsOf(tx: TransactionSql, actor: Actor): Fragment {
  return tx`(select coalesce(json_agg(lead), '[]')::text from (
      select ${answeredColumns(tx, { withoutNotes: true })}
      from (
        select leads.*, page.place from page join leads on leads.account_id = ${actor.account_id} and leads.id = page.id
      ) page left join users on users.account_id = page.account_id and users.id = page.assigned_to
      order by page.place
    ) lead) as rows`
}
