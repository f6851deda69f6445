import { msg } from '@lingui/core/runtime-macro'
import { isWithheld } from '../../../crm/contacts/withheld.ts'
import type { Language } from '../../../platform/languages/contract.ts'
import { type Text, translate } from '../../../platform/languages/translate.ts'
import type { CallEvent } from '../../../telephony/calls/call-event.ts'
import type { CallTarget, FieldMatch, Warning } from '../contract.ts'
import { type EntryToRead, matchOrigin, placeOf } from '../manual-mapping.ts'
import { pathText } from '../path.ts'
import { distinctTexts, textOf } from '../plain-text.ts'
import type { Known } from '../senders/read-sender.ts'
import type { CallShape } from '../senders/sender.ts'
import { followPath } from '../structure/follow-path.ts'
import type { Leaf } from '../structure/leaves.ts'
import { isScalar, Opener } from '../structure/open-value.ts'
import { isBlank, lastDigits } from '../structure/values.ts'
import { type CallPart, type CallParts, eventOf, type Said, targetOf } from './call-parts.ts'
import { type CallNumbers, findCall } from './find-call.ts'

export interface CallReading {
  call: CallEvent | null
  /** Why each part of the call has its value. */
  picks: FieldMatch[]
  /** Where the customer's number and name are. */
  customer: EntryToRead[]
  /** The paths of numbers that the caller withholds. */
  withheld: ReadonlySet<string>
  warnings: Warning[]
  /** What belongs to the call, its agents and the business's lines, and so to no lead. */
  taken: readonly Leaf[]
  /** The last digits of the numbers that were called. */
  called: ReadonlySet<string>
  numbers: CallNumbers
  /** The mapped paths that the payload does not have. */
  absent: string[]
}

export const noCall: CallReading = {
  call: null,
  picks: [],
  customer: [],
  withheld: new Set(),
  warnings: [],
  taken: [],
  called: new Set(),
  numbers: { own: [], guessed: [] },
  absent: [],
}

const partOf = new Map(Object.entries(targetOf).map(([part, target]) => [target as string, part as CallPart]))

const partTexts: Record<string, Text> = {
  call_id: msg`id`,
  call_direction: msg`direction`,
  call_state: msg`state`,
  call_outcome: msg`outcome`,
  call_start: msg`start`,
  call_talk_time: msg`talk time`,
  call_agent: msg`agent`,
  call_recording: msg`recording`,
  call_notes: msg`notes`,
} satisfies Record<CallTarget, Text>

/** Reads what a payload says of a call: by the manual mapping first, then by what the sender declares, then by names and values. */
export function readCall(
  payload: Record<string, unknown>,
  leaves: readonly Leaf[],
  {
    mapping,
    sender,
    own: ownNumbers = [],
    language,
  }: {
    mapping: readonly EntryToRead[]
    sender: Known | undefined
    own?: readonly string[] | undefined
    language?: Language | undefined
  },
): CallReading {
  const opener = new Opener()
  const own = ofOwner(payload, mapping, opener)
  const shape = sender?.shape.call
  const isEvent = sender?.shape.is !== undefined
  const mapped = new Set(mapping.map(({ path }) => path))
  const free = leaves.filter(({ path }) => !mapped.has(pathText(path)))
  const isMapped = Object.keys(own.parts).length > 0
  const found = shape || isEvent ? null : findCall(free, isMapped, new Set(ownNumbers.map(lastDigits)))
  const parts: CallParts = { ...(shape ? ofSender(payload, shape, sender.name, opener) : found?.parts), ...own.parts }
  if (!shape && !found && !isMapped) return { ...noCall, absent: own.absent }
  const { call, used, unread } = eventOf(parts, shape?.utc === true)
  const said = Object.values(parts).flat()
  const whose = ownNumbers.length > 0 ? notInEarlierCalls : customersNumber
  const customer = [
    ...entriesOf(found?.customer ?? [], 'phone', translate(whose, language)),
    ...entriesOf(found?.name ?? [], 'name', translate(customersName, language)),
  ]
  const places = new Set(said.map(({ path }) => placeOf(payload, path, opener)?.at))
  const isSaid = ({ path }: Leaf) => places.has(followPath(payload, path, opener)?.at)
  return {
    call: { ...call, ...fixedWords(shape, own.parts) },
    picks: used.flatMap(([part, { path, value, by, ...said }]) => {
      const field = targetOf[part]
      if (!field) return []
      const reason = translate(said.reason, language)
      return { field, path, value, reason, by, ...(by === 'recognised' && { confidence: 'sure' as const }) }
    }),
    customer,
    withheld: new Set([
      ...withheldAt(payload, [...mapping, ...phonesOf(sender), ...customer], opener),
      ...(found?.withheld ?? []).map(({ path }) => pathText(path)),
    ]),
    warnings: unread.map(({ path, value }) => {
      const message = translate(
        msg`“${{ value: value.slice(0, 80) }}” at ${{ path }} is not a time that can be read`,
        language,
      )
      return { field: 'call_start', message }
    }),
    taken: [...leaves.filter(isSaid), ...(found?.taken ?? [])],
    called: found?.called ?? noCall.called,
    numbers: found?.numbers ?? noCall.numbers,
    absent: own.absent,
  }
}

