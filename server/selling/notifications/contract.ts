import { type Static, Type } from 'typebox'
import { EnquiryPreview } from '../../crm/enquiries/contract.ts'
import { Instant, Nullable, Uuid } from '../../platform/http/contract.ts'

const MinuteOfDay = () => Nullable(Type.Integer({ minimum: 0, maximum: 1439 }))

const settings = {
  by_push: Type.Boolean(),
  by_mail: Type.Boolean(),
  /** Minutes of the day, IST. Null: no quiet hours. */
  quiet_from: MinuteOfDay(),
  quiet_until: MinuteOfDay(),
  /** An email each working day, for Managers and Admins. */
  digest: Type.Boolean(),
  /** An email on the first working day of each week, for Managers and Admins. */
  weekly_email: Type.Boolean(),
}

export const NotificationSettings = Type.Object({
  ...settings,
  /** For `pushManager.subscribe`. */
  push_key: Type.String(),
  /** Browsers that get push messages. */
  browsers: Type.Integer(),
  /** Whether the browser of `endpoint` is one of them. */
  has_endpoint: Type.Boolean(),
  /** Whether the installation has a mail server. */
  can_mail: Type.Boolean(),
})
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationChange = Type.Partial(Type.Object(settings))
export type NotificationChange = Static<typeof NotificationChange>

/** As `PushSubscription.toJSON()` of a browser has it. */
export const NewSubscription = Type.Object({
  endpoint: Type.String({ minLength: 10, maxLength: 1000 }),
  keys: Type.Object({
    p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}=?$' }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$' }),
  }),
})
export type NewSubscription = Static<typeof NewSubscription>

export const SubscriptionEndpoint = Type.Object({ endpoint: NewSubscription.properties.endpoint })

export const SettingsQuery = Type.Partial(SubscriptionEndpoint)

/** `id`: chosen by the page, which hears it from its service worker when the message has arrived. */
export const TestMessage = Type.Object({ ...SubscriptionEndpoint.properties, id: Uuid() })

export const TestAnswer = Type.Object({
  /** `none`: the user has no such subscription. `gone`: the push service knows it no longer, and it was removed. */
  outcome: Type.Enum(['sent', 'none', 'gone', 'rejected', 'failed']),
})
export type TestAnswer = Static<typeof TestAnswer>

export const NoticesQuery = Type.Object({
  /** The newest id that the page knows. Missing at first: then only `newest` is answered. */
  after: Type.Optional(Type.Integer({ minimum: 0 })),
})

export const Notices = Type.Object({
  newest: Type.Integer(),
  notices: Type.Array(
    Type.Object({
      id: Type.Integer(),
      /** As in kinds.ts. A page of an earlier version may not know it. */
      kind: Type.String(),
      lead_id: Uuid(),
      name: Type.String(),
      at: Instant(),
      /** The colleague who entered the customer again, or who got a lead that passed on, if the account shows the name. */
      user: Nullable(Type.String()),
      /** What the lead asked for last. */
      enquiry: Nullable(EnquiryPreview),
      /** How many leads came to the user by one bulk change; 1 for a lead alone. */
      leads: Type.Integer(),
    }),
  ),
})
export type Notices = Static<typeof Notices>

/** What a push message has, encrypted for one browser. */
export interface PushMessage {
  title: string
  body: string
  /** A page of the web app. */
  path: string
  /** A later message with the same tag replaces this one. */
  tag: string
  /** Set for a test: the service worker posts it to open pages. */
  test?: string
}
