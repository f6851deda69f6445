import { readCounts } from '../../crm/counts/read-counts.ts'
import { deliveryCounts } from '../../crm/counts/tables.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import type { MappedField } from '../payload/contract.ts'
import { ofWebhook } from './deliveries/counts.ts'

interface RejectedDeliveries {
  webhook_id: string
  name: string
  rejected: number
  newest_at: Date
}

/** Counts rejected deliveries that were not replayed yet, by webhook, the newest first. */
export async function rejectedByWebhook(
  tx: TransactionSql,
  accountId: string,
  { first_day, last_day, until }: DateWindow,
) {
  return tx<RejectedDeliveries[]>`
    select webhooks.id as webhook_id, webhooks.name, counted.rejected, newest.received_at as newest_at from (
      select webhook_id, sum(n)::int as rejected from ${readCounts(tx, deliveryCounts, {
        within: tx`account_id = ${accountId} and day between ${first_day} and ${last_day}`,
        where: { outcome: tx`outcome = 'rejected'` },
        by: ['webhook_id'],
      })} group by webhook_id having sum(n) > 0
    ) counted join webhooks on webhooks.account_id = ${accountId} and webhooks.id = counted.webhook_id
      cross join lateral (
        select received_at from deliveries
        where account_id = ${accountId} and webhook_id = webhooks.id and outcome = 'rejected' and received_at < ${until}
        order by received_at desc limit 1
      ) newest
    order by newest.received_at desc`
}

interface IgnoredDeliveries {
  webhook_id: string
  name: string
  ignored: number
  newest_at: Date
  has_made_lead: boolean
}

/**
 * Counts ignored deliveries that need attention, the newest first: those with a possible phone or email, up to a
 * thousand per webhook, and all of a webhook that never created a lead.
 */
export async function ignoredByWebhook(
  tx: TransactionSql,
  accountId: string,
  { first_day, last_day, from, until }: DateWindow,
) {
  return tx<IgnoredDeliveries[]>`
    select webhooks.id as webhook_id, webhooks.name, found.ignored, found.newest_at, made.a_lead as has_made_lead
    from webhooks cross join lateral (
      select exists (
        select from ${ofWebhook(tx, accountId, tx`outcome in ('created', 'merged')`)} having sum(n) > 0
      ) as a_lead
    ) made cross join lateral (
      select count(*)::int as ignored, max(received_at) as newest_at from (
        select received_at from deliveries where account_id = ${accountId} and webhook_id = webhooks.id and attention
          and received_at >= ${from} and received_at < ${until} order by received_at desc limit 1000
      ) few where made.a_lead
      union all
      select (
        select coalesce(sum(n), 0)::int
        from ${ofWebhook(tx, accountId, tx`outcome = 'ignored' and day between ${first_day} and ${last_day}`)}
      ), (
        select received_at from deliveries where account_id = ${accountId} and webhook_id = webhooks.id
          and outcome = 'ignored' and received_at < ${until} order by received_at desc limit 1
      ) where not made.a_lead
    ) found
    where webhooks.account_id = ${accountId} and found.ignored > 0 and found.newest_at is not null
    order by found.newest_at desc`
}

interface CutDeliveries {
  webhook_id: string
  name: string
  /** Only their beginning was saved. */
  cut: number
  /** Only counted. */
  dropped: number
}

/** Counts deliveries that were cut or only counted because a storage quota was used up, the most first. */
export async function cutByWebhook(tx: TransactionSql, accountId: string, { first_day, last_day }: DateWindow) {
  return tx<CutDeliveries[]>`
    select webhooks.id as webhook_id, webhooks.name, stored.cut, stored.dropped from (
      select webhook_id, sum(cut)::int as cut, sum(dropped)::int as dropped from webhook_storage
      where account_id = ${accountId} and day between ${first_day} and ${last_day} and kind <> 'lost' group by webhook_id
      having sum(cut + dropped) > 0
    ) stored join webhooks on webhooks.account_id = ${accountId} and webhooks.id = stored.webhook_id
    order by stored.cut + stored.dropped desc, webhooks.name`
}

/** Finds webhooks whose first delivery has unsure fields, until a user saves or confirms their mapping. */
export async function unsureWebhooks(tx: TransactionSql, accountId: string) {
  return tx<{ webhook_id: string; name: string; fields: MappedField[] }[]>`
    select id as webhook_id, name, array(
        select match ->> 'field' from jsonb_array_elements(proposal) match where match ->> 'confidence' in ('unsure', 'suggested')
      ) as fields
    from webhooks where account_id = ${accountId} and enabled and not mapping_checked
      and (proposal @> '[{"confidence": "unsure"}]' or proposal @> '[{"confidence": "suggested"}]')
    order by created_at desc, id`
}

export interface DeliveryFrequency {
  webhook_id: string
  name: string
  last_at: Date
  /** Deliveries in the two weeks up to the last one, counted up to a thousand. */
  recent: number
}

/** Reads the last delivery of each enabled webhook, and how many there were in the two weeks before. */
export async function deliveryFrequencies(tx: TransactionSql, accountId: string) {
  return tx<DeliveryFrequency[]>`
    select webhooks.id as webhook_id, webhooks.name, newest.received_at as last_at, (
        select count(*)::int from (
          select from deliveries where account_id = ${accountId} and webhook_id = webhooks.id
            and received_at > newest.received_at - interval '14 days' limit 1000
        ) few
      ) as recent
    from webhooks cross join lateral (
      select received_at from deliveries where account_id = ${accountId} and webhook_id = webhooks.id
      order by received_at desc limit 1
    ) newest
    where webhooks.account_id = ${accountId} and webhooks.enabled`
}
