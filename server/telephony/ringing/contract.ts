import { type Static, Type } from 'typebox'
import type { EnquiryPreview } from '../../crm/enquiries/contract.ts'
import type { LeadStatus, UnseenLead } from '../../crm/leads/contract.ts'
import { Lines, Nullable } from '../../platform/http/contract.ts'
import type { CallOutcome, CallType, LastCallNotes } from '../calls/contract.ts'

/** The lead of a call, for a user who sees it. */
export interface RingingLead {
  id: string
  name: string
  phone: string | null
  status: LeadStatus
  source: string
  city: string | null
  call_again_at: string | null
  enquiry: EnquiryPreview | null
  /** The beginning of the last note. */
  last_note: string | null
  /** Before this call. */
  last_call: { called_at: string; outcome: CallOutcome } | null
  /** Leaves out this call. */
  last_call_notes: LastCallNotes | null
}

/** A call that rings, is answered, or has ended just now. */
export interface RingingCall {
  id: string
  state: 'ringing' | 'answered' | 'ended'
  call_type: CallType
  started_at: string
  answered_at: string | null
  ended_at: string | null
  /** Set when the call has ended, as the telephone system reports it. */
  outcome: CallOutcome | null
  /** Talk time. */
  duration_seconds: number | null
  /** The call log of a call that has ended, if the user sees it. */
  call_log_id: string | null
  /** Whether the user is rung, or spoke. */
  is_own: boolean
  /** Whether the user answered, and sees no lead to log the call with: a note is all that they can add. */
  may_note: boolean
  /** The names of the users who are rung, or spoke. */
  users: string[]
  /** The customer's number, as the telephone system wrote it, for a user who sees the lead. For others, if the lead is unassigned: their own phone shows it. */
  phone: string | null
  /** The name of the lead's owner, if the account shows it. */
  owner: string | null
  /** Whether the call has a lead without an owner. */
  is_unassigned: boolean
  /** Null if the user does not see the lead, or the number is not known yet. */
  lead: RingingLead | null
  /** Set if the user does not see the lead. */
  unseen_lead: UnseenLead | null
}

/** How many calls are answered. */
export const maxRinging = 5

/** What the user who answered notes. */
export const CallNote = Type.Object({ notes: Nullable(Lines(20_000)) })
export type CallNote = Static<typeof CallNote>
