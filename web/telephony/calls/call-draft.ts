import { t } from '@lingui/core/macro'
import type { LeadStatus } from '#contract/crm/leads'
import type { CallOutcome, CallType, NewCallOfLead } from '#contract/telephony/calls'
import { createDrafts } from '../../platform/ui/drafts.ts'
import { formatDuration } from '../../platform/ui/time.ts'
import { toInstant, wallClock } from '../../platform/ui/wall-clock.ts'
import { type CallInProgress, callSeconds } from './call-in-progress.ts'
import { parseLength } from './call-length.ts'

/** What the form has. */
export interface CallDraft {
  call_type: CallType
  status: LeadStatus | ''
  /** Sent with the status Lost. */
  lost_reason: string
  /** A time as the API reads it, `ownTime`, or empty. */
  again: string
  call_again_at: string
  duration_seconds: string
  notes: string
  /** Empty: when the call started, or when the form opened. */
  called_at: string
}

export const ownTime = 'own'

/** Unsaved drafts by lead. */
export const callDrafts = createDrafts<Partial<CallDraft>>('call')

/** Returns the call as it is sent. `openedAt`: when its form opened, in milliseconds. */
export function callOf(draft: CallDraft, outcome: CallOutcome, call: CallInProgress, openedAt: number): NewCallOfLead {
  const { call_type, status, lost_reason, again, call_again_at, notes } = draft
  const at = again === ownTime ? toInstant(call_again_at) : again
  return {
    call_type,
    outcome,
    duration_seconds: secondsOf(draft, outcome, call),
    called_at: draft.called_at ? toInstant(draft.called_at) : instantOf(call.startedAt ?? openedAt),
    ...(notes.trim() ? { notes: notes.trim() } : {}),
    ...(status && status !== call.lead.status ? { status } : {}),
    ...(status === 'Lost' && lost_reason ? { lost_reason } : {}),
    ...(at ? { call_again_at: at } : {}),
  }
}

/** A call without a conversation has 0 seconds; a conversation of unknown length has 1, because 0 is a missed call. */
function secondsOf({ duration_seconds: typed }: CallDraft, outcome: CallOutcome, call: CallInProgress): number {
  if (outcome !== 'Completed' && outcome !== 'Voicemail') return 0
  if (typed.trim() !== '') return parseLength(typed) ?? 0
  return outcome === 'Completed' ? (callSeconds(call) ?? 1) : 0
}

/** The draft of a call that was rejected, to open its form again. */
export function draftOf(call: NewCallOfLead): Partial<CallDraft> {
  const { call_type, status = '', lost_reason = '', call_again_at, duration_seconds, notes = '', called_at } = call
  return {
    call_type,
    status,
    lost_reason,
    again: call_again_at ? ownTime : '',
    call_again_at: call_again_at ? wallClock(Date.parse(call_again_at)) : '',
    duration_seconds: duration_seconds > 1 ? formatDuration(duration_seconds) : '',
    notes,
    called_at: called_at ? wallClock(Date.parse(called_at)) : '',
  }
}

const instantOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

export function lengthProblem(text: string): string | null {
  return text.trim() === '' || parseLength(text) !== null ? null : t`Enter minutes and seconds, such as 2:30`
}
