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
  await tx`insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
    values (${accountId}, ${istDay(createdAt)}, ${lead.status}, ${lead.source}, ${lead.priority},
      ${lead.assigned_to ?? nobody}, ${anySlot()}, ${n})
    on conflict (account_id, day, status, source, priority, assigned_to, slot)
    do update set n = lead_counts.n + excluded.n`
}

export function countsAlike(one: Counted, other: Counted): boolean {
  return (['status', 'source', 'priority', 'assigned_to'] as const).every((field) => one[field] === other[field])
}
