import { type CallEvent, callStates } from './call-event.ts'
import type { CallLog, CallOutcome } from './contract.ts'

/** What the events of one call said, each field with the rank of the event that said it. */
export type CallFacts = {
  [Field in keyof CallEvent]?: { rank: number; value: NonNullable<CallEvent[Field]>; without?: string }
}

const maxAgents = 20
/** The notes of one event are as long at most, too. */
export const maxNotesLength = 20_000

/**
 * Joins the facts of a call with those of another event. The result does not depend on the order of the events, nor on how often one
 * comes: later states decide before earlier ones, and of equal events a fixed order decides.
 */
export function joinEvents(facts: CallFacts, event: CallEvent): CallFacts {
  const rank = callStates.indexOf(event.state)
  const joined: Record<string, { rank: number; value: unknown }> = { ...facts } as never
  for (const [field, value] of Object.entries(event)) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue
    const said = { rank, value: field === 'agents' ? unitedAgents(value as string[], []) : value }
    joined[field] = join(field as keyof CallEvent, joined[field] ?? said, said)
  }
  return joined as CallFacts
}

/** `without`: the first line for which the notes had no room. */
type Fact = { rank: number; value: unknown; without?: string }

function join(field: keyof CallEvent, one: Fact, other: Fact): Fact {
  const rank = Math.max(one.rank, other.rank)
  if (field === 'started_at') return { rank, value: first(one.value, other.value) }
  if (field === 'notes') return { rank, ...unitedLines(one as Notes, other as Notes) }
  if (one.rank !== other.rank) return one.rank > other.rank ? one : other
  return { rank, value: chosen(field, one.value, other.value) }
}

/** Chooses between two events of the same rank. */
function chosen(field: keyof CallEvent, one: unknown, other: unknown): unknown {
  if (field === 'agents') return unitedAgents(one as string[], other as string[])
  if (field === 'talk_seconds') return Math.max(one as number, other as number)
  if (field === 'answered_at') return first(one, other)
  // One leg that was answered decides for all: the outcomes are in this order.
  if (field === 'outcome') return outcomeOrder(one) <= outcomeOrder(other) ? one : other
  return String(one) >= String(other) ? one : other
}

const first = (one: unknown, other: unknown) => (String(one) <= String(other) ? one : other)

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
  let length = -1
  const end = lines.findIndex((line) => {
    length += line.length + 1
    return length > maxNotesLength
  })
  const without = end === -1 ? left : lines[end]
  return {
    value: (end === -1 ? lines : lines.slice(0, end)).join('\n'),
    ...(without !== undefined && { without }),
  }
}

/** A call as it is logged. */
export type EndedCall = Pick<CallLog, 'call_type' | 'outcome' | 'duration_seconds' | 'notes' | 'called_at'>

/**
 * Returns the call that the facts amount to. `received_at`: when its first event came, for calls without any time. The outcome follows the
 * direction: an inbound call without an answer is Missed, an outbound one No Answer. A call without a conversation has 0 seconds; a
 * conversation of unknown length has 1, because 0 is a missed call.
 */
export function callOf(facts: CallFacts, received_at: string): EndedCall {
  const call_type = facts.direction?.value ?? 'Inbound'
  const [started, answered, ended] = [facts.started_at, facts.answered_at, facts.ended_at].map((fact) => fact?.value)
  const length = facts.talk_seconds?.value ?? secondsBetween(answered, ended)
  const said = facts.outcome?.value
  const wasAnswered = said ? said === 'Completed' && length !== 0 : (length ?? 0) > 0 || answered !== undefined
  const unanswered = call_type === 'Inbound' ? 'Missed' : 'No Answer'
  const outcome = wasAnswered ? 'Completed' : said === 'Busy' || said === 'Voicemail' ? said : unanswered
  const duration_seconds = wasAnswered ? Math.max(1, length ?? secondsBetween(started, ended) ?? 1) : 0
  const called_at = started ?? answered ?? (ended ? secondsBefore(ended, duration_seconds) : received_at)
  return { call_type, outcome, duration_seconds, notes: facts.notes?.value ?? null, called_at }
}

function secondsBefore(time: string, seconds: number): string {
  return `${new Date(Date.parse(time) - seconds * 1000).toISOString().slice(0, 19)}Z`
}

function secondsBetween(from: string | undefined, until: string | undefined): number | null {
  if (from === undefined || until === undefined) return null
  return Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 1000))
}
