import { t } from '@lingui/core/macro'
import type { CallLog, CallOutcome, CallType, LastCallNotes } from '#contract/telephony/calls'

/** The values of calls, in the language of the page. */

export const callTypeNames: Record<CallType, string> = { Inbound: t`Inbound`, Outbound: t`Outbound` }

export const callOutcomeNames: Record<CallOutcome, string> = {
  Completed: t`Spoke`,
  Busy: t`Busy`,
  'No Answer': t`No answer`,
  Voicemail: t`Voicemail`,
  Missed: t`Missed`,
}

export const wrongNumber = t`Wrong number`

type Named = Pick<CallLog, 'outcome'> & Partial<Pick<CallLog, 'notes'>>

/** The notes begin with it, in the language of who logged the call. */
export const isWrongNumber = ({ outcome, notes }: Named) =>
  outcome === 'No Answer' && ['Wrong number', wrongNumber].some((mark) => notes?.startsWith(mark))

export const outcomeNameOf = (call: Named) => (isWrongNumber(call) ? wrongNumber : callOutcomeNames[call.outcome])

/** The notes of the last call, if it has any: they may say that the number was wrong. */
export const notesOfLast = (last: LastCallNotes | null, last_call_at: string | null): string | null =>
  last && last.called_at === last_call_at ? last.notes : null
