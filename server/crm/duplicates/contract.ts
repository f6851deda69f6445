import { type Static, Type } from 'typebox'
import { Uuid } from '../../platform/http/contract.ts'
import { fieldsAsShown, type LeadInFull, type LeadStatus } from '../leads/contract.ts'

/** Fields of which a merge of two leads takes one value. Notes and tags of both are kept. */
export const chosenFields = [
  ...fieldsAsShown.filter((field) => field !== 'notes' && field !== 'tags'),
  'call_again_at' as const,
]
export type ChosenField = (typeof chosenFields)[number]

/** In milliseconds, after a merge. */
export const undoWithin = 86_400_000

/** Per account. The oldest ones are removed. */
export const maxPossibleDuplicates = 1000

export const OtherLead = Type.Object({ other_id: Uuid('The lead to compare with.') })

/**
 * Merges the lead `other_id` into a lead. `take` names the fields of which the other lead's value is taken. The versions are the
 * `updated_at` of both leads as they were compared.
 */
export const LeadMerge = Type.Object({
  other_id: Uuid(),
  take: Type.Array(Type.Enum([...chosenFields]), { maxItems: chosenFields.length, uniqueItems: true }),
  updated_at: Type.String({ format: 'date-time' }),
  other_updated_at: Type.String({ format: 'date-time' }),
})
export type LeadMerge = Static<typeof LeadMerge>

/** Two leads side by side. `take` are the fields of which a merge takes the other lead's value, if the user chooses nothing else. */
export interface LeadComparison {
  kept: LeadInFull
  other: LeadInFull
  take: ChosenField[]
}

/** A submission named both; or they have the same name, and the same city or nearly the same phone. */
export type DuplicateReason = 'submission' | 'name_and_city' | 'near_phone'

export interface DuplicateLead {
  id: string
  name: string
  phone: string | null
  email: string | null
  city: string | null
  status: LeadStatus
  /** The name of the owner. */
  owner: string | null
  created_at: string
}

export interface PossibleDuplicate {
  leads: [DuplicateLead, DuplicateLead]
  reason: DuplicateReason
  found_at: string
}

export const DuplicatesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: maxPossibleDuplicates })),
})

const LeadPair = Type.Object({ lead_id: Uuid(), other_id: Uuid() })
export type LeadPair = Static<typeof LeadPair>

/** The most pairs that one request dismisses. */
const maxDismissed = 100

/** Pairs of leads that are two people. */
export const Dismissal = Type.Object({ pairs: Type.Array(LeadPair, { minItems: 1, maxItems: maxDismissed }) })

/** Possible duplicates are counted up to this number. */
export const maxCountedPairs = 99

export interface CountOfDuplicates {
  count: number
  /** There are more. */
  capped: boolean
}

/** What a lead's page says: possible duplicates, and the last merge while it can be undone. */
export interface DuplicatesOfLead {
  possible: { lead: DuplicateLead; reason: DuplicateReason }[]
  merged: { id: string; name: string; at: string; by: string | null } | null
}
