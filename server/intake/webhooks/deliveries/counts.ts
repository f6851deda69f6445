import { readCounts } from '../../../crm/counts/read-counts.ts'
import { deliveryCounts } from '../../../crm/counts/tables.ts'
import type { Statement, TransactionSql } from '../../../platform/database/sql.ts'

export interface DayOfDeliveries {
  webhook_id: string
  day: string
  created: number
  merged: number
  rejected: number
  ignored: number
  waiting: number
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
      coalesce(sum(n) filter (where outcome = 'ignored'), 0)::int as ignored,
      coalesce(sum(n) filter (where outcome = 'waiting'), 0)::int as waiting
    from ${readCounts(tx, deliveryCounts, {
      within: tx`account_id = ${accountId} and day >= ${firstDay}`,
      where: { webhook_id: webhookId === null ? undefined : tx`webhook_id = ${webhookId}` },
      by: ['webhook_id', 'outcome'],
    })} group by webhook_id, day`
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
        select from ${ofWebhook(tx, accountId, tx`outcome in ('created', 'merged')`)} having sum(n) > 0
      ) then (
        select count(*) from (
          select from deliveries where account_id = ${accountId} and webhook_id = webhooks.id and attention
            and received_at >= ${firstDay}::date - interval '05:30' limit 1000
        ) few
      ) else (
        select coalesce(sum(n), 0) from ${ofWebhook(tx, accountId, tx`outcome = 'ignored' and day >= ${firstDay}`)}
      ) end::int as ignored
    from webhooks where account_id = ${accountId} ${webhookId === null ? tx`` : tx`and id = ${webhookId}`}`
}

/** Counts of deliveries of the webhook in `webhooks`, as an item of FROM. `outcome` is a condition. */
export function ofWebhook(tx: TransactionSql, accountId: string, outcome: Statement): Statement {
  const within = tx`account_id = ${accountId}`
  return readCounts(tx, deliveryCounts, { within, where: { webhook_id: tx`webhook_id = webhooks.id`, outcome } })
}
