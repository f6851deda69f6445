import type { Text } from '../../../platform/languages/translate.ts'
import type { CallEvent, CallState } from '../../../telephony/calls/call-event.ts'
import type { CallOutcome } from '../../../telephony/calls/contract.ts'
import type { CallTarget } from '../contract.ts'
import { lines } from '../lead-draft.ts'
import type { CallShape } from '../senders/sender.ts'
import { durationIn, isNoTime, isRecordingFile, recordingIn, saysUtc, timeIn } from './call-values.ts'
import { directionIn, isForward, outcomeIn, stateIn, weaknessOf } from './call-words.ts'

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
  /** A duration that may count the ringing. */
  isWhole?: boolean
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

export interface ReadEvent {
  call: CallEvent
  /** The values that were used. */
  used: [CallPart, Said][]
  /** Times of the call that cannot be read. */
  unread: Said[]
}

/** Returns the event that the values amount to. */
export function eventOf(parts: CallParts, utc: boolean): ReadEvent {
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
  const unread: Said[] = []
  const time = (part: CallPart) => {
    const read = first(part, ({ value, name }) => timeIn(value, utc || saysUtc(name)))
    if (read === null) unread.push(...(parts[part] ?? []).filter(({ value }) => !isNoTime(value)).slice(0, 1))
    return read
  }
  const [started_at, answered_at, ended_at] = [time('started_at'), time('answered_at'), time('ended_at')]
  const maxSeconds = (Date.parse(ended_at ?? '') - Date.parse(started_at ?? answered_at ?? '')) / 1000 || undefined
  const talk_seconds = first('talk_time', ({ value, name }) => durationIn(value, name, maxSeconds))
  const length = talk_seconds ?? 0
  const isWhole = used.find(([part]) => part === 'talk_time')?.[1].isWhole === true
  const hasTalk = answered_at !== null || (length > 0 && !isWhole)
  const { outcome, is_weak } = outcomeOf(parts.outcome ?? [], used, { hasTalk, hasLength: length > 0 })
  const recording_url = first('recording', ({ value }) => recordingIn(value))
  const files =
    recording_url === null ? all('recording', ({ value }) => (isRecordingFile(value) ? value : undefined)) : []
  const event = {
    platform_id: first('id', ({ value }) => value.trim().slice(0, limits.id) || undefined),
    direction: word('direction', directionIn),
    started_at,
    answered_at,
    ended_at,
    talk_seconds,
    agents: agentsOf(all('agents', ({ value }) => value.trim() || undefined)),
    recording_url,
    notes:
      [...all('notes', ({ value }) => lines(value)), ...files.map((file) => `Recording: ${file}`)]
        .join('\n')
        .slice(0, limits.notes)
        .toWellFormed() || null,
  }
  const said = parts.state ?? []
  const isOver = ended_at !== null || recording_url !== null || files.length > 0 || length > 0
  const declared = said
    .map(({ value, words }) => declaredWord<CallState>(value, words))
    .find((state) => state !== undefined)
  const usual = word('state', stateIn)
  const unsaid: CallState = said.length === 0 || isOver || outcome !== null ? 'ended' : 'ringing'
  const state = declared ?? (usual && isOver ? 'ended' : (usual ?? unsaid))
  const is_forwarded = [...said, ...(parts.outcome ?? [])].some(({ value, words }) => !words && isForward(value))
  const ending = state === 'ringing' ? { outcome: null } : { outcome, ...(is_weak && { is_weak }) }
  return { call: { ...event, state, ...ending, ...(is_forwarded && { is_forwarded }) }, used, unread }
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

/**
 * Returns the outcome that is said most clearly. What says only who or what ended the call counts as unanswered, weakly, unless there was a
 * conversation.
 */
function outcomeOf(
  said: readonly Said[],
  used: [CallPart, Said][],
  { hasTalk, hasLength }: { hasTalk: boolean; hasLength: boolean },
): { outcome: CallOutcome | null; is_weak?: true } {
  const read = said.flatMap((one) => {
    const declared = declaredWord<CallOutcome>(one.value, one.words)
    const outcome = declared ?? outcomeIn(one.value, one.name)
    return outcome ? [{ one, outcome, weakness: declared ? undefined : weaknessOf(one.value) }] : []
  })
  const [clear] = read.filter(({ weakness }) => weakness === undefined)
  // A cause says why the call was not answered.
  const cause =
    clear?.outcome === 'No Answer' || clear?.outcome === 'Missed'
      ? read.find(({ one, outcome }) => outcome === 'Busy' && /cause|reason/i.test(one.name))
      : undefined
  const ending = read.find(({ weakness }) => weakness === 'ending')
  const over = read.find(({ weakness }) => weakness === 'over')
  const chosen = cause ?? clear ?? ending ?? over
  if (!chosen) return { outcome: null }
  used.push(['outcome', chosen.one])
  if (chosen !== ending) return { outcome: chosen.outcome }
  return hasTalk || (over && hasLength) ? { outcome: 'Completed' } : { outcome: chosen.outcome, is_weak: true }
}
