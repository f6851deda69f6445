import {
  generatedPayloads,
  keyPayloads,
  type Person,
  type Pick,
  strangerRecord,
} from '../../test/generated-payloads.ts'
import keyNames from '../../test/key-names.json' with { type: 'json' }
import type { LabelledPayload } from '../../test/labelled-payloads.ts'

/**
 * Labelled payloads as other senders would write them: keys in another case, in an envelope, with fewer values, or beside records of
 * others. What is expected stays the same, so the learner sees what does not matter.
 */

type Entries = Record<string, unknown>
type Random = () => number

/** Returns a variation of each payload. The same payloads have the same variations. */
export function variationsOf<Sample extends LabelledPayload>(samples: readonly Sample[], random: Random): Sample[] {
  const people = peopleOf(samples, random)
  const strangers = samples.flatMap(strangersIn)
  const pick: Pick = (list) => list[Math.floor(random() * list.length)]!
  const beside = (sample: LabelledPayload) => {
    const thinned = thin(sample.payload, new Set(expectedTexts(sample)), random) as Entries
    const drawn = [pick(strangers), ...Object.entries(strangerRecord(pick(people), pick))]
    const added = drawn.filter(([key]) => !Object.hasOwn(thinned, key))
    const before = Object.fromEntries(added.filter(() => random() < 0.5))
    return { ...before, ...thinned, ...Object.fromEntries(added) }
  }
  return samples.map((sample) => {
    const together = random() < 0.75 ? beside(sample) : sample.payload
    const payload = random() < 0.5 ? reshaped(together, pick) : together
    return { ...sample, payload }
  })
}

/** The payload with its keys in another case, or in an envelope, or both. */
function reshaped(payload: Entries, pick: Pick): Entries {
  const texts = textsIn(payload)
  const spelling = pick([undefined, ...spellings])
  const respelled = spelling ? (rekeyed(payload, (key) => respell(key, spelling, texts)) as Entries) : payload
  return pick([(same: Entries) => same, ...envelopes])(respelled)
}

function expectedTexts({ expected }: LabelledPayload): string[] {
  return [expected].flat().flatMap((fields) => Object.values(fields).flatMap((text) => [text, ...text.split(' ')]))
}

/** Records of a payload that hold nothing of its lead: an agent, a shop, a product. */
function strangersIn(sample: LabelledPayload): [key: string, record: Entries][] {
  const expected = expectedTexts(sample).filter((text) => text.length > 3)
  if (expected.length === 0) return []
  return Object.entries(sample.payload).flatMap(([key, value]): [string, Entries][] => {
    if (!isEntries(value)) return []
    const text = JSON.stringify(value)
    const isOthers = /\p{L}/u.test(text) && text.length < 1000 && !expected.some((one) => text.includes(one))
    return isOthers ? [[key, value]] : []
  })
}

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()

const spellings: ((words: string[]) => string)[] = [
  (words) => words[0]!.toLowerCase() + words.slice(1).map(capital).join(''),
  (words) => words.map(capital).join(''),
  (words) => words.join('_').toLowerCase(),
  (words) => words.join('-').toLowerCase(),
  (words) => words.join('').toLowerCase(),
  (words) => words.map(capital).join(' '),
  (words) => words.join('_').toUpperCase(),
]

/** A key that a value names stays as it is: forms find their questions by it. */
function respell(key: string, spelling: (words: string[]) => string, texts: readonly string[]): string {
  const isName = /^[a-z][\w -]*$/i.test(key) && !/^[\da-f-]{16,}$/i.test(key)
  if (!isName || texts.some((text) => text.includes(key))) return key
  const apart = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  const words = apart.split(/[ _-]+/).filter((word) => word !== '')
  return words.length === 0 ? key : spelling(words)
}

function rekeyed(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rekeyed(item, rename))
  if (!isEntries(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), rekeyed(inner, rename)]))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const envelopes: ((payload: Entries) => Entries)[] = [
  (payload) => ({ data: payload }),
  (payload) => ({ event: 'created', payload }),
  (payload) => ({ headers: { host: 'example.com' }, body: payload }),
  (payload) => ({ records: [payload] }),
  (payload) => ({ id: 'evt_8f3a', type: 'new', data: { object: payload } }),
  (payload) => ({ payload: JSON.stringify(payload) }),
]

/** Leaves out half of the values that are neither expected nor say what the payload is about. */
function thin(value: unknown, expected: ReadonlySet<string>, random: Random): unknown {
  if (!isEntries(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !isSpare(inner, expected) || random() < 0.5)
      .map(([key, inner]) => [key, thin(inner, expected, random)]),
  )
}

function isSpare(value: unknown, expected: ReadonlySet<string>): boolean {
  if (value === null || typeof value === 'number') return !expected.has(String(value))
  return typeof value === 'string' && /\d{4}|https?:/.test(value) && !/@/.test(value) && !expected.has(value)
}

/** Returns generated payloads as labelled ones, filled with the names and notes that payloads expect. */
export function generatedSamples(samples: readonly LabelledPayload[], random: Random): LabelledPayload[] {
  const expected = samples.flatMap((sample) => [sample.expected].flat())
  const texts = expected.flatMap(({ notes }) => (notes !== undefined && notes.length > 12 ? [notes] : []))
  const people = peopleOf(samples, random)
  const generated = [
    ...keyPayloads(keyNames, { people, texts }),
    ...generatedPayloads(4000, { people, texts, seed: 5 }),
  ]
  return generated.map(({ kind, payload, expected }, at) => ({
    platform: `generated${at}`,
    family: 'generated',
    origin: kind,
    payload,
    expected,
  }))
}

/** Returns people with the names that payloads expect. */
function peopleOf(samples: readonly LabelledPayload[], random: Random): Person[] {
  const expected = samples.flatMap((sample) => [sample.expected].flat())
  return expected.flatMap(({ name }) => {
    if (name === undefined || name.length > 30 || !/\p{L}/u.test(name)) return []
    const local = name.toLowerCase().replace(/[^a-z]+/g, '.')
    return [{ name, email: `${local}${Math.floor(random() * 90)}@example.com`, phone: phoneFrom(random) }]
  })
}

const phoneFrom = (random: Random) => {
  const number = String(6_000_000_000 + Math.floor(random() * 3_999_999_999))
  const formats = [number, `+91${number}`, `91${number}`, `+91 ${number.slice(0, 5)} ${number.slice(5)}`]
  return formats[Math.floor(random() * formats.length)]!
}
