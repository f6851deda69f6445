import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { judgedFields, payloadCorpus, readRecords } from '#test/labelled-payloads.ts'
import { type CallFacts, callOf, type EndedCall, joinEvents } from '../../../telephony/calls/join-events.ts'
import { readPath } from '../path.ts'
import { readBody } from '../read-body.ts'
import { type PayloadContent, readPayloadSync } from '../reading.ts'
import { findSender } from './read-sender.ts'
import { senders } from './sender.ts'

type Expected = Record<string, unknown>

const senderOf = (payload: unknown) => {
  const body = readBody(Buffer.from(JSON.stringify(payload)), 'application/json')
  return 'payload' in body ? findSender(body.isList ? (body.payload.records as never)[0] : body.payload) : undefined
}

/** The fields of a lead as a sample writes them. A name that was taken from a contact was not sent. */
function fieldsOf({ reading: { lead, picks } }: PayloadContent): Expected {
  const isNamed = picks.some(({ field }) => field.endsWith('name'))
  const fields = judgedFields.filter((field) => lead[field] !== undefined && (field !== 'name' || isNamed))
  const others = lead.other_contacts?.map(({ value }) => value)
  return {
    ...Object.fromEntries(fields.map((field) => [field, lead[field]])),
    ...(others && { other_contacts: others }),
  }
}

/** Samples that state what is right, and are not read so yet. */
const misread = new Set(
  `cashfree/sample-checkout myoperator/sequence-in-call myoperator/sequence-in-call-missed shopify/sample-checkout shopify/sample-order`
    .split(/\s+/)
    .map((name) => `${name}.json`),
)

function assertEnquiries(name: string, read: Expected[], expected: Expected[]) {
  if (misread.has(name)) assert.notDeepEqual(read, expected, `${name} is read as it should be: take it off the list`)
  else assert.deepEqual(read, expected)
}

/** The enquiry of a lead as a sample writes it, without what is empty. What makes no lead has none. */
function enquiryOf({ reading: { lead, enquiry } }: PayloadContent): Expected {
  if (Object.keys(lead).length === 0) return {}
  const { origin, answers, consent } = enquiry
  return {
    ...(Object.keys(origin).length > 0 && { origin }),
    ...(answers.length > 0 && { answers }),
    ...(consent && { consent }),
  }
}

test('the paths of what senders declare of enquiries can be read', () => {
  for (const [folder, { shapes }] of senders)
    for (const { enquiry: { origin = {}, ...parts } = {} } of shapes)
      for (const path of [...Object.values(origin), ...Object.values(parts)].flat())
        assert.ok(readPath(path), `${folder}: ${path}`)
})

for (const folder of senders.keys()) {
  const guide = join(import.meta.dirname, folder, 'guide.md')
  const samples = globSync('sample*.json', { cwd: join(import.meta.dirname, folder) }).sort()

  test(`${folder} has a sample`, () => assert.ok(samples.length > 0))

  if (existsSync(guide))
    test(`the payloads in the guide of ${folder} are known`, () => {
      for (const [, json] of readFileSync(guide, 'utf8').matchAll(/^```json\n(.*?)^```$/gms))
        assert.equal(senderOf(JSON.parse(json!))?.folder, folder)
    })

  for (const sample of samples) {
    test(`${folder}/${sample} is read as expected`, () => {
      const { payload, expected, enquiry, call } = JSON.parse(
        readFileSync(join(import.meta.dirname, folder, sample), 'utf8'),
      )
      assert.equal(senderOf(payload)?.folder, folder)
      const leads = readRecords(payload)
      assert.deepEqual(leads.map(fieldsOf), Array.isArray(expected) ? expected : [expected])
      const enquiries = leads.map(enquiryOf)
      assertEnquiries(`${folder}/${sample}`, enquiries, [enquiry ?? leads.map(() => ({}))].flat())
      const bridged = readRecords({ headers: {}, body: payload })
      assert.deepEqual(bridged.map(fieldsOf), leads.map(fieldsOf), 'under the body of a bridge')
      if (!misread.has(`${folder}/${sample}`))
        assert.deepEqual(bridged.map(enquiryOf), enquiries, 'under the body of a bridge')
      if (call !== undefined) assert.deepEqual(leads.map(saidOf), [call])
      for (const { reading, event, is_own } of leads) {
        const isLead = Object.keys(reading.lead).length > 0
        assert.equal(event !== null || is_own, !isLead)
        if (!isLead) assert.ok(!event?.has_contact, 'an event without a lead needs no attention')
      }
    })
  }
}

/** What an event says of a call, as a sample writes it. */
const saidOf = ({ call }: PayloadContent) =>
  call && Object.fromEntries(Object.entries(call).filter(([, said]) => said !== null && String(said) !== ''))

type Sequence = {
  events: unknown[]
  phone: string
  call: Partial<EndedCall>
  /** What each event says that says anything of it. */
  enquiry?: Expected
  agents?: string[]
  recording_url?: string
}

