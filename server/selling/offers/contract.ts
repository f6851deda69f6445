import { type Static, Type } from 'typebox'
import { Instant, Nullable, Uuid } from '../../platform/http/contract.ts'

/** The newest offers of a user. */
export const maxOffers = 20

/** What a user may know of a lead before they claim it: no phone, email or link to the lead. */
export const Offer = Type.Object({
  lead_id: Uuid(),
  name: Type.String(),
  source: Type.String(),
  city: Nullable(Type.String()),
  /** The product and the first answer. */
  wanted: Nullable(Type.String()),
  /** The end of the notes, with what the lead wants. */
  notes: Nullable(Type.String()),
  offered_at: Instant(),
  /** When it passes on to the next rule. */
  due_at: Instant(),
  /** With how many other users. */
  others: Type.Integer(),
})
export type Offer = Static<typeof Offer>

export const Claimed = Type.Object({ lead_id: Uuid() })
