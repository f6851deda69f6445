import type { TransactionSql } from 'postgres'
import { istDay } from '../http/date-window.ts'
import type { LeadFields } from './merge-lead.ts'

/** Stands for nobody in the counts, whose key columns cannot be null. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** Spreads writers of the same count over several rows, so that they do not wait for each other. */
export const anySlot = () => Math.floor(Math.random() * 8)

type Counted = Pick<LeadFields, 'status' | 'source' | 'priority' | 'assigned_to'>

/** Adds `n` leads (or takes away, below zero) of the day that `createdAt` falls on. */
export async function countLead(tx: TransactionSql, accountId: string, createdAt: Date, lead: Counted, n: 1 | -1) {
  await tx`select count_leads(${accountId}, ${istDay(createdAt)}, ${lead.status}, ${lead.source}, ${lead.priority},
    ${lead.assigned_to}, ${anySlot()}, ${n})`
}

export function countsAlike(one: Counted, other: Counted): boolean {
  return (['status', 'source', 'priority', 'assigned_to'] as const).every((field) => one[field] === other[field])
}

const counts = [
  { table: 'lead_counts', key: ['account_id', 'day', 'status', 'source', 'priority', 'assigned_to', 'slot'] },
  { table: 'lead_day_counts', key: ['account_id', 'day', 'assigned_to', 'slot'] },
  { table: 'call_counts', key: ['account_id', 'day', 'call_type', 'assigned_to', 'slot'] },
  { table: 'delivery_counts', key: ['account_id', 'webhook_id', 'day', 'outcome', 'slot'] },
]

/**
 * Puts the slots of finished days together and drops what came to nothing, so that the counts stay as few as there are
 * kinds of lead, of call and of delivery. Rows that a writer is changing just now are left for the next time.
 */
export async function foldCounts(tx: TransactionSql, accountId: string, now: Date): Promise<void> {
  for (const { table, key } of counts) {
    const rows = await tx`delete from ${tx(table)} where account_id = ${accountId} and (${tx(key)}) in (
        select ${tx(key)} from ${tx(table)}
        where account_id = ${accountId} and day < ${istDay(now)} and (slot > 0 or n = 0)
        for update skip locked limit 20000
      ) returning *, day::text`
    for (const row of rows.filter(({ n }) => n !== '0')) {
      const folded: Record<string, never> = { ...row, slot: 0 as never }
      await tx`insert into ${tx(table)} ${tx(folded, [...key, 'n'])}
        on conflict (${tx(key)}) do update set n = ${tx(table)}.n + excluded.n`
    }
  }
}