const customersNumber = msg`Customer’s number of the call`
const customersName = msg`Customer’s name in the telephone system`
const notInEarlierCalls = msg`The other number is one of your business in earlier calls`

const entriesOf = (leaves: readonly Leaf[], field: 'phone' | 'name', reason: string): EntryToRead[] =>
  leaves.map(({ path }) => ({ path: pathText(path), field, reason, bySender: true }))

const phonesOf = (sender: Known | undefined) =>
  (sender?.shape.fields?.phone ?? []).map((path) => ({ path, field: 'phone' as const }))

/** Returns the paths of phones that hold what stands for a withheld number. */
function withheldAt(
  payload: unknown,
  entries: readonly Pick<EntryToRead, 'path' | 'field'>[],
  opener: Opener,
): string[] {
  const phones = entries.filter(({ field }) => field === 'phone').map(({ path }) => path)
  return phones.filter((path) => textsAt(payload, path, opener, () => false)?.some(isWithheld))
}

/** The words that are the same in every payload of a shape. */
function fixedWords(shape: CallShape | undefined, own: CallParts): Partial<CallEvent> {
  const fixed = (['state', 'direction', 'outcome'] as const).flatMap((part) => {
    const word = shape?.[part]
    return typeof word === 'string' && !own[part] ? [[part, word]] : []
  })
  return Object.fromEntries(fixed) as Partial<CallEvent>
}

function ofOwner(payload: unknown, mapping: readonly EntryToRead[], opener: Opener) {
  const parts: CallParts = {}
  const absent: string[] = []
  for (const { path, field, reason } of mapping) {
    const part = partOf.get(field)
    if (!part) continue
    const texts = textsAt(payload, path, opener)
    if (!texts && reason === undefined) absent.push(path)
    const said = (texts ?? []).map((value) => ({ path, value, name: path, ...matchOrigin(reason) }))
    if (said.length > 0) parts[part] = [...(parts[part] ?? []), ...said]
  }
  return { parts, absent }
}

function ofSender(payload: unknown, { utc: _, ...shape }: CallShape, name: string, opener: Opener): CallParts {
  const parts: CallParts = {}
  for (const [part, declared] of Object.entries(shape) as [CallPart, CallShape[CallPart]][]) {
    if (declared === undefined || typeof declared === 'string') continue
    const { at, words } = Array.isArray(declared) ? { at: declared, words: undefined } : declared
    const reason = msg`${{ sender: name }} sends the ${{ part: partTexts[targetOf[part] ?? ''] ?? msg`time` }} of the call here`
    parts[part] = at.flatMap((one): Said[] => {
      const [path = ''] = [one].flat()
      const texts = typeof one === 'string' ? textsAt(payload, one, opener) : joinedAt(payload, one, opener)
      return (texts ?? []).map((value) => ({ path, value, name: path, reason, by: 'recognised', words }))
    })
  }
  return parts
}

/** Returns a date and its time as one text; undefined if either is missing. */
function joinedAt(payload: unknown, paths: readonly string[], opener: Opener): string[] | undefined {
  const parts = paths.map((path) => textsAt(payload, path, opener)?.[0])
  return parts.includes(undefined) ? undefined : [parts.join(' ')]
}

/** Returns the texts at a path; undefined if the payload does not have it. */
function textsAt(payload: unknown, path: string, opener: Opener, isNone = isBlank): string[] | undefined {
  const place = placeOf(payload, path, opener)
  if (!place) return undefined
  const { value } = place
  if (typeof value === 'boolean') return [String(value)]
  const texts =
    Array.isArray(value) && value.every(isScalar) ? distinctTexts(value, maxTextLength) : [textOf(value, maxTextLength)]
  return texts.filter((text) => text !== undefined).filter((text) => !isNone(text.trim()))
}

const maxTextLength = 20_000
