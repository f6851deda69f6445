import { t } from '@lingui/core/macro'
import type { RingingCall } from '#contract/telephony/ringing'
import { formatDuration } from '../../platform/ui/time.ts'
import { callOutcomeNames } from '../calls/call-words.ts'

/** How far the call has come: "Incoming call", "On a call", "Call ended · 3:12". */
export function callTitle({ state, call_type, is_own, users, duration_seconds, outcome }: RingingCall): string {
  if (state === 'ringing') return call_type === 'Inbound' ? t`Incoming call` : t`Outgoing call`
  if (state === 'answered')
    return is_own || users.length === 0 ? t`On a call` : t`On a call with ${{ users: users.join(', ') }}`
  if (duration_seconds) return t`Call ended · ${{ duration: formatDuration(duration_seconds) }}`
  return outcome === 'Missed' ? t`Missed call` : t`Call ended · ${{ outcome: callOutcomeNames[outcome!] }}`
}

/** The name of the lead, also of one that the user does not see. */
export const callName = ({ lead, unseen_lead }: RingingCall) => lead?.name ?? unseen_lead?.name ?? t`Unknown number`
