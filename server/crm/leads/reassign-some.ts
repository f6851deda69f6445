import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { readCounts } from '../counts/read-counts.ts'
import { leadCounts } from '../counts/tables.ts'
import { leastLoaded } from './least-loaded.ts'
import { type Counted, countedOf, writeLeads } from './write-leads.ts'

export interface NewOwner {
  /** Null: unassigned. */
  id: string | null
  /** For the timelines of their leads. */
  summary: string
}

interface Reassigned {
  from: string
  /** Each lead goes to the one with the fewest open leads. */
  to: NewOwner[]
  /** Won and lost leads, too. */
  withClosed: boolean
  at: Date
  details: object
  limit: number
}

/** Gives the newest leads of a user that no other transaction holds to others, and returns how many. Nobody is notified. */
export async function reassignSome(
  tx: TransactionSql,
  actor: Actor,
  { from, to, withClosed, at, details, limit }: Reassigned,
): Promise<number> {
  const { account_id } = actor
  const leads = await tx<(Counted & { id: string; created_at: Date })[]>`
    select id, assigned_to, status, source, priority, created_at from leads
    where account_id = ${account_id} and assigned_to = ${from} ${onlyOpen(tx, withClosed)}
    order by created_at desc, id desc limit ${limit} for update skip locked`
  if (leads.length === 0) return 0
  const next = leastLoaded(to, await openLeadsOf(tx, account_id, to))
  const moved = leads.map((lead) => ({ lead, owner: next() }))
  const ids = leads.map(({ id }) => id)
  const owners = moved.map(({ owner }) => owner.id)
  await Promise.all([
    tx`update leads set assigned_to = moved.owner, first_assignee = coalesce(first_assignee, assigned_to), answer_start = null,
        updated_at = greatest(date_trunc('second', ${at}), updated_at + interval '1 second')
      from unnest(${ids}::uuid[], ${owners}::uuid[]) as moved (id, owner)
      where account_id = ${account_id} and leads.id = moved.id`,
    writeLeads(
      tx,
      actor,
      moved.map(({ lead, owner: { id, summary } }) => {
        const of = { at, kind: 'reassigned', summary, details: { ...details, to: id } } as const
        return { ...lead, assigned_to: id, before: countedOf(lead), ...of }
      }),
    ),
  ])
  return leads.length
}

export const isOpen = (tx: TransactionSql) => tx`status not in ('Won', 'Lost')`

export const onlyOpen = (tx: TransactionSql, withClosed: boolean) => (withClosed ? tx`` : tx`and ${isOpen(tx)}`)

/** Counts the open leads of each, from the daily counts. */
async function openLeadsOf(tx: TransactionSql, accountId: string, owners: NewOwner[]): Promise<Map<string, number>> {
  if (owners.length === 1) return new Map()
  const counts = readCounts(tx, leadCounts, {
    within: tx`account_id = ${accountId}`,
    where: {
      assigned_to: tx`assigned_to = any (${owners.map(({ id }) => id)}::uuid[])`,
      status: isOpen(tx),
    },
    by: ['assigned_to'],
  })
  const rows = await tx<
    { id: string; n: number }[]
  >`select assigned_to as id, sum(n)::int as n from ${counts} group by 1`
  return new Map(rows.map(({ id, n }) => [id, n]))
}
