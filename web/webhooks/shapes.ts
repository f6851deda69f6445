import type { Static } from 'typebox'
import type {
  DeliveryPage as DeliveryPageSchema,
  ReplayedSome as ReplayedSomeSchema,
  ShownDelivery as ShownDeliverySchema,
  ToReplay as ToReplaySchema,
  Trials as TrialsSchema,
  WebhookAddress as WebhookAddressSchema,
} from '#contract/webhooks'

export type WebhookAddress = Static<typeof WebhookAddressSchema>
export type DeliveryPage = Static<typeof DeliveryPageSchema>
export type ListedDelivery = DeliveryPage['data'][number]
export type ShownDelivery = Static<typeof ShownDeliverySchema>
export type Trials = Static<typeof TrialsSchema>
export type ReplayedSome = Static<typeof ReplayedSomeSchema>
export type ReplayCounts = NonNullable<ReplayedSome['results'][number]['records']>
export type ToReplay = Static<typeof ToReplaySchema>
export type Outcome = ListedDelivery['outcome']
