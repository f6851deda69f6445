import type { Account } from '../../../access/account/users.ts'
import { noEnquiry } from '../../../crm/enquiries/enquiry.ts'
import type { Actor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isBusy } from '../../../platform/database/errors.ts'
import { HttpProblem, tryLater } from '../../../platform/http/problem.ts'
import type { Language } from '../../../platform/languages/contract.ts'
import type { FieldMatch, Warning } from '../../payload/contract.ts'
import type { Reading } from '../../payload/map-payload.ts'
import type { PayloadContent } from '../../payload/reading.ts'
import type { DeliveryOutcome } from '../contract.ts'
import type { Webhook } from '../store.ts'

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
  /** The lead that it made before it was replayed. */
  lead_id?: string | null
  /** Which record of a batch it is, counted from 1. */
  batch_id?: string | null
  record?: number | null
  records?: number | null
  /** The same for a record of a batch when the whole request is repeated. */
  repeat_id?: string | null
  /** Set if only the beginning was stored. */
  body_size?: number | null
  /** The hash of a body that was cut, or that was answered 503, so that its repetition is recognised. */
  body_hash?: Buffer | null
  /** When the service tries again, while it waits. */
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

/** What a delivery is read and decided with. */
export interface ReadingContext {
  database: Database
  reader: DeliveryReader
  account: Account
  webhook: Webhook
  delivery: Delivery
}

/** What is mapped by hand on another webhook, as part of the proposal of this one. */
export type Learned = Omit<FieldMatch, 'value'>[]

/** A payload as it was read, compared with what the webhook has seen before. */
export interface ReadDelivery extends Reading, Omit<PayloadContent, 'reading'> {
  /** Why the body cannot be read, as a sentence without its full stop. */
  problem: string | null
  /** All numbers of a call are the business's. */
  is_internal: boolean
  /** Paths that are new to this webhook. */
  unseen: string[]
  /** For the first delivery: what is mapped by hand on another webhook with this shape. */
  learned: Learned
  /** The contact keys of the phone and the email that were read. */
  contacts: string[]
}

export const nothingRead: ReadDelivery = {
  lead: {},
  picks: [],
  warnings: [],
  unmapped: [],
  absent: [],
  enquiry: noEnquiry,
  parts: [],
  platform_id: null,
  sender: null,
  content_hash: '',
  is_test: false,
  is_own: false,
  event: null,
  call: null,
  is_withheld: false,
  numbers: { own: [], guessed: [] },
  values: [],
  records: null,
  problem: null,
  is_internal: false,
  unseen: [],
  learned: [],
  contacts: [],
}

export interface ReadingOptions {
  /** Adds every value of the payload, for the mapping editor. */
  withValues?: boolean
  /** That of the reasons of recognised fields. */
  language?: Language
}

export interface DeliveryReader {
  read(context: ReadingContext, options?: ReadingOptions): Promise<ReadDelivery>
  /** Returns the contact keys found anywhere in a body. */
  findContacts(
    body: Uint8Array,
    content_type: string | null,
    country: Account['country'],
    sender: string,
  ): Promise<string[]>
}

/** Whether a delivery is new, a record of a batch, finished after it waited, or replayed by a user. All but new ones have a row already. */
export type Stage = 'new' | 'record' | 'waiting' | 'replay'

/** Returns the actor of a webhook: it sees the whole account and is no user. */
export function webhookActor({ account_id, id }: Pick<Webhook, 'account_id' | 'id'>): Actor {
  return { account_id, user_id: null, sees: 'all', via: 'webhook', via_id: id }
}

/** Returns whether the same delivery may succeed later, while the database answers. */
export function isTemporary(error: unknown): boolean {
  return isBusy(error) || (error instanceof HttpProblem && error.status === 503)
}

/** A delivery was not processed in time. It is stored, and finished later. */
export class DeliveryWaits extends HttpProblem {
  constructor() {
    const { status, code, message, headers } = tryLater(
      'The service is too busy to process this delivery now. It is stored and will be processed; sending it again changes nothing.',
    )
    super(status, code, message, { headers })
  }
}
