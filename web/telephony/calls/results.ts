import { isClosed, type LeadStatus } from '#contract/crm/leads'
import { type CallOutcome, type CallType, leavesPromise } from '#contract/telephony/calls'
import { instantOf } from '../../platform/ui/wall-clock.ts'

/** What the form of a call offers. Each is one of the outcomes of the API, and four have an effect of their own. */
const results = {
  spoke: 'Completed',
  no_answer: 'No Answer',
  missed: 'Missed',
  busy: 'Busy',
  voicemail: 'Voicemail',
  /** The lead is lost. */
  not_interested: 'Completed',
  /** Somebody else has the number. */
  wrong_number: 'No Answer',
  /** They do not speak the user’s language. */
  other_language: 'Completed',
  dropped: 'Completed',
} as const satisfies Record<string, CallOutcome>
export type Result = keyof typeof results

/** In the order of their keys. */
export const resultsOf: Record<CallType, Result[]> = {
  Outbound: ['spoke', 'no_answer', 'busy', 'voicemail', 'not_interested', 'wrong_number', 'other_language', 'dropped'],
  Inbound: ['spoke', 'missed', 'busy', 'voicemail', 'not_interested', 'other_language', 'dropped'],
}

/** What the form offers if the telephone system reports that the call was answered. */
export const answeredResultsOf: Record<CallType, Result[]> = {
  Outbound: ['spoke', 'voicemail', 'not_interested', 'wrong_number', 'other_language', 'dropped'],
  Inbound: ['spoke', 'not_interested', 'wrong_number', 'other_language', 'dropped'],
}

/** Who calls from a number that is not the lead's has spoken. */
export const outcomeOf = (result: Result, type: CallType): CallOutcome =>
  result === 'wrong_number' && type === 'Inbound' ? 'Completed' : results[result]

/** What is known of the lead when its call ends. */
export interface CalledLead {
  /** Undefined: this browser does not know it. */
  status: LeadStatus | undefined
  /** When it is to be called again. */
  call_again_at: string | null
  /** Its other phone numbers. */
  other_phones: string[]
}

/** What the user chose. */
export interface Chosen {
  result: Result
  status: LeadStatus | ''
  /** A time as the API reads it, or empty. */
  call_again_at: string
  no_next_step: string
  /** Chosen with the status, or after `not_interested`; empty for none. Null: not chosen yet. */
  lost_reason: string | null
  /** Chosen after `other_language`. */
  language: string
  /** Chosen after `wrong_number`: the next number to call, or `none`. */
  number: string
}

/** In milliseconds. A dropped call is made again so soon. */
const dropped = 5 * 60_000

/** The status that is saved: a first conversation makes a new lead Contacted. */
export function statusAfter({ result, status }: Pick<Chosen, 'result' | 'status'>, lead: CalledLead) {
  if (result === 'not_interested') return 'Lost'
  const wanted = status || lead.status
  return result === 'spoke' && wanted === 'New' ? 'Contacted' : wanted
}

/** What the form has to ask before it saves. A lead that was reached, and stays open, needs a next step. */
export function missing(
  chosen: Chosen,
  lead: CalledLead,
  now: number,
): 'lost_reason' | 'language' | 'number' | 'next_step' | null {
  const { result, lost_reason, language, number, call_again_at, no_next_step } = chosen
  if (result === 'not_interested') return lost_reason === null && lead.status !== 'Lost' ? 'lost_reason' : null
  if (result === 'other_language' && !language) return 'language'
  if (result === 'wrong_number' && lead.other_phones.length > 0 && !number) return 'number'
  if (result !== 'spoke' && result !== 'other_language') return null
  const hasStep = call_again_at !== '' || no_next_step !== '' || leavesPromise(lead.call_again_at, now)
  return hasStep || isClosed(statusAfter(chosen, lead)) ? null : 'next_step'
}

/** The next step that is saved; without one, it stays. `wrongNumber`: the reason if no other number is left. */
export function nextStepAfter(
  { result, call_again_at, no_next_step, status, number }: Chosen,
  lead: CalledLead,
  { now, wrongNumber }: { now: number; wrongNumber: string },
): { call_again_at?: string; no_next_step?: string } {
  if (isClosed(statusAfter({ result, status }, lead))) return {}
  if (no_next_step) return { no_next_step }
  if (call_again_at) return { call_again_at }
  if (result === 'wrong_number' && (lead.other_phones.length === 0 || number === 'none'))
    return { no_next_step: wrongNumber }
  if (result === 'dropped' && !leavesPromise(lead.call_again_at, now))
    return { call_again_at: instantOf(now + dropped) }
  return {}
}
