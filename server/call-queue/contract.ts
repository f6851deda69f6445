import { type Static, Type } from 'typebox'
import { Line } from '../http/contract.ts'
import type { CallsOfLead, LeadPriority, LeadStatus } from '../leads/contract.ts'

/** Why to call a lead, in the order of the queue. */
export const queueReasons = ['new', 'missed', 'due', 'not_reached', 'never_called'] as const
export type QueueReason = (typeof queueReasons)[number]

export const QueueQuery = Type.Object({
  assigned_to: Type.Optional(Line(254, { description: 'Email of the user whose queue it is. Default: your own.' })),
})
export type QueueQuery = Static<typeof QueueQuery>

export interface QueuedLead extends CallsOfLead {
  id: string
  reason: QueueReason
  /** When the lead was created, the call was missed, the call is due, or the last call was. */
  since: string
  name: string
  phone: string | null
  email: string | null
  company: string | null
  city: string | null
  source: string
  status: LeadStatus
  priority: LeadPriority
  notes: string | null
  call_again_at: string | null
}

/** The first leads of a queue, and how many leads it has of each reason. */
export interface CallQueue {
  leads: QueuedLead[]
  /** Counted up to `maxCounted`. */
  counts: Record<QueueReason, number>
}

export const maxCounted = 100
