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

/**
 * Puts the slots of a finished day together and drops what came to nothing, so that the counts stay as few as there
 * are kinds of lead. Rows that a writer is changing just now are left for the next time.
 */
export async function foldCounts(tx: TransactionSql, accountId: string, now: Date): Promise<void> {
  const rows =
    await tx`delete from lead_counts where (account_id, day, status, source, priority, assigned_to, slot) in (
      select account_id, day, status, source, priority, assigned_to, slot from lead_counts
      where account_id = ${accountId} and day < ${istDay(now)} and (slot > 0 or n = 0) for update skip locked limit 20000
    ) and account_id = ${accountId} returning day::text, status, source, priority, assigned_to, n`
  for (const row of rows.filter(({ n }) => n !== '0')) {
    await tx`insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
      values (${accountId}, ${row.day}, ${row.status}, ${row.source}, ${row.priority}, ${row.assigned_to}, 0, ${row.n})
      on conflict (account_id, day, status, source, priority, assigned_to, slot)
      do update set n = lead_counts.n + excluded.n`
  }
}
