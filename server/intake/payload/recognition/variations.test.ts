import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
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

/** At least this share of payloads with one change is read as before. The reader is learned: it is not always right. */
const minShare = { spelledOtherwise: 0.95, besideOthers: 0.91 }

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

for (const [title, change] of changes) {
  test(`the same lead with ${title}`, () => assertSame(minShare.spelledOtherwise, (payload) => change(payload)))
}

const us = { name: 'Decoy Person', email: 'decoy@ours.example.com', phone: '9000099999', city: 'Nagpur' }
const strangers: [title: string, stranger: Entries][] = [
  ['an agent', { assigned_agent: us }],
  ['an owner', { owner: { id: 4, ...us }, contact_owner: 'Decoy Person', contact_owner_email: us.email }],
  ['an account', { account: { id: 'acc1', ...us } }],
  ['a team and a workspace', { team: us, workspace: { name: 'Decoy Space', owner_email: us.email } }],
  ['a branch', { location: { id: 'loc1', address: '1 Decoy Street', ...us } }],
  ['the firm itself', { business: { name: 'Decoy Firm', email: us.email, phone: us.phone } }],
  ['a form and a page', { form: { id: 'f1', name: 'Decoy Form' }, page: { title: 'Decoy', url: 'https://x.example' } }],
  [
    'names of forms and ads',
    { form_name: 'Decoy Form', campaign_name: 'Decoy Offer', ad_name: 'Decoy', page_title: 'D' },
  ],
  [
    'an order',
    {
      order: {
        id: 9_876_543_210,
        number: '9876543219',
        items: [{ name: 'Decoy Sofa', description: 'A soft grey sofa' }],
      },
    },
  ],
  ['ids and amounts', { order_id: '9876543210', invoice_no: '9876543211', pincode: '411001', amount: 9_876_543_212 }],
  ['consent', { consent: 'I agree to the privacy policy', terms_accepted: 'I accept the terms and conditions' }],
  ['a property', { property: { title: 'Decoy Villa', city: 'Nagpur', description: 'Lovely villa near the lake' } }],
  ['the address of a property', { property: { title: 'Decoy Villa', address: { street: 'Lake 1', city: 'Nagpur' } } }],
  ['our addresses', { notification_email: 'noreply@ours.example.com', support_phone: '18001234567', did: us.phone }],
  ['a product', { product: { title: 'Decoy Sofa', description: 'Very soft sofa with seats', vendor: 'Decoy Works' } }],
  ['a clinic', { doctor: { name: 'Dr Decoy', phone: us.phone }, clinic: us }],
  ['a store', { store_name: 'Decoy Store', shop_email: us.email, store_phone: us.phone }],
  ['a maker', { created_by: us, organizer: us, updated_by: 'Decoy Person' }],
  ['a browser', { user_agent: 'Mozilla/5.0 (X11; Linux)', ip_address: '203.0.113.7', page_url: 'https://x.example/c' }],
]

/** The owner of an animal is the lead, whoever owns what else. */
const namesOwner = (payload: Entries) => /"owner/i.test(JSON.stringify(payload))

for (const [title, stranger] of strangers) {
  test(`the same lead beside ${title}`, () =>
    assertSame(minShare.besideOthers, (payload, at) => {
      if (Object.keys(stranger).some((key) => Object.hasOwn(payload, key))) return undefined
      if ('owner' in stranger && namesOwner(payload)) return undefined
      return at % 2 === 0 ? { ...payload, ...stranger } : { ...stranger, ...payload }
    }))
}

test('the same lead with the keys the other way round', () =>
  assertSame(minShare.spelledOtherwise, (payload) => reversed(payload)))

/** Asserts that enough payloads have the same lead after a change, which is undefined where it does not apply. */
function assertSame(share: number, change: (payload: Entries, at: number) => unknown): void {
  const differing: string[] = []
  let changed = 0
  for (const [at, { platform, payload }] of someOf([...samples.entries()], 0)) {
    const other = change(payload, at)
    if (other === undefined) continue
    changed++
    if (!isDeepStrictEqual(read(other), leads.get(platform))) differing.push(platform)
  }
  assert.ok(
    differing.length <= (1 - share) * changed,
    `${differing.length} of ${changed} differ: ${differing.join(', ')}`,
  )
}
