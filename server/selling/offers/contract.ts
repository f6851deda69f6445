import { type Static, Type } from 'typebox'
import { UnseenLead } from '../../crm/leads/contract.ts'
import { Instant, Uuid } from '../../platform/http/contract.ts'

/** The newest offers of a user. */
export const maxOffers = 20

/** What a user may know of a lead before they claim it. */
export const Offer = Type.Object({
  lead_id: Uuid(),
  ...UnseenLead.properties,
  offered_at: Instant(),
  /** When it passes on to the next rule. */
  due_at: Instant(),
  /** With how many other users. */
  others: Type.Integer(),
})
export type Offer = Static<typeof Offer>

export const Claimed = Type.Object({ lead_id: Uuid() })
