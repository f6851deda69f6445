import type { PhoneCall } from '../../calls/phone-calls.ts'
import type { Actor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import type { TransactionSql } from '../../database/sql.ts'
import type { FieldMatch, Warning } from '../../payload/contract.ts'
import type { DeliveryOutcome, RecordCounts } from '../contract.ts'
import type { Webhook } from '../store.ts'
import type { Challenge } from './handshake.ts'

/** Returns the actor of a webhook: it sees the whole account and is no user. */
export function webhookActor(webhook: Webhook): Actor {
  return { account_id: webhook.account_id, user_id: null, sees: 'all', via: 'webhook', via_id: webhook.id }
}

/** One call of a webhook. */
export interface Delivery {
  account_id: string
  id: string
  webhook_id: string
  received_at: Date
  /** The sender's IP. */
  address: string
  content_type: string | null
  /** As it was sent; null once it was removed with its lead. */
  body: Buffer | null
  /** Of a record of a batch: the same when the whole request is repeated. */
  repeat_id?: string | null
  /** Set where only the beginning was stored. */
  body_size?: number | null
  /** Then of the whole body, and of one that was answered 503, so that its repetition is recognised. */
  body_hash?: Buffer | null
  /** While it waits: when the service tries again. */
  finish_at?: Date | null
}

/** How a delivery ended. `error` says why it made no lead. */
export interface Result {
  outcome: DeliveryOutcome
  lead_id: string | null
  picks: FieldMatch[]
  warnings: Warning[]
  error: string | null
  /** The contact keys that the delivery contains. */
  contacts: string[]
  /** Ignored, but with a possible phone or email: an Admin should look at it. */
  attention?: boolean
}

/** Records how a delivery ended, in the transaction that saves it. */
export type Recorder = (tx: TransactionSql, delivery: Delivery, result: Result) => Promise<void>

export interface DeliveryContext<Of extends Delivery = Delivery> {
  database: Database
  webhook: Webhook
  delivery: Of
}

/** A delivery that was recorded before, with the lead that it made then. */
export type RecordedDelivery = Delivery & Pick<Result, 'lead_id'>

export interface ProcessedDelivery {
  outcome: Exclude<DeliveryOutcome, 'rejected' | 'waiting'>
  lead_id: string | null
  /** What answers a handshake. */
  challenge: Challenge | null
  /** The result of each record of a batch. */
  leads?: { id: string | null; status: DeliveryOutcome }[]
}

export interface SavedLead {
  outcome: 'created' | 'merged' | 'duplicate'
  lead: { id: string }
  /** Set where a batch was replayed as a whole. */
  records?: RecordCounts
  /** Of an event of a call: the call as it was and as it is. */
  calls?: PhoneCall[]
}
