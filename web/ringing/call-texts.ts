import type { RingingCall } from '#contract/ringing'
import { formatPhone } from '../contacts/phone.ts'
import { formatDuration } from '../ui/time.ts'

/** How far the call has come: "Incoming call", "On a call", "Call ended · 3:12". */
export function callTitle({ state, call_type, is_own, users, duration_seconds, outcome }: RingingCall): string {
  if (state === 'ringing') return call_type === 'Inbound' ? 'Incoming call' : 'Outgoing call'
  if (state === 'answered') return is_own || users.length === 0 ? 'On a call' : `On a call with ${users.join(', ')}`
  if (duration_seconds) return `Call ended · ${formatDuration(duration_seconds)}`
  return outcome === 'Missed' ? 'Missed call' : `Call ended · ${outcome}`
}

/** The name of the lead, else the number. */
export const callName = ({ lead, phone }: RingingCall) => lead?.name ?? (phone ? formatPhone(phone) : 'Unknown number')
