import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { judgedFields, payloadCorpus } from '#test/labelled-payloads.ts'
import { readBody } from '../read-body.ts'
import { type PayloadContent, readPayloadSync } from '../reading.ts'
import { findSender } from './read-sender.ts'
import { senders } from './sender.ts'

type Expected = Record<string, unknown>

const read = (body: string): PayloadContent => {
  const reading = readPayloadSync({
    body: Buffer.from(body),
    content_type: 'application/json',
    mapping: [],
    country: 'IN',
  })
  if ('problem' in reading) throw new Error(reading.problem)
  return reading
}

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

for (const folder of senders.keys()) {
  const samples = globSync('sample*.json', { cwd: join(import.meta.dirname, folder) }).sort()

  test(`${folder} has a sample`, () => assert.ok(samples.length > 0))

  for (const sample of samples) {
    test(`${folder}/${sample} is read as expected`, () => {
      const { payload, expected } = JSON.parse(readFileSync(join(import.meta.dirname, folder, sample), 'utf8'))
      assert.equal(senderOf(payload)?.folder, folder)
      const whole = read(JSON.stringify(payload))
      const leads = whole.records?.map(read) ?? [whole]
      assert.deepEqual(leads.map(fieldsOf), Array.isArray(expected) ? expected : [expected])
      for (const { reading, event, is_own } of leads) {
        const isLead = Object.keys(reading.lead).length > 0
        assert.equal(event !== null || is_own, !isLead)
        if (!isLead) assert.ok(!event?.has_contact, 'an event without a lead needs no attention')
      }
    })
  }
}

test('the mapping of the owner comes first, then what was learned from it, then the sender, then recognition', () => {
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
  assert.equal(name?.confidence, 'certain')
})

/** Platforms that pass on what the sender sent, or have another name in the corpus. */
const relays: Record<string, RegExp> = {
  'google-ads': /^gads_/,
  'meta-lead-ads': /^facebook_/,
  whatsapp: /^(360dialog|fast2sms|gupshup|sendzen)_/,
}

test('the marks of a sender match payloads of no other platform', () => {
  const matched = payloadCorpus().flatMap(({ platform, payload }) => {
    const folder = senderOf(payload)?.folder
    return folder === undefined ? [] : [{ platform, folder }]
  })
  const isOther = ({ platform, folder }: (typeof matched)[number]) =>
    !platform.split('_').includes(folder.split('-')[0]!) && !relays[folder]?.test(platform)
  assert.deepEqual(matched.filter(isOther), [])
  assert.ok(matched.length > 30)
})
