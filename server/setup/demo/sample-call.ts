import { wholeSecond } from '../../platform/http/instants.ts'
import type { CallOutcome, CallType } from '../../telephony/calls/contract.ts'
import { around, chances, draw, pickOne, type Random, wholeBetween } from './chance.ts'
import { callNotes } from './words.ts'

export interface SampleCall {
  call_type: CallType
  outcome: CallOutcome
  duration_seconds: number
  notes: string | null
  called_at: Date
  /** When it was logged: right after it ended. */
  created_at: Date
}

/** On average a third of a call per lead. */
const callsPerLead = chances([
  [0, 80.5],
  [1, 11],
  [2, 5],
  [3, 2.5],
  [4, 1],
])
const outbound = chances<SampleCall['outcome']>([
  ['Completed', 56],
  ['No Answer', 26],
  ['Busy', 14],
  ['Voicemail', 4],
])
const inbound = chances<SampleCall['outcome']>([
  ['Completed', 70],
  ['Missed', 26],
  ['Voicemail', 4],
])

const [hour, day] = [3_600_000, 24 * 3_600_000]
const india = 5.5 * hour

/** Returns the calls of a lead that was created at `since`, oldest first. */
export function sampleCalls(since: Date, now: Date, mostlyInbound: boolean, random: Random): SampleCall[] {
  const calls: SampleCall[] = []
  let after = since.getTime()
  for (let left = draw(callsPerLead, random); left > 0; left--) {
    const call_type: CallType = random() < (mostlyInbound ? 0.7 : 0.2) ? 'Inbound' : 'Outbound'
    const wanted = inOfficeHours(after + around(5 * hour, 1.6, random), random)
    // The call of a very new lead is between its creation and now.
    const at = wanted < now.getTime() ? wanted : after + random() * (now.getTime() - after)
    const call = sampleCall({ at, now: now.getTime(), call_type, outcome: null, random })
    calls.push(call)
    after = call.created_at.getTime()
  }
  return calls
}

interface CallSetting {
  at: number
  now: number
  call_type: CallType
  /** Null: as usual. */
  outcome: CallOutcome | null
  random: Random
}

/** Returns a call at a time, which has ended by now. */
export function sampleCall({ at, now, call_type, outcome: wanted, random }: CallSetting): SampleCall {
  const outcome = wanted ?? draw(call_type === 'Inbound' ? inbound : outbound, random)
  const maxSeconds = Math.floor((now - at) / 1000)
  const duration_seconds = Math.max(
    Math.min(durationOf(outcome, random), maxSeconds),
    outcome === 'Completed' || outcome === 'Voicemail' ? 1 : 0,
  )
  return {
    call_type,
    outcome,
    duration_seconds,
    notes: outcome === 'Completed' && random() < 0.4 ? noteFrom(callNotes, random) : null,
    called_at: wholeSecond(new Date(at)),
    created_at: wholeSecond(new Date(Math.min(at + duration_seconds * 1000 + 5000, now))),
  }
}

function durationOf(outcome: SampleCall['outcome'], random: Random): number {
  if (outcome === 'Completed') return Math.round(Math.min(Math.max(around(150, 0.9, random), 8), 3600))
  return outcome === 'Voicemail' ? wholeBetween(8, 45, random) : 0
}

export function inOfficeHours(at: number, random: Random): number {
  const midnight = at - ((at + india) % day)
  const clock = (at - midnight) / hour
  if (clock >= 9.5 && clock < 19.5) return at
  return midnight + (clock < 9.5 ? 0 : day) + (9.5 + 3 * random()) * hour
}

export function noteFrom(notes: string[], random: Random): string {
  return pickOne(notes, random).replace('#', String(wholeBetween(2, 9, random)))
}