for (const [folder] of senders)
  for (const file of globSync('sequence*.json', { cwd: join(import.meta.dirname, folder) }).sort())
    test(`the events of ${folder}/${file} are one call in every order`, () => {
      const sequence: Sequence = JSON.parse(readFileSync(join(import.meta.dirname, folder, file), 'utf8'))
      const events = sequence.events.map((payload) => {
        assert.equal(senderOf(payload)?.folder, folder)
        const [content] = readRecords(payload) as [PayloadContent]
        const { call, reading } = content
        const enquiry = enquiryOf(content)
        const isSilent = Object.keys(enquiry).length === 0
        if (!isSilent) assertEnquiries(`${folder}/${file}`, [enquiry], [sequence.enquiry ?? {}])
        assert.ok(call, `is read as a call: ${JSON.stringify(payload)}`)
        if (reading.lead.phone !== undefined) assert.equal(reading.lead.phone, sequence.phone)
        return call
      })
      const ids = new Set(events.flatMap(({ platform_id }) => platform_id ?? []))
      assert.ok(ids.size <= 1, `has one id: ${[...ids]}`)
      for (const order of ordersOf(events))
        for (const sent of [order, [...order, ...order]]) {
          const facts = sent.reduce<CallFacts>(joinEvents, {})
          const { agents, recording_url } = facts
          const call = callOf(facts, '2026-11-18T09:30:00Z')
          assert.deepEqual({ ...call, notes: call.notes ?? undefined }, { notes: undefined, ...sequence.call })
          if (sequence.agents) assert.deepEqual(agents?.value, sequence.agents.toSorted())
          assert.equal(recording_url?.value, sequence.recording_url)
        }
    })

/** All orders of a few events, or some of many. */
function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 4) return permutations(items)
  return Array.from({ length: 24 }, (_, seed) =>
    items.toSorted((one, other) => placeIn(items, one, seed) - placeIn(items, other, seed)),
  )
}

const placeIn = <T>(items: readonly T[], item: T, seed: number) =>
  (Math.sin((items.indexOf(item) + 1) * (seed + 1) * 12.9898) * 43758.5453) % 1

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

test('the manual mapping comes first, then what was learned from it, then the sender, then recognition', () => {
  const enquiry = {
    UNIQUE_QUERY_ID: '2840019921',
    SENDER_NAME: 'Mukesh Agarwal',
    SENDER_MOBILE: '+91-9829012345',
    SENDER_COMPANY: 'Agarwal Packaging House',
    SENDER_CITY: 'Jaipur',
    SENDER_STATE: 'Rajasthan',
    SUBJECT: 'Corrugated boxes',
    QUERY_MESSAGE: '2000 pieces a month',
  }
  const reading = readPayloadSync({
    body: Buffer.from(JSON.stringify(enquiry)),
    content_type: 'application/json',
    mapping: [
      { path: 'SUBJECT', field: 'notes' },
      { path: 'SENDER_COMPANY', field: 'ignore' },
      { path: 'SENDER_STATE', field: 'city', reason: 'Mapped on another webhook' },
    ],
    country: 'IN',
  })
  assert.ok('reading' in reading)
  const found = reading.reading.picks.map(({ field, path, by }) => [field, path, by])
  assert.deepEqual(found, [
    ['notes', 'SUBJECT', 'owner'],
    ['city', 'SENDER_STATE', 'learned'],
    ['name', 'SENDER_NAME', 'recognised'],
    ['phone', 'SENDER_MOBILE', 'recognised'],
  ])
  const name = reading.reading.picks.find(({ field }) => field === 'name')
  assert.equal(name?.reason, 'IndiaMART sends the name here')
  assert.equal(name?.confidence, 'sure')
})

test('a sender’s placeholder is no name, but a surname that looks like one is', () => {
  const order = { order_number: 1009, line_items: [], email: 'jennifer@example.com' }
  const nameOf = (customer: object) => readRecords({ ...order, customer })[0]!.reading.lead.name
  assert.equal(nameOf({ first_name: 'Jennifer', last_name: 'Null' }), 'Jennifer Null')
  assert.equal(nameOf({ first_name: 'Jennifer', last_name: 'N/A' }), 'Jennifer')
  assert.equal(nameOf({ first_name: 'N/A', last_name: 'N/A' }), 'jennifer@example.com')
})

/** The names in the corpus of a sender and of platforms that pass on what it sends, if they are not its folder's first word. */
const named: Record<string, RegExp> = {
  '11za': /^(11za|eleven_za)_/,
  'contact-form-7': /^(contact_form_7|cf7)/,
  freshsales: /^fresh(sales|works)_/,
  gohighlevel: /^(gohighlevel|voice_agent_call_end)/,
  'google-ads': /^(google|gads)_/,
  hubspot: /^(hubspot|property_history_sources)/,
  interakt: /^(interakt|customer_traits_message)/,
  leadsquared: /^lead_?squared_/,
  'meta-lead-ads': /meta|^facebook_/,
  'meta-messaging': /^(instagram_messaging|messenger_)/,
  'microsoft-forms': /^(microsoft_forms|power_automate)_/,
  myoperator: /^myop/,
  razorpay: /^(razorpay_|payment_entity)/,
  'respond-io': /^respond_?io/,
  sohtec: /^(sohtec|portal_imovel)_/,
  'tata-smartflo': /^(smartflo|servetel)_/,
  whatsapp: /^(whatsapp|360dialog|fast2sms|gupshup|sendzen)_/,
  'zoho-crm': /^zoho_crm/,
  'zoho-forms': /^zoho_forms/,
}

test('the marks of a sender match payloads of no other platform', () => {
  const matched = payloadCorpus().flatMap(({ platform, payload }) => {
    const folder = senderOf(payload)?.folder
    return folder === undefined ? [] : [{ platform, folder }]
  })
  const isOther = ({ platform, folder }: (typeof matched)[number]) =>
    !(named[folder]?.test(platform) ?? platform.split('_').includes(folder.split('-')[0]!))
  assert.deepEqual(matched.filter(isOther), [])
  assert.ok(matched.length > 30)
})
