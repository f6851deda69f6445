import { t } from '@lingui/core/macro'
import { isCallerName } from '#contract/crm/leads'
import type { RingingCall } from '#contract/telephony/ringing'
import { formatPhone } from '../../crm/contacts/phone.ts'
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

/** The first word of a name that was made of a number, all that is shown of it to a user who does not see the lead. */
const unseenPlaceholder = 'Caller'

/** Whether the caller has no name yet. */
export const isUnknown = ({ lead, unseen_lead }: RingingCall) =>
  lead ? isCallerName(lead.name) : unseen_lead === null || unseen_lead.name === unseenPlaceholder

/** The name of the lead, also of one that the user does not see. */
export const callName = (call: RingingCall) =>
  isUnknown(call) ? t`Unknown caller` : (call.lead ?? call.unseen_lead)!.name

export const callNumber = ({ lead, phone }: RingingCall) => lead?.phone ?? phone

/** The name, or the number of a caller without one. */
export function nameOrNumber(call: RingingCall): string {
  const number = callNumber(call)
  return isUnknown(call) && number ? formatPhone(number) : callName(call)
}
