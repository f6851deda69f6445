import { type CallEvent, type CallState, callStates } from './call-event.ts'
import type { CallLog, CallOutcome } from './contract.ts'

type EventFacts = Omit<CallEvent, 'is_weak' | 'is_forwarded'>

/** What the events of one call said, each field with the rank of the event that said it. */
export type CallFacts = {
  [Field in keyof EventFacts]?: Fact<NonNullable<EventFacts[Field]>>
} & {
  /** An event says that somebody spoke. */
  answered?: Fact<true>
  /** It went on with another agent. */
  forwarded?: Fact<true>
  /** When the first event came that says so, with milliseconds. */
  answer_received?: Fact<string>
  end_received?: Fact<string>
  /** What a user said of it. */
  logged?: Fact<CallOfUser>
}

/** `isWeak`: of a weak end. `without`: the first line for which the notes had no room. */
interface Fact<Value = unknown> {
  rank: number
  value: Value
  isWeak?: true
  without?: string
}

/** A call that a user logged by hand or over the API. */
export interface CallOfUser extends Pick<CallLog, 'call_type' | 'outcome' | 'duration_seconds' | 'notes'> {
  called_by: string | null
  logged_at: string
}

const maxAgents = 20
/** The notes of one event are as long at most, too. */
export const maxNotesLength = 20_000

const rankOf = (state: CallState) => callStates.indexOf(state)

/**
 * Joins the facts of a call with those of another event. The result does not depend on the order of the events, nor on how often one
 * comes: later states decide before earlier ones, and of equal events a fixed order decides.
 */
export function joinEvents(facts: CallFacts, event: CallEvent): CallFacts {
  const rank = rankOf(event.state)
  const { is_weak, is_forwarded, ...fields } = event
  const said = {
    ...fields,
    // A call that rings has not lasted yet.
    talk_seconds: event.talk_seconds === 0 && event.state !== 'ended' ? null : event.talk_seconds,
    answered: saysAnswered(event) || null,
    forwarded: is_forwarded ?? null,
  }
  const joined: Record<string, Fact> = { ...facts } as never
  for (const [field, value] of Object.entries(said)) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue
    const fact: Fact = { rank, value: field === 'agents' ? unitedAgents(value as string[], []) : value }
    if (field === 'outcome' && value !== 'Completed' && (is_weak || is_forwarded)) fact.isWeak = true
    joined[field] = join(field, joined[field] ?? fact, fact)
  }
  return joined as CallFacts
}

/** Adds when an event was received. The first of each state counts, so that a repeated event changes nothing. */
export function withArrival(facts: CallFacts, state: CallState, received_at: Date): CallFacts {
  if (state === 'ringing') return facts
  const field = state === 'answered' ? 'answer_received' : 'end_received'
  const value = received_at.toISOString()
  return { ...facts, [field]: { rank: rankOf(state), value: first(facts[field]?.value ?? value, value) } }
}

/** Whether the event says that somebody spoke. Beside another outcome, an answer is that of a machine or of the agent. */
function saysAnswered({ state, outcome, is_weak, answered_at, talk_seconds }: CallEvent): boolean {
  if (outcome !== null && outcome !== 'Completed' && !is_weak) return false
  return state === 'answered' || answered_at !== null || (!is_weak && (talk_seconds ?? 0) > 0)
}

function join(field: string, one: Fact, other: Fact): Fact {
  const rank = Math.max(one.rank, other.rank)
  if (field === 'started_at') return { rank, value: first(one.value, other.value) }
  if (field === 'notes') return { rank, ...unitedLines(one as Notes, other as Notes) }
  if (one.isWeak !== other.isWeak) return one.isWeak ? other : one
  if (one.rank !== other.rank) return one.rank > other.rank ? one : other
  return { ...one, value: chosen(field, one.value, other.value) }
}

/** Chooses between two events of the same rank. */
function chosen(field: string, one: unknown, other: unknown): unknown {
  if (field === 'agents') return unitedAgents(one as string[], other as string[])
  if (field === 'talk_seconds') return Math.max(one as number, other as number)
  if (field === 'answered_at') return first(one, other)
  // One leg that was answered decides for all: the outcomes are in this order.
  if (field === 'outcome') return outcomeOrder(one) <= outcomeOrder(other) ? one : other
  return String(one) >= String(other) ? one : other
}

const first = <Value>(one: Value, other: Value) => (String(one) <= String(other) ? one : other)

const outcomesByWeight = ['Completed', 'Voicemail', 'Busy', 'No Answer', 'Missed'] satisfies CallOutcome[]
const outcomeOrder = (outcome: unknown) => outcomesByWeight.indexOf(outcome as CallOutcome)

const unitedAgents = (one: string[], other: string[]) => [...new Set([...one, ...other])].sort().slice(0, maxAgents)

type Notes = { value: string; without?: string }

