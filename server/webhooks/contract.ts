import { type Static, Type } from 'typebox'
import { Instant, Line, Lines, Name, Nullable, Uuid } from '../http/contract.ts'
import { leadStatuses } from '../leads/contract.ts'
import { MappedFieldSchema, Pick, Warning } from '../payload/contract.ts'

const Outcome = () => Type.Enum(['created', 'merged', 'duplicate', 'rejected', 'ignored', 'test'])
const Status = () => Type.Enum([...leadStatuses])

const Mapping = () => Type.Array(Type.Object({ path: Lines(2000), field: MappedFieldSchema() }), { maxItems: 300 })

const Defaults = {
  /** A person's id. */
  default_assignee: Type.Optional(Nullable(Uuid())),
  default_status: Type.Optional(Status()),
  /** Null: the source label. */
  default_source: Type.Optional(Nullable(Line(200))),
  default_tags: Type.Optional(Type.Array(Line(100), { maxItems: 50 })),
}

export const WebhookToCreate = Type.Object({ name: Name(), source_label: Name(), ...Defaults })
export type WebhookToCreate = Static<typeof WebhookToCreate>

const WebhookSettings = Type.Object({
  name: Type.Optional(Name()),
  source_label: Type.Optional(Name()),
  ...Defaults,
  mapping: Type.Optional(Mapping()),
  enabled: Type.Optional(Type.Boolean()),
})

/** `was`: what the form showed of the fields it changes; refused where somebody else changed them since. */
export const WebhookChange = Type.Object({ ...WebhookSettings.properties, was: Type.Optional(WebhookSettings) })
export type WebhookChange = Static<typeof WebhookChange>

/** How a webhook fares. `days` are the last 14 in India, the oldest first and today last. */
const Activity = {
  last_delivery: Nullable(Type.Object({ received_at: Instant(), outcome: Outcome() })),
  /** Ignored in these days, and to be looked at: they hold a possible contact, or no lead was ever made here. */
  attention: Type.Integer(),
  today: Type.Object({ received: Type.Integer(), refused: Type.Integer() }),
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

/** Without its address, which is its key. */
export const ListedWebhook = Type.Object({ ...Named, created_at: Instant(), ...Activity })
export type ListedWebhook = Static<typeof ListedWebhook>

export const WebhookAddress = Type.Object({ id: Uuid(), url: Type.String(), verify_token: Type.String() })

/** Of today in India: what was kept of bodies, and of how many deliveries only the beginning or nothing was kept. */
const Stored = Type.Object({
  bytes: Type.Number(),
  quota: Type.Number(),
  cut: Type.Integer(),
  dropped: Type.Number(),
})

export const ShownWebhook = Type.Object({
  ...Named,
  created_at: Instant(),
  url: Type.String(),
  verify_token: Type.String(),
  default_assignee: Nullable(Uuid()),
  default_status: Status(),
  default_source: Nullable(Type.String()),
  default_tags: Type.Array(Type.String()),
  mapping: Type.Array(Type.Object({ path: Type.String(), field: MappedFieldSchema() })),
  /** What the first delivery was read as, without what it said; null until it has come. */
  proposal: Nullable(Type.Array(Type.Omit(Pick, ['value']))),
  /** What came later for the first time. */
  storage: Stored,
  new_fields: Type.Array(Type.Object({ path: Type.String(), since: Type.String() })),
  ...Activity,
})
export type ShownWebhook = Static<typeof ShownWebhook>

export const DeliveryQuery = Type.Object({
  outcome: Type.Optional(Outcome()),
  /** The `next` of the page before. */
  before: Type.Optional(Uuid()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
})

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
})

export const ShownDelivery = Type.Object({
  ...DeliveryHead,
  webhook_id: Uuid(),
  content_type: Nullable(Type.String()),
  /** Which record of a request with several it is, and the first hundred of them; null and none for any other. */
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
  /** As an object where it can be read as one; else null, and `text` has it. Both null once it went with its lead. */
  payload: Nullable(Type.Record(Type.String(), Type.Unknown())),
  text: Nullable(Type.String()),
  /** Of a body of which only the beginning was kept: it cannot be replayed. */
  cut: Nullable(Type.Object({ size: Type.Integer(), sha256: Type.String() })),
  picks: Type.Array(Pick),
  warnings: Type.Array(Warning),
})

export const MappingToTry = Type.Object({ mapping: Mapping() })

export const Trials = Type.Object({
  /** Of so many, the newest, so many would be read otherwise. */
  tried: Type.Integer(),
  changed: Type.Integer(),
  /** Deliveries that make a lead under the saved mapping and would make none. */
  would_be_rejected: Type.Integer(),
  /** Deliveries that would still make a lead, without a field that the saved mapping finds. */
  would_lose_fields: Type.Integer(),
  /** The changed ones: first the rejected, then those that lose a field. */
  deliveries: Type.Array(
    Type.Object({
      delivery_id: Uuid(),
      /** Which record of its request it is; null where there were no others. */
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

const RecordCounts = Type.Object({
  created: Type.Integer(),
  merged: Type.Integer(),
  duplicate: Type.Integer(),
  rejected: Type.Integer(),
  ignored: Type.Integer(),
  test: Type.Integer(),
  /** Beyond the hundred that one replay takes: replay them too. */
  waiting: Type.Integer(),
})
export type RecordCounts = Static<typeof RecordCounts>

export const Replayed = Type.Object({
  delivery_id: Uuid(),
  outcome: Outcome(),
  lead_id: Nullable(Uuid()),
  error: Nullable(Type.String()),
  /** Of a request with several records that was kept whole: how many of them ended how. */
  records: Nullable(RecordCounts),
})

/** `ignored` are those with a possible contact. */
export const ToReplay = Type.Object({ rejected: Type.Integer(), ignored: Type.Integer(), more: Type.Boolean() })

/** Where `next` is not null, there are more: ask again with it as `after`. */
export const ReplayRefused = Type.Object({ after: Type.Optional(Uuid()) })
export const ReplayedSome = Type.Object({ results: Type.Array(Replayed), next: Nullable(Uuid()) })

/** Without a payload of one's own, a made-up person is sent. */
export const TestToSend = Type.Object({ payload: Type.Optional(Type.Record(Type.String(), Type.Unknown())) })
