import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOf } from '#test/budget.ts'
import { samplePayloads as samples } from '#test/labelled-payloads.ts'
import { recognisedFields as read } from '#test/recognised-fields.ts'

type Entries = Record<string, unknown>
type Change = (payload: Entries) => unknown

/** What is read from each payload as it is. */
const leads = new Map(samples.map(({ platform, payload }) => [platform, read(payload)]))

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Answers are found by ids in some forms: a key that a value names stays as it is. */
function respelled(payload: Entries, spell: (words: string[]) => string): unknown {
  const texts = textsIn(payload)
  const isNamed = (key: string) => texts.some((text) => text === key || text.includes(`"${key}"`))
  const isName = (key: string) => /^[a-z][\w -]*$/i.test(key) && !/^[\da-f-]{16,}$/i.test(key) && !isNamed(key)
  return rekeyed(payload, (key) => (isName(key) ? spell(wordsOf(key)) : key))
}

function rekeyed(value: unknown, respell: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rekeyed(item, respell))
  if (!isEntries(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [respell(key), rekeyed(inner, respell)]))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function wordsOf(key: string): string[] {
  const apart = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  return apart.split(/[ _-]+/).filter((word) => word !== '')
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isEntries(value)) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]))
}

/** The payload as a list of questions and answers; undefined for one that is nested or has no contact. */
function questions(payload: Entries): unknown {
  const entries = Object.entries(payload)
  const texts = new Set(textsIn(payload))
  const isNested = entries.some(([key, inner]) => (typeof inner === 'object' && inner !== null) || texts.has(key))
  const { email, phone } = read(payload)
  if (isNested || (email ?? phone) === undefined) return undefined
  return { entries: entries.map(([question, answer]) => ({ question, answer })) }
}

function asText(payload: Entries): Entries {
  const text = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, text(value)]))
}

const changes: [title: string, change: Change][] = [
  ['keys in camelCase', (payload) => respelled(payload, camel)],
  ['keys in snake_case', (payload) => respelled(payload, (words) => words.join('_').toLowerCase())],
  ['keys in kebab-case', (payload) => respelled(payload, (words) => words.join('-').toLowerCase())],
  ['keys in Words', (payload) => respelled(payload, (words) => words.map(capital).join(' '))],
  ['keys in CAPITALS', (payload) => respelled(payload, (words) => words.join('_').toUpperCase())],
  ['an envelope of data', (payload) => ({ data: payload })],
  ['an event and its payload', (payload) => ({ event: 'lead.created', payload })],
  ['a body beside headers', (payload) => ({ headers: { host: 'hooks.example.com' }, body: payload })],
  ['a list of one', (payload) => [payload]],
  ['JSON in a text', (payload) => ({ payload: JSON.stringify(payload) })],
  ['nested values as JSON', asText],
  ['questions and answers', questions],
]

function camel(words: string[]): string {
  return words[0]!.toLowerCase() + words.slice(1).map(capital).join('')
}

// Payload by payload: what its keys mean is worked out once.
for (const [family, payloads] of Map.groupBy(samples, (sample) => sample.family)) {
  test(`spelled or nested otherwise, the same lead: ${family}`, () => {
    for (const [at, { platform, payload }] of payloads.entries())
      for (const [title, change] of someOf(changes, at)) {
        const changed = change(payload)
        if (changed === undefined) continue
        assert.deepEqual(read(changed), leads.get(platform), `${platform}, ${title}`)
      }
  })
}

test('with the keys the other way round, the same fields are found', () => {
  // Which of two numbers or companies is the lead's may depend on their order.
  for (const { platform, payload } of someOf(samples, 0)) {
    const found = Object.keys(read(reversed(payload))).sort()
    assert.deepEqual(found, Object.keys(leads.get(platform)!).sort(), platform)
  }
})
