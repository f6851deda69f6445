import { type Static, Type } from 'typebox'
import { leadStatuses } from '../../crm/leads/contract.ts'
import { Instant, Line, Name, Nullable, Uuid } from '../../platform/http/contract.ts'
import { FieldMatch, MappedFieldSchema, MappingEntry, Warning } from '../payload/contract.ts'

/**
 * How a delivery ended. A duplicate is a sender's repetition, an ignored delivery has no lead field. A test is stored
 * and makes no lead. A waiting one was not processed in time, and the service finishes it.
 */
export const deliveryOutcomes = ['created', 'merged', 'duplicate', 'rejected', 'ignored', 'test', 'waiting'] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

const Outcome = () => Type.Enum([...deliveryOutcomes])
const Status = () => Type.Enum([...leadStatuses])

const Mapping = () => Type.Array(MappingEntry, { maxItems: 300 })

/** What a webhook gives to its leads. Each is a column of `webhooks`. */
const Defaults = Type.Object({
  /** A user's id. */
  default_assignee: Nullable(Uuid()),
  default_status: Status(),
  /** Null: the source label. */
  default_source: Nullable(Line(200)),
  default_tags: Type.Array(Line(100), { maxItems: 50 }),
})
export type WebhookDefaults = Static<typeof Defaults>

export const noDefaults: WebhookDefaults = {
  default_assignee: null,
  default_status: 'New',
  default_source: null,
  default_tags: [],
}

/** Returns the defaults alone. */
export const defaultsOf = (webhook: WebhookDefaults): WebhookDefaults =>
  Object.fromEntries(Object.entries(webhook).filter(([name]) => Object.hasOwn(noDefaults, name))) as WebhookDefaults

const GivenDefaults = Type.Partial(Defaults).properties

export const WebhookToCreate = Type.Object({ name: Name(), source_label: Name(), ...GivenDefaults })
export type WebhookToCreate = Static<typeof WebhookToCreate>

const WebhookSettings = Type.Object({
  name: Type.Optional(Name()),
  source_label: Type.Optional(Name()),
  ...GivenDefaults,
  /** Null removes it. */
  secret_token: Type.Optional(Nullable(Line(200))),
  mapping: Type.Optional(Mapping()),
  enabled: Type.Optional(Type.Boolean()),
})

/** `was`: the values that the form showed; answered 409 if another user changed them since. */
export const WebhookChange = Type.Object({ ...WebhookSettings.properties, was: Type.Optional(WebhookSettings) })
export type WebhookChange = Static<typeof WebhookChange>

/** `days` are the last 14 in India, the oldest first and today last. */
const Activity = {
  last_delivery: Nullable(Type.Object({ received_at: Instant(), outcome: Outcome() })),
  /** Ignored in these days and in need of attention: with a possible contact, or of a webhook that never made a lead. */
  attention: Type.Integer(),
  /** Since when many are ignored, though few were before, of how many. */
  ignored_since: Nullable(Type.Object({ day: Type.String(), ignored: Type.Integer(), received: Type.Integer() })),
  today: Type.Object({ received: Type.Integer(), rejected: Type.Integer(), waiting: Type.Integer() }),
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      created: Type.Integer(),
      merged: Type.Integer(),
      rejected: Type.Integer(),
      ignored: Type.Integer(),
    }),
  ),
}

const Named = { id: Uuid(), name: Type.String(), source_label: Type.String(), enabled: Type.Boolean() }

/** Without its URL, which is its secret. */
export const ListedWebhook = Type.Object({ ...Named, created_at: Instant(), ...Activity })
export type ListedWebhook = Static<typeof ListedWebhook>

export const WebhookUrl = Type.Object({ id: Uuid(), url: Type.String(), verify_token: Type.String() })
export type WebhookUrl = Static<typeof WebhookUrl>

/** Today in India: the bytes of bodies, and how many deliveries were cut to their beginning or not stored. */
const Stored = Type.Object({
  bytes: Type.Number(),
  quota: Type.Number(),
  cut: Type.Integer(),
  dropped: Type.Number(),
  /** Answered 503 and not stored. */
  lost: Type.Number(),
})

export const ShownWebhook = Type.Object({
  ...Named,
  created_at: Instant(),
  url: Type.String(),
  verify_token: Type.String(),
  secret_token: Nullable(Type.String()),
  default_assignee: Nullable(Uuid()),
  default_status: Status(),
  default_source: Nullable(Type.String()),
  default_tags: Type.Array(Type.String()),
  mapping: Type.Array(Type.Object({ path: Type.String(), field: MappedFieldSchema() })),
  /** The recognition of the first delivery, without its values; null before it. */
  proposal: Nullable(Type.Array(Type.Omit(FieldMatch, ['value']))),
  /** Whether fields of the proposal are unsure, and the mapping was neither saved nor confirmed. */
  needs_check: Type.Boolean(),
  storage: Stored,
  /** Paths that are new since the first delivery. */
  new_fields: Type.Array(Type.Object({ path: Type.String(), since: Type.String() })),
  ...Activity,
})
export type ShownWebhook = Static<typeof ShownWebhook>

const ReceivedOn = {
  from_date: Type.Optional(Type.String({ format: 'date' })),
  to_date: Type.Optional(Type.String({ format: 'date' })),
}

