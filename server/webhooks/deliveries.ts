import type { TransactionSql } from 'postgres'
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
): Promise<(Delivery & Result) | null> {
  const [row] = await tx<(Delivery & Result)[]>`
    select account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks, warnings, error
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

/** Their ids, oldest first; without those whose bodies are gone. */
export async function refusedDeliveries(tx: TransactionSql, accountId: string, webhookId: string): Promise<string[]> {
  const rows = await tx`select id from deliveries where account_id = ${accountId} and webhook_id = ${webhookId}
    and outcome = 'rejected' and body is not null order by received_at, id`
  return rows.map(({ id }) => id)
}

export async function sweepDeliveries(tx: TransactionSql, accountId: string, before: Date): Promise<void> {
  await tx`delete from deliveries where account_id = ${accountId} and received_at < ${before}`
}