/**
 * Joins the lines of notes in their order, up to the first line for which there is no room. It is kept, so that later ones are left out
 * whichever came first.
 */
function unitedLines(one: Notes, other: Notes): Notes {
  const left = [one.without, other.without].filter((line) => line !== undefined).sort()[0]
  const all = [...new Set([...one.value.split('\n'), ...other.value.split('\n')])].sort()
  const lines = left === undefined ? all : all.filter((line) => line < left)
  const room = linesWithin(lines, maxNotesLength)
  const without = lines[room] ?? left
  return { value: lines.slice(0, room).join('\n'), ...(without !== undefined && { without }) }
}

/** Returns how many of the first lines fit into so many characters. */
function linesWithin(lines: readonly string[], characters: number): number {
  let length = -1
  const end = lines.findIndex((line) => {
    length += line.length + 1
    return length > characters
  })
  return end === -1 ? lines.length : end
}

/** A call as it is logged. */
export type EndedCall = Pick<CallLog, 'call_type' | 'outcome' | 'duration_seconds' | 'notes' | 'called_at'>

/**
 * Returns the call that the facts amount to. `received_at`: when its first event came, for calls without any time. A call that was answered
 * is Completed, whatever its end says. An outbound one is not if only an earlier event says so and the end says otherwise: its agent
 * answered. Without an answer, an inbound call is Missed, an outbound one No Answer, of 0 seconds. A conversation of unknown length has 1,
 * because 0 is a missed call. What a user said of the call counts where it says more.
 */
export function callOf(facts: CallFacts, received_at: string): EndedCall {
  const logged = facts.logged?.value
  const call_type = facts.direction?.value ?? logged?.call_type ?? 'Inbound'
  const [started, answered, ended] = [facts.started_at, facts.answered_at, facts.ended_at].map((fact) => fact?.value)
  const given = facts.talk_seconds?.value
  const { value: said, isWeak = false } = facts.outcome ?? {}
  const isUnanswered = said !== undefined && said !== 'Completed' && !isWeak
  const isAgents = call_type === 'Outbound' && (facts.answered?.rank ?? 0) < rankOf('ended')
  const isRefuted = isUnanswered && (said === 'Voicemail' || isAgents)
  // Facts that were kept before version 0.3 do not say that it was answered.
  const saysNothing = said === undefined && ((given ?? 0) > 0 || answered !== undefined)
  const isAnswered = facts.answered !== undefined || said === 'Completed' || saysNothing
  const wasAnswered = given !== 0 && !isRefuted && isAnswered
  const unanswered = call_type === 'Inbound' ? 'Missed' : 'No Answer'
  const reported = wasAnswered ? 'Completed' : said === 'Busy' || said === 'Voicemail' ? said : unanswered
  const length =
    given ??
    secondsBetween(answered, ended) ??
    secondsBetween(started, ended) ??
    (logged?.duration_seconds || null) ??
    secondsBetween(facts.answer_received?.value, facts.end_received?.value)
  const duration_seconds = wasAnswered ? Math.max(1, length ?? 1) : 0
  const called_at = started ?? answered ?? (ended ? secondsBefore(ended, duration_seconds) : received_at)
  const notes = logged ? withNotes(logged.notes, facts.notes?.value) : (facts.notes?.value ?? null)
  return { call_type, outcome: moreExact(reported, logged?.outcome), duration_seconds, notes, called_at }
}

/** A user who says other than Completed, which is the default, has chosen it. */
function moreExact(reported: CallOutcome, logged: CallOutcome | undefined): CallOutcome {
  if (logged === undefined || logged === 'Completed') return reported
  return reported === 'Completed' || ((logged === 'Busy' || logged === 'Voicemail') && reported !== 'Voicemail')
    ? logged
    : reported
}

/** Adds the lines of the events to the notes of a user, while there is room. */
function withNotes(logged: string | null, reported: string | undefined): string | null {
  if (logged === null || reported === undefined) return logged ?? reported ?? null
  const own = logged.split('\n')
  const lines = [...own, ...reported.split('\n').filter((line) => !own.includes(line))]
  return lines.slice(0, Math.max(own.length, linesWithin(lines, maxNotesLength))).join('\n')
}

/** Whether it ended without an answer because it went on with another agent: the answer may be reported as another call. */
export const goesOn = ({ forwarded, outcome }: CallFacts, call: EndedCall) =>
  forwarded?.rank === rankOf('ended') &&
  (outcome === undefined || outcome.isWeak === true) &&
  call.outcome !== 'Completed'

function secondsBefore(time: string, seconds: number): string {
  return `${new Date(Date.parse(time) - seconds * 1000).toISOString().slice(0, 19)}Z`
}

function secondsBetween(from: string | undefined, until: string | undefined): number | null {
  if (from === undefined || until === undefined) return null
  return Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 1000))
}
