import { t } from '@lingui/core/macro'
import type { LeadStatus } from '#contract/crm/leads'
import type { CallType, NewCallOfLead } from '#contract/telephony/calls'
import { createDrafts } from '../../platform/ui/drafts.ts'
import { instantOf, toInstant, wallClock } from '../../platform/ui/wall-clock.ts'
import { type CallInProgress, callSeconds } from './call-in-progress.ts'
import { parseLength, shownLength } from './call-length.ts'
import { wrongNumber } from './call-words.ts'
import { type CalledLead, type Chosen, nextStepAfter, outcomeOf, statusAfter } from './results.ts'

/** What the form has. */
export interface CallDraft {
  /** Typed if the caller’s name is not known yet. */
  name: string
  call_type: CallType
  /** Empty: the lead keeps its status. */
  status: LeadStatus | ''
  /** Sent with the status Lost. */
  lost_reason: string
  /** A time of a time input, in IST, or empty. */
  call_again_at: string
  no_next_step: string
  duration_seconds: string
  notes: string
  /** Empty: when the call started, or when the form opened. */
  called_at: string
}

export const emptyDraft: CallDraft = {
  name: '',
  call_type: 'Outbound',
  status: '',
  lost_reason: '',
  call_again_at: '',
  no_next_step: '',
  duration_seconds: '',
  notes: '',
  called_at: '',
}

/** Unsaved drafts by lead. */
export const callDrafts = createDrafts<Partial<CallDraft>>('call')

/** What the draft says of the lead, together with the result that was pressed. */
export const chosenOf = (
  { status, lost_reason, call_again_at, no_next_step }: CallDraft,
  more: Pick<Chosen, 'result'> & Partial<Chosen>,
): Chosen => ({
  status,
  lost_reason: lost_reason || null,
  call_again_at: call_again_at && toInstant(call_again_at),
  no_next_step,
  language: '',
  number: '',
  ...more,
})

interface Ended {
  call: CallInProgress
  lead: CalledLead & { phone: string }
  /** When the form opened, in milliseconds. */
  openedAt: number
  now: number
}

/** Returns the call as it is sent. */
export function callOf(draft: CallDraft, chosen: Chosen, { call, lead, openedAt, now }: Ended): NewCallOfLead {
  const { call_type } = draft
  const { lost_reason } = chosen
  const status = statusAfter(chosen, lead)
  const notes = notesOf(draft, chosen, lead.phone)
  return {
    call_type,
    outcome: outcomeOf(chosen.result, call_type),
    duration_seconds: secondsOf(draft, chosen, call),
    called_at: draft.called_at ? toInstant(draft.called_at) : instantOf(call.startedAt ?? openedAt),
    ...(notes ? { notes } : {}),
    ...(status && status !== lead.status ? { status } : {}),
    ...(status === 'Lost' && lost_reason ? { lost_reason } : {}),
    ...nextStepAfter(chosen, lead, { now, wrongNumber }),
  }
}

/** The notes, after what they say of a result that is no outcome of the API. */
export const notesOf = (
  { notes }: Pick<CallDraft, 'notes'>,
  chosen: Pick<Chosen, 'result' | 'language'>,
  phone: string,
) => [markOf(chosen, phone), notes.trim()].filter((part) => part !== '').join('\n')

function markOf({ result, language }: Pick<Chosen, 'result' | 'language'>, phone: string): string {
  if (result === 'wrong_number') return phone ? `${wrongNumber}: ${phone}` : wrongNumber
  if (result === 'other_language') return t`Speaks ${language}`
  return result === 'dropped' ? t`The call dropped` : ''
}

/** A call without a conversation has 0 seconds; a conversation of unknown length has 1, because 0 is a missed call. */
function secondsOf(
  { call_type, duration_seconds: typed }: CallDraft,
  { result }: Chosen,
  call: CallInProgress,
): number {
  const outcome = outcomeOf(result, call_type)
  if (outcome !== 'Completed' && outcome !== 'Voicemail') return 0
  if (typed.trim() !== '') return Math.max(parseLength(typed) ?? 0, result === 'voicemail' ? 0 : 1)
  return outcome === 'Completed' ? (callSeconds(call) ?? 1) : 0
}

/** The draft of a call that was rejected, to open its form again. */
export function draftOf(call: NewCallOfLead): Partial<CallDraft> {
  const { call_type, status = '', lost_reason = '', no_next_step = '', duration_seconds, notes = '' } = call
  const clock = (at: string | undefined) => (at ? wallClock(Date.parse(at)) : '')
  return {
    call_type,
    status,
    lost_reason,
    call_again_at: clock(call.call_again_at),
    no_next_step,
    duration_seconds: shownLength(duration_seconds) ?? '',
    notes,
    called_at: clock(call.called_at),
  }
}

export function lengthProblem(text: string): string | null {
  return text.trim() === '' || parseLength(text) !== null ? null : t`Enter minutes and seconds, such as 2:30`
}
