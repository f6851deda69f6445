import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { type Counted, countedOf, writeLeads } from './write-leads.ts'

interface Reassigned {
  from: string
  /** Null: unassigned. */
  to: string | null
  at: Date
  /** For their timelines. */
  summary: string
  details: object
  limit: number
}

/** Gives the newest leads of a user that no other transaction holds to another one, and returns how many. Nobody is notified. */
export async function reassignSome(
  tx: TransactionSql,
  actor: Actor,
  { from, to, at, summary, details, limit }: Reassigned,
): Promise<number> {
  const { account_id } = actor
  const leads = await tx<(Counted & { id: string; created_at: Date })[]>`
    select id, assigned_to, status, source, priority, created_at from leads
    where account_id = ${account_id} and assigned_to = ${from}
    order by created_at desc, id desc limit ${limit} for update skip locked`
  if (leads.length === 0) return 0
  await Promise.all([
    tx`update leads set assigned_to = ${to}, answer_start = null,
        updated_at = greatest(date_trunc('second', ${at}), updated_at + interval '1 second')
      where account_id = ${account_id} and id = any (${leads.map(({ id }) => id)}::uuid[])`,
    writeLeads(
      tx,
      actor,
      leads.map((lead) => {
        return { ...lead, assigned_to: to, before: countedOf(lead), at, kind: 'reassigned', summary, details }
      }),
    ),
  ])
  return leads.length
}
