import type { Text } from '../../../platform/languages/translate.ts'
import type { CallEvent, CallState } from '../../../telephony/calls/call-event.ts'
import type { CallOutcome } from '../../../telephony/calls/contract.ts'
import type { CallTarget } from '../contract.ts'
import { lines } from '../lead-draft.ts'
import type { CallShape } from '../senders/sender.ts'
import { durationIn, recordingIn, timeIn } from './call-values.ts'
import { directionIn, isForward, isWeak, outcomeIn, stateIn } from './call-words.ts'

/** A value that says something of a call. */
export interface Said {
  path: string
  value: string
  /** Its key, which may say the unit of a duration. */
  name: string
  reason: Text
  by: 'owner' | 'learned' | 'recognised'
  /** What words mean at this sender: regular expressions of whole values. */
  words?: Record<string, string> | undefined
}

export type CallPart = Exclude<keyof CallShape, 'utc'>

/** The values of each part of a call, the best first. */
export type CallParts = { [Part in CallPart]?: Said[] }

export const targetOf: { [Part in CallPart]?: CallTarget } = {
  id: 'call_id',
  direction: 'call_direction',
  outcome: 'call_outcome',
  state: 'call_state',
  started_at: 'call_start',
  talk_time: 'call_talk_time',
  agents: 'call_agent',
  recording: 'call_recording',
  notes: 'call_notes',
}

const limits = { id: 200, agents: 20, agent: 200, notes: 20_000 }

/** Returns the event that the values amount to, and those that were used. */
export function eventOf(parts: CallParts, utc: boolean): { call: CallEvent; used: [CallPart, Said][] } {
  const used: [CallPart, Said][] = []
  const first = <Value>(part: CallPart, read: (said: Said) => Value | undefined): Value | null => {
    for (const said of parts[part] ?? []) {
      const value = read(said)
      if (value === undefined) continue
      used.push([part, said])
      return value
    }
    return null
  }
  const all = (part: CallPart, read: (said: Said) => string | undefined) => [
    ...new Set(
      (parts[part] ?? []).flatMap((said) => {
        const value = read(said)
        if (value !== undefined) used.push([part, said])
        return value ?? []
      }),
    ),
  ]
  const word = <Word extends string>(part: CallPart, usual: (text: string) => Word | undefined) =>
    first(part, ({ value, words }) => declaredWord<Word>(value, words) ?? usual(value))
  const time = (part: CallPart) => first(part, ({ value }) => timeIn(value, utc))
  const outcome = outcomeOf(parts.outcome ?? [], used)
  const event = {
    platform_id: first('id', ({ value }) => value.trim().slice(0, limits.id) || undefined),
    direction: word('direction', directionIn),
    outcome,
    started_at: time('started_at'),
    answered_at: time('answered_at'),
    ended_at: time('ended_at'),
    talk_seconds: first('talk_time', ({ value, name }) => durationIn(value, name)),
    agents: agentsOf(all('agents', ({ value }) => value.trim() || undefined)),
    recording_url: first('recording', ({ value }) => recordingIn(value)),
    notes:
      all('notes', ({ value }) => lines(value))
        .join('\n')
        .slice(0, limits.notes)
        .toWellFormed() || null,
  }
  const said = parts.state ?? []
  const isOver = [event.ended_at, event.recording_url, event.talk_seconds || null].some((value) => value !== null)
  const declared = said
    .map(({ value, words }) => declaredWord<CallState>(value, words))
    .find((state) => state !== undefined)
  const usual = word('state', stateIn)
  const unsaid: CallState = said.length === 0 || isOver || outcome !== null ? 'ended' : 'ringing'
  const state = declared ?? (usual && isOver ? 'ended' : (usual ?? unsaid))
  const is_forwarded = [...said, ...(parts.outcome ?? [])].some(({ value, words }) => !words && isForward(value))
  const call = { ...event, state, outcome: state === 'ringing' ? null : outcome, ...(is_forwarded && { is_forwarded }) }
  return { call, used }
}

/** Several numbers or emails may be in one text. */
function agentsOf(texts: readonly string[]): string[] {
  const agents = texts.flatMap((text) => {
    const parts = text.slice(0, 2000).split(/[,;|]\s*/)
    return parts.every((part) => /^\+?\d[\d -]{1,15}$|^\S+@\S+$/.test(part)) ? parts : [text]
  })
  return [...new Set(agents)].slice(0, limits.agents).map((agent) => agent.slice(0, limits.agent))
}

function declaredWord<Word extends string>(value: string, words: Record<string, string> = {}): Word | undefined {
  const text = value.trim()
  const found = Object.entries(words).find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'is').test(text))
  return found?.[1] as Word | undefined
}

/** Returns the first value that says more than that the call is over. */
function outcomeOf(said: readonly Said[], used: [CallPart, Said][]): CallOutcome | null {
  let weak: { outcome: CallOutcome; one: Said } | undefined
  for (const one of said) {
    const declared = declaredWord<CallOutcome>(one.value, one.words)
    const outcome = declared ?? outcomeIn(one.value)
    if (outcome === undefined) continue
    if (declared === undefined && isWeak(one.value)) {
      weak ??= { outcome, one }
      continue
    }
    used.push(['outcome', one])
    return outcome
  }
  if (weak) used.push(['outcome', weak.one])
  return weak?.outcome ?? null
}
