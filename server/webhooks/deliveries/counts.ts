import type { TransactionSql } from 'postgres'
import { istDay } from '../../http/date-window.ts'
import { nextSlot } from '../../leads/counts.ts'
import type { DeliveryOutcome } from '../contract.ts'
import type { Delivery } from './delivery.ts'

interface DeliveryCount {
  webhook_id: string
  /** The IST day on which they were received. */
  day: string
  outcome: DeliveryOutcome
  /** Negative for those that are subtracted. */
  n: number
}

export const countOf = ({ webhook_id, received_at }: Delivery, outcome: DeliveryOutcome, n: number): DeliveryCount => ({
  webhook_id,
  day: istDay(received_at),
  outcome,
  n,
})

/** Writes the counts in one slot and in the order of their keys, so that two transactions cannot deadlock. */
export async function countDeliveries(tx: TransactionSql, accountId: string, counts: DeliveryCount[]): Promise<void> {
  await tx`insert into delivery_counts (account_id, webhook_id, day, outcome, slot, n)
    select ${accountId}, webhook_id, day, outcome, ${nextSlot()}, sum(n)
    from jsonb_to_recordset(${tx.json(counts as never)}) as counted (webhook_id uuid, day date, outcome text, n bigint)
    group by 2, 3, 4 order by 2, 3, 4
    on conflict (account_id, webhook_id, day, outcome, slot) do update set n = delivery_counts.n + excluded.n returning 1`
}

export interface DayOfDeliveries {
  webhook_id: string
  day: string
  created: number
  merged: number
  rejected: number
  ignored: number
}

/** Returns the counts of each IST day since that one, of one webhook or of all. */
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
      coalesce(sum(n) filter (where outcome = 'rejected'), 0)::int as rejected,
      coalesce(sum(n) filter (where outcome = 'ignored'), 0)::int as ignored
    from delivery_counts where account_id = ${accountId} and day >= ${firstDay}
      ${webhookId === null ? tx`` : tx`and webhook_id = ${webhookId}`}
    group by webhook_id, day`
}

/**
 * Counts the ignored deliveries since that IST day that need attention: all of a webhook that never made a lead, else
 * those with a possible contact, up to a thousand.
 */
export function ignoredNeedingAttention(
  tx: TransactionSql,
  accountId: string,
  firstDay: string,
  webhookId: string | null,
) {
  return tx<{ webhook_id: string; ignored: number }[]>`
    select webhooks.id as webhook_id, case
      when exists (
        select from delivery_counts where account_id = ${accountId} and webhook_id = webhooks.id
          and outcome in ('created', 'merged') and n > 0
      ) then (
        select count(*) from (
          select from deliveries where account_id = ${accountId} and webhook_id = webhooks.id and attention
            and received_at >= ${firstDay}::date - interval '05:30' limit 1000
        ) few
      ) else (
        select coalesce(sum(n), 0) from delivery_counts where account_id = ${accountId} and webhook_id = webhooks.id
          and outcome = 'ignored' and day >= ${firstDay}
      ) end::int as ignored
    from webhooks where account_id = ${accountId} ${webhookId === null ? tx`` : tx`and id = ${webhookId}`}`
}
