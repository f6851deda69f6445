import { type Static, Type } from 'typebox'
import type { LeadStatus } from '../../crm/leads/contract.ts'
import { Line } from '../../platform/http/contract.ts'
import type { CallOutcome, LastCallNotes } from '../../telephony/calls/contract.ts'

/** When calls are promised: until now, later today, tomorrow, and on the five days after it. */
export const promiseGroups = ['overdue', 'today', 'tomorrow', 'later'] as const
export type PromiseGroup = (typeof promiseGroups)[number]

/** `team`: of all users whose leads you see. Default: your own. */
export const TodayQuery = Type.Object({
  assigned_to: Type.Optional(Line(254)),
  team: Type.Optional(Type.Enum(['true', 'false'])),
})
export type TodayQuery = Static<typeof TodayQuery>

export interface PromisedCall {
  id: string
  name: string
  phone: string | null
  email: string | null
  status: LeadStatus
  assigned_to: string | null
  /** The name of the owner. */
  owner: string | null
  call_again_at: string
  last_call_at: string | null
  last_call_outcome: CallOutcome | null
  last_call_notes: LastCallNotes | null
}

/** The first calls of a group, and how many it has, counted up to `maxCounted`. */
interface PromisedCalls {
  calls: PromisedCall[]
  count: number
}

export type Today = Record<PromiseGroup, PromisedCalls>

export const maxListed = 100
export const maxCounted = 1000

export interface DueCall {
  id: string
  name: string
  phone: string | null
  call_again_at: string
  /** Whether it is due for 15 minutes. */
  is_overdue: boolean
}

/** What a page reminds the user of. */
export interface DueCalls {
  /** The oldest ones of the last hour. */
  calls: DueCall[]
  count: number
  /** In seconds, until this answer changes if nothing else does. Null: not within an hour. */
  changes_in: number | null
}