export const DeliveryQuery = Type.Object({
  outcome: Type.Optional(Outcome()),
  ...ReceivedOn,
  /** A part of a name, a phone or an email, or the id of a request. */
  search: Type.Optional(Line(200)),
  /** The `next` of the page before. */
  before: Type.Optional(Uuid()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

const DeliveryHead = {
  id: Uuid(),
  received_at: Instant(),
  address: Type.String(),
  outcome: Outcome(),
  lead_id: Nullable(Uuid()),
  error: Nullable(Type.String()),
  replayed_at: Nullable(Instant()),
}

export const DeliveryPage = Type.Object({
  data: Type.Array(
    Type.Object({
      ...DeliveryHead,
      name: Nullable(Type.String()),
      warnings: Type.Integer({ description: 'How many.' }),
    }),
  ),
  next: Nullable(Uuid()),
  /** Set if names and contacts were read in so many of the newest deliveries, and there are more. */
  searched: Nullable(Type.Integer()),
})
export type DeliveryPage = Static<typeof DeliveryPage>
export type ListedDelivery = DeliveryPage['data'][number]

export const ShownDelivery = Type.Object({
  ...DeliveryHead,
  webhook_id: Uuid(),
  content_type: Nullable(Type.String()),
  /** Its number in a request with several records, and the first hundred of them. */
  record: Nullable(Type.Integer()),
  records: Nullable(Type.Integer()),
  batch: Type.Array(
    Type.Object({
      id: Uuid(),
      record: Type.Integer(),
      outcome: Outcome(),
      lead_id: Nullable(Uuid()),
      error: Nullable(Type.String()),
    }),
  ),
  /** As an object; null if it cannot be read as one, then `text` has it. Both are null once it was deleted with its lead. */
  payload: Nullable(Type.Record(Type.String(), Type.Unknown())),
  text: Nullable(Type.String()),
  /** Set where only the beginning of the body was stored: it cannot be replayed. */
  cut: Nullable(Type.Object({ size: Type.Integer(), sha256: Type.String() })),
  picks: Type.Array(FieldMatch),
  warnings: Type.Array(Warning),
})
export type ShownDelivery = Static<typeof ShownDelivery>

export const MappingToPreview = Type.Object({ mapping: Mapping() })

export const MappingDryRun = Type.Object({
  /** How many of the newest deliveries were read, and how many of these would change. */
  tried: Type.Integer(),
  changed: Type.Integer(),
  /** Deliveries that make a lead under the saved mapping and would make none. */
  would_be_rejected: Type.Integer(),
  /** Deliveries that would still make a lead, without a field that the saved mapping finds. */
  would_lose_fields: Type.Integer(),
  /** The changed ones: the rejected first, then those that lose a field. */
  deliveries: Type.Array(
    Type.Object({
      delivery_id: Uuid(),
      /** Its number in its request; null where there were no others. */
      record: Nullable(Type.Integer()),
      received_at: Instant(),
      changed: Type.Array(Type.String()),
      would_be_rejected: Type.Boolean(),
      loses: Type.Array(Type.String()),
      before: Type.Record(Type.String(), Type.Unknown()),
      after: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
})
export type MappingDryRun = Static<typeof MappingDryRun>

const RecordCounts = Type.Object({
  created: Type.Integer(),
  merged: Type.Integer(),
  duplicate: Type.Integer(),
  rejected: Type.Integer(),
  ignored: Type.Integer(),
  test: Type.Integer(),
  /** Beyond the hundred that one replay processes, which are to be replayed too, and those that the service finishes. */
  waiting: Type.Integer(),
})
export type RecordCounts = Static<typeof RecordCounts>

export const Replayed = Type.Object({
  delivery_id: Uuid(),
  /** The request that it was a record of; null for any other delivery. */
  batch_id: Nullable(Uuid()),
  outcome: Outcome(),
  lead_id: Nullable(Uuid()),
  error: Nullable(Type.String()),
  /** The outcomes of the records of a request that was stored as a whole. */
  records: Nullable(RecordCounts),
})
export type Replayed = Static<typeof Replayed>

/** Without an outcome: the rejected deliveries, and the ignored ones with a possible contact. */
export const ReplayFilter = Type.Object({
  outcome: Type.Optional(Type.Enum(['rejected', 'ignored'])),
  ...ReceivedOn,
})
export type ReplayFilter = Static<typeof ReplayFilter>

export const ReplayableCount = Type.Object({ rejected: Type.Integer(), ignored: Type.Integer(), more: Type.Boolean() })
export type ReplayableCount = Static<typeof ReplayableCount>

/** If `next` is not null, there are more: send it as `after`. */
export const ReplayRequest = Type.Object({ ...ReplayFilter.properties, after: Type.Optional(Uuid()) })
export const ReplayedDeliveries = Type.Object({ results: Type.Array(Replayed), next: Nullable(Uuid()) })
export type ReplayedDeliveries = Static<typeof ReplayedDeliveries>

/** Without a payload, a sample person is sent. */
export const TestDelivery = Type.Object({ payload: Type.Optional(Type.Record(Type.String(), Type.Unknown())) })
