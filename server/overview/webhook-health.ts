import type { TransactionSql } from 'postgres'
import type { DateWindow } from '../http/date-window.ts'

interface RefusedDeliveries {
  webhook_id: string
  name: string
  refused: number
  newest_at: Date
}

/** Refused deliveries that still wait to be mended, by webhook, the newest first. */
export async function refusedByWebhook(
  tx: TransactionSql,
  accountId: string,
  { first_day, last_day, until }: DateWindow,
) {
  return tx<RefusedDeliveries[]>`
    select webhooks.id as webhook_id, webhooks.name, counted.refused, newest.received_at as newest_at from (
      select webhook_id, sum(n)::int as refused from delivery_counts
      where account_id = ${accountId} and outcome = 'rejected' and day between ${first_day} and ${last_day}
      group by webhook_id having sum(n) > 0
    ) counted join webhooks on webhooks.account_id = ${accountId} and webhooks.id = counted.webhook_id
      cross join lateral (
        select received_at from deliveries
        where account_id = ${accountId} and webhook_id = webhooks.id and outcome = 'rejected' and received_at < ${until}
        order by received_at desc limit 1
      ) newest
    order by newest.received_at desc`
}

export interface Rhythm {
  webhook_id: string
  name: string
  last_at: Date
  /** Deliveries of the two weeks before the last one, it included; counted up to a thousand. */
  lately: number
}

/** When each enabled webhook last heard from its platform, and how often it did before. */
export async function rhythms(tx: TransactionSql, accountId: string) {
  return tx<Rhythm[]>`
    select webhooks.id as webhook_id, webhooks.name, newest.received_at as last_at, (
        select count(*)::int from (
          select from deliveries where account_id = ${accountId} and webhook_id = webhooks.id
            and received_at > newest.received_at - interval '14 days' limit 1000
        ) few
      ) as lately
    from webhooks cross join lateral (
      select received_at from deliveries where account_id = ${accountId} and webhook_id = webhooks.id
      order by received_at desc limit 1
    ) newest
    where webhooks.account_id = ${accountId} and webhooks.enabled`
}
