import { type Static, Type } from 'typebox'
import type { EnquiryPreview } from '../../crm/enquiries/contract.ts'
import type { CallsOfLead, LeadPriority, LeadStatus } from '../../crm/leads/contract.ts'
import { Line } from '../../platform/http/contract.ts'
import type { LastCallNotes } from '../../telephony/calls/contract.ts'

/** Why to call a lead. A lead with several reasons is in the queue once, for the most urgent one (`order-queue.ts`). */
export const queueReasons = [
  'due',
  'missed',
  'enquired_again',
  'new',
  'not_reached',
  'going_cold',
  'no_next_step',
  'never_called',
] as const
export type QueueReason = (typeof queueReasons)[number]

export const QueueQuery = Type.Object({
  assigned_to: Type.Optional(Line(254, { description: 'Email of the user whose queue it is. Default: your own.' })),
  reason: Type.Optional(Type.Enum([...queueReasons], { description: 'Only leads to call for this reason.' })),
})
export type QueueQuery = Static<typeof QueueQuery>

export interface QueuedLead extends CallsOfLead {
  id: string
  reason: QueueReason
  /** When the lead was created or enquired again, the call was missed, the promised call is due, or the last call was. */
  since: string
  name: string
  phone: string | null
  email: string | null
  company: string | null
  city: string | null
  source: string
  status: LeadStatus
  priority: LeadPriority
  /** Without the message of the enquiry. Of long notes, `…` and what came last. */
  notes: string | null
  enquiry: EnquiryPreview | null
  last_call_notes: LastCallNotes | null
  call_again_at: string | null
  /** Admins have leads without an owner in their queue. */
  is_unassigned: boolean
}

/** The first leads of a queue, and how many leads it has of each reason. */
export interface CallQueue {
  leads: QueuedLead[]
  /** Counted up to `maxCounted`. */
  counts: Record<QueueReason, number>
}

export const maxListed = 50
export const maxCounted = 100
