import type { PendingQuery, Row, TransactionSql } from 'postgres'
import { storable } from '../database/storable.ts'
import type { Pick, Warning } from './map-payload.ts'

export type Outcome = 'created' | 'merged' | 'rejected'

export interface Delivery {
  account_id: string
  id: string
  webhook_id: string
  received_at: Date
  address: string
  content_type: string | null
  /** As it was sent; null once it was removed with its lead. */
  body: Buffer | null
}

/** How a delivery ended. `error` says why it was refused. */
export interface Result {
  outcome: Outcome
  lead_id: string | null
  picks: Pick[]
  warnings: Warning[]
  error: string | null
}

export async function recordDelivery(tx: TransactionSql, delivery: Delivery, result: Result): Promise<void> {
  await tx`insert into deliveries (account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id,
      picks, warnings, error)
    values (${delivery.account_id}, ${delivery.id}, ${delivery.webhook_id}, ${delivery.received_at}, ${delivery.address},
      ${delivery.content_type}, ${delivery.body}, ${result.outcome}, ${result.lead_id}, ${tx.json(storable(result.picks) as never)},
      ${tx.json(storable(result.warnings) as never)}, ${result.error})`
}

/** A replay's result takes the place of the earlier one; a lead that the delivery made is still one that it made. */
export async function recordReplay(tx: TransactionSql, delivery: Delivery, result: Result): Promise<void> {
  await tx`update deliveries set picks = ${tx.json(storable(result.picks) as never)}, warnings = ${tx.json(storable(result.warnings) as never)},
      error = ${result.error}, lead_id = ${result.lead_id}, replayed_at = ${new Date()},
      outcome = case when outcome = 'created' and lead_id = ${result.lead_id} then outcome else ${result.outcome} end
    where account_id = ${delivery.account_id} and id = ${delivery.id}`
}

export async function findDelivery(
  tx: TransactionSql,
  accountId: string,
  id: string,
): Promise<(Delivery & Result & { replayed_at: Date | null }) | null> {
  const [row] = await tx<(Delivery & Result & { replayed_at: Date | null })[]>`
    select account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks, warnings, error,
      replayed_at
    from deliveries where account_id = ${accountId} and id = ${id}`
  return row ?? null
}

export async function newestDeliveries(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  limit: number,
): Promise<(Delivery & Result)[]> {
  return tx<(Delivery & Result)[]>`
    select account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks, warnings, error
    from deliveries where account_id = ${accountId} and webhook_id = ${webhookId}
    order by received_at desc, id desc limit ${limit}`
}

export interface ListedDelivery {
  id: string
  received_at: Date
  address: string
  outcome: Outcome
  lead_id: string | null
  name: string | null
  warnings: number
  error: string | null
  replayed_at: Date | null
}

/** A page of a webhook's deliveries, newest first, without their bodies. */
export function listDeliveries(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  { outcome, before, limit }: { outcome?: Outcome; before?: string; limit: number },
): Promise<ListedDelivery[]> {
  return tx<ListedDelivery[]>`
    select id, received_at, address, outcome, lead_id, jsonb_array_length(warnings) as warnings, error, replayed_at,
      jsonb_path_query_first(picks, '$[*] ? (@.field == "name").value') #>> '{}' as name
    from deliveries where account_id = ${accountId} and webhook_id = ${webhookId}
      ${outcome === undefined ? tx`` : outcome === 'rejected' ? tx`and outcome = 'rejected'` : tx`and outcome = ${outcome}`}
      ${before === undefined ? tx`` : tx`and ${isBeside(tx, accountId, before, tx`<`)}`}
    order by received_at desc, id desc limit ${limit}`
}

export interface DayOfDeliveries {
  webhook_id: string
  day: string
  created: number
  merged: number
  rejected: number
}

/** How many came on each IST day since that moment, of one webhook or of all. */
export function deliveriesByDay(
  tx: TransactionSql,
  accountId: string,
  since: Date,
  webhookId: string | null = null,
): Promise<DayOfDeliveries[]> {
  return tx<DayOfDeliveries[]>`
    select webhook_id, (midnight at time zone interval '05:30')::date::text as day, created, merged, rejected from (
      select webhook_id, date_bin('1 day', received_at, '2000-01-01T00:00:00+05:30') as midnight,
        (count(*) filter (where outcome = 'created'))::int as created,
        (count(*) filter (where outcome = 'merged'))::int as merged,
        (count(*) filter (where outcome = 'rejected'))::int as rejected
      from deliveries where account_id = ${accountId} and received_at >= ${since}
        ${webhookId === null ? tx`` : tx`and webhook_id = ${webhookId}`}
      group by 1, 2
    ) counted`
}

/** When each webhook of the account was last sent something, and how that ended. */
export function lastDeliveries(tx: TransactionSql, accountId: string) {
  return tx<{ webhook_id: string; received_at: Date; outcome: Outcome }[]>`
    select webhooks.id as webhook_id, last.received_at, last.outcome from webhooks, lateral (
      select received_at, outcome from deliveries
      where account_id = ${accountId} and webhook_id = webhooks.id order by received_at desc limit 1
    ) last where webhooks.account_id = ${accountId}`
}

/** Their ids, oldest first, after that one; without those whose bodies are gone. */
export async function refusedDeliveries(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await tx`select id from deliveries where account_id = ${accountId} and webhook_id = ${webhookId}
    and outcome = 'rejected' and body is not null ${after === null ? tx`` : tx`and ${isBeside(tx, accountId, after, tx`>`)}`}
    order by received_at, id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Before or after that delivery, in the order of their coming. */
function isBeside(tx: TransactionSql, accountId: string, id: string, sign: PendingQuery<Row[]>) {
  return tx`(received_at, id) ${sign}
    ((select received_at from deliveries where account_id = ${accountId} and id = ${id}), ${id}::uuid)`
}

export async function sweepDeliveries(tx: TransactionSql, accountId: string, before: Date): Promise<void> {
  await tx`delete from deliveries where account_id = ${accountId} and received_at < ${before}`
}
