import type { TransactionSql } from 'postgres'
import { anySlot } from '../leads/counts.ts'
import type { Delivery, Outcome } from './deliveries.ts'

/** Adds `n` deliveries (or takes away, below zero) of the IST day on which they came. */
export async function countDeliveries(
  tx: TransactionSql,
  { account_id, webhook_id }: Pick<Delivery, 'account_id' | 'webhook_id'>,
  day: string,
  outcome: Outcome,
  n: number,
): Promise<void> {
  await tx`insert into delivery_counts (account_id, webhook_id, day, outcome, slot, n)
    values (${account_id}, ${webhook_id}, ${day}, ${outcome}, ${anySlot()}, ${n})
    on conflict (account_id, webhook_id, day, outcome, slot) do update set n = delivery_counts.n + excluded.n`
}

export interface DayOfDeliveries {
  webhook_id: string
  day: string
  created: number
  merged: number
  rejected: number
}

/** How many are there of each IST day since that one, of one webhook or of all. */
export function deliveriesByDay(
  tx: TransactionSql,
  accountId: string,
  firstDay: string,
  webhookId: string | null,
): Promise<DayOfDeliveries[]> {
  return tx<DayOfDeliveries[]>`
    select webhook_id, day::text,
      coalesce(sum(n) filter (where outcome = 'created'), 0)::int as created,
      coalesce(sum(n) filter (where outcome in ('merged', 'duplicate')), 0)::int as merged,
      coalesce(sum(n) filter (where outcome = 'rejected'), 0)::int as rejected
    from delivery_counts where account_id = ${accountId} and day >= ${firstDay}
      ${webhookId === null ? tx`` : tx`and webhook_id = ${webhookId}`}
    group by webhook_id, day`
}
