import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { type Counted, countedOf, writeLeads } from './write-leads.ts'

export interface NewOwner {
  /** Null: unassigned. */
  id: string | null
  /** For the timelines of their leads. */
  summary: string
}

interface Reassigned {
  from: string
  /** They get the leads in turn. */
  to: NewOwner[]
  /** How many they got already. */
  moved: number
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
  { from, to, moved: before, withClosed, at, details, limit }: Reassigned,
): Promise<number> {
  const { account_id } = actor
  const leads = await tx<(Counted & { id: string; created_at: Date })[]>`
    select id, assigned_to, status, source, priority, created_at from leads
    where account_id = ${account_id} and assigned_to = ${from} ${onlyOpen(tx, withClosed)}
    order by created_at desc, id desc limit ${limit} for update skip locked`
  if (leads.length === 0) return 0
  const moved = leads.map((lead, n) => ({ lead, owner: to[(before + n) % to.length]! }))
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
