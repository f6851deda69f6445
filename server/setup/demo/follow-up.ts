import { isClosed, type LeadStatus } from '../../crm/leads/fields.ts'
import { istDay, wholeSecond } from '../../platform/http/instants.ts'
import type { CallType } from '../../telephony/calls/contract.ts'
import { around, chances, draw, pickOne, type Random, wholeBetween } from './chance.ts'
import { inOfficeHours, type SampleCall, sampleCall } from './sample-call.ts'
import { type FirstEnquiry, sampleEnquiry } from './sample-enquiry.ts'
import { leadNotes, lostReasons } from './words.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

interface Setting {
  created_at: Date
  now: Date
  status: LeadStatus
  source: string
  /** Whether leads of the source usually call first. */
  callsIn: boolean
  random: Random
}

/** Another enquiry of a lead. */
export interface RepeatEnquiry extends FirstEnquiry {
  at: Date
  source: string
  message: string
}

/** What a team does with a lead after it came. */
export interface FollowUp {
  calls: SampleCall[]
  call_again_at: Date | null
  lost_reason: string | null
  /** The lead enquired again. */
  repeat: RepeatEnquiry | null
}

export const noFollowUp = { call_again_at: null, lost_reason: null, repeat: null }

/** Returns what users did with a lead until now. Only open leads are to be called again. */
export function followUp(setting: Setting): FollowUp {
  const { status, now, random } = setting
  const repeat = random() < 0.06 ? enquiredAgain(setting) : null
  const calls = callsOfTeam(setting)
  if (repeat && now.getTime() - repeat.at.getTime() > 1.5 * day) calls.push(answerTo(repeat, setting))
  calls.sort((one, other) => one.called_at.getTime() - other.called_at.getTime())
  return {
    calls,
    call_again_at: promisedAt(calls.at(-1), setting),
    lost_reason: status === 'Lost' ? reasonOf(calls, random) : null,
    repeat,
  }
}

/** Soon after the lead came, then every few days until it is closed or forgotten. Missed calls are mostly called back. */
function callsOfTeam({ created_at, now, status, callsIn, random }: Setting): SampleCall[] {
  const calls: SampleCall[] = []
  const maxCalls = drawMaxCalls(status, random)
  let after = created_at.getTime()
  for (;;) {
    const last = calls.at(-1)
    const wasMissed = last?.outcome === 'Missed'
    if (calls.length >= maxCalls && !(wasMissed && status !== 'New')) break
    if (last && random() < (wasMissed ? 0.08 : isClosed(status) ? 0 : 0.06)) break
    const gap = !last || wasMissed ? around(0.6 * hour, 1.2, random) : around(4 * day, 0.6, random)
    const at = inOfficeHours(after + gap, random)
    if (at > now.getTime() - 5 * minute) break
    const call_type: CallType = !wasMissed && random() < (callsIn && !last ? 0.8 : 0.12) ? 'Inbound' : 'Outbound'
    const outcome = outcomeOf({ status, call_type, isFirst: !last, wasMissed, random })
    const call = sampleCall({ at, now: now.getTime(), call_type, outcome, random })
    calls.push(call)
    after = call.created_at.getTime()
  }
  return calls
}

function drawMaxCalls(status: LeadStatus, random: Random): number {
  if (status === 'New') return random() < 0.35 ? wholeBetween(1, 2, random) : 0
  return isClosed(status) ? wholeBetween(1, 4, random) : 6
}

interface CallSetting {
  status: LeadStatus
  call_type: CallType
  isFirst: boolean
  wasMissed: boolean
  random: Random
}

/** No user spoke to a lead in New. Users spoke to the others that are more than contacted. */
function outcomeOf({ status, call_type, isFirst, wasMissed, random }: CallSetting): SampleCall['outcome'] | null {
  if (status === 'New') return call_type === 'Inbound' ? 'Missed' : pickOne(['No Answer', 'Busy'] as const, random)
  const spoke = status === 'Qualified' || status === 'Proposal' || status === 'Won'
  return (isFirst && spoke) || (wasMissed && random() < 0.8) ? 'Completed' : null
}

function enquiredAgain({ created_at, now, source: first, random }: Setting): RepeatEnquiry | null {
  const ago = (now.getTime() - created_at.getTime() - day) * random() ** 2
  const at = wholeSecond(new Date(inOfficeHours(now.getTime() - ago, random)))
  if (ago <= 0 || at > now) return null
  const source = random() < 0.6 ? first : 'Website'
  const sent = sampleEnquiry(source, random) ?? { platform: null, origin: {}, answers: [] }
  return { ...sent, at, source, message: pickOne(leadNotes, random).replace('#', '4') }
}

function answerTo({ at }: RepeatEnquiry, { now, status, random }: Setting): SampleCall {
  const called = inOfficeHours(at.getTime() + around(hour, 1, random), random)
  const outcome = status === 'New' ? 'No Answer' : 'Completed'
  return sampleCall({ at: called, now: now.getTime(), call_type: 'Outbound', outcome, random })
}

/** Days from today, the last of them up to six. */
const promisedIn = chances([
  [-1, 15],
  [0, 30],
  [1, 25],
  [2, 30],
])

/** After this, a lead that was not called is forgotten, and goes cold. */
const maxPromiseMs = 10 * day

/** Returns when an open lead that was called is to be called again: by now, later today, tomorrow or in the days after it. */
function promisedAt(last: SampleCall | undefined, { now, status, random }: Setting): Date | null {
  if (!last || isClosed(status) || last.outcome === 'Missed' || random() < 0.4) return null
  if (now.getTime() - last.called_at.getTime() > maxPromiseMs) return null
  const today = Date.parse(`${istDay(now)}T00:00:00+05:30`)
  const days = draw(promisedIn, random)
  const onDay = today + (days === 2 ? wholeBetween(2, 6, random) : days) * day
  const at = new Date(onDay + 10 * hour + wholeBetween(0, 17, random) * 30 * minute)
  return at.getTime() > last.created_at.getTime() + 15 * minute ? at : null
}

function reasonOf(calls: SampleCall[], random: Random): string | null {
  const spoke = calls.some(({ outcome }) => outcome === 'Completed')
  if (!spoke) return 'Not reachable'
  return random() < 0.1 ? null : pickOne(lostReasons, random)
}
