import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, User } from '../../../access/account/users.ts'
import { translate } from '../../../platform/languages/translate.ts'
import type { CallEvent } from '../../../telephony/calls/call-event.ts'
import type { Webhook } from '../store.ts'
import { type Decision, decide, decideRecord } from './decide.ts'
import { type Delivery, nothingRead, type ReadDelivery } from './delivery.ts'

const user = (id: string, active = true) => ({ id, email: `${id}@acme.example`, name: id, active }) as User
const account = { id: 'acme', country: 'IN', users: [user('bela'), user('zoya', false)] } as Account
const webhook = {
  account_id: 'acme',
  id: 'w',
  name: 'Website',
  source_label: 'Portal',
  default_assignee: null,
  default_status: 'New',
  default_source: null,
  default_tags: [],
  secret_token: null,
} as unknown as Webhook
const delivery = { account_id: 'acme', id: 'd', webhook_id: 'w', received_at: new Date(0) } as Delivery
const given = { account, webhook, delivery }

const call = { platform_id: 'c1', state: 'ended', direction: 'Outbound' } as CallEvent
const event = { challenge: null, plain_token: null, has_contact: false }
const meera = { name: 'Meera', phone: '9810012345' }

const read = (more: Partial<ReadDelivery>): ReadDelivery => ({ ...nothingRead, ...more })

/** A decision in a line: its kind, and why it makes no lead. */
function textOf(decision: Decision): string {
  if (decision.kind === 'batch') return `batch ${decision.bodies.length}`
  if (decision.kind === 'rejected') return `rejected: ${decision.problem.message}`
  if (decision.kind === 'ignored' || decision.kind === 'test') {
    const marks = [
      decision.attention && 'attention',
      decision.isLearned && 'learned',
      decision.challenge && 'challenge',
    ]
    return [decision.kind, ...marks.filter(Boolean)].join(' ').concat(`: ${translate(decision.reason)}`)
  }
  return decision.kind
}

const decisions: [what: string, ReadDelivery, expected: RegExp, more?: { isOwnTest?: true; secret_token?: string }][] =
  [
    ['a lead', read({ lead: meera }), /^lead$/],
    ['several records', read({ lead: meera, records: ['{}', '{}'] }), /^batch 2$/],
    ['a body that cannot be read', read({ problem: 'The body is empty' }), /^rejected: The body is empty\.$/],
    ['no contact', read({ lead: { name: 'Meera' } }), /^rejected: No email and no phone was found/],
    [
      'an invalid phone alone',
      read({ lead: { name: 'Meera' }, warnings: [{ field: 'phone', message: '“12” is not a valid phone number' }] }),
      /^rejected: “12” is not a valid phone number, and there is no other contact\.$/,
    ],
    ["a platform's test", read({ lead: meera, is_test: true }), /^test learned: A test lead of the platform/],
    ['a test from the settings', read({ lead: meera, is_test: true }), /^test: A test from/, { isOwnTest: true }],
    ['a message of the business', read({ lead: meera, is_own: true }), /^ignored: A message that the business itself/],
    ['its message without a contact', read({ event, is_own: true }), /^ignored: A message that the business itself/],
    ['a call with the number', read({ lead: meera, call }), /^lead$/],
    ['a call without the number', read({ event, call }), /^call$/],
    ['a call without number and id', read({ event, call: { ...call, platform_id: null } }), /^ignored: No lead field/],
    ['a call of a test', read({ event, call, is_test: true }), /^test learned: /],
    ['an event', read({ event }), /^ignored: No lead field was recognised: /],
    ['an event with a contact', read({ event: { ...event, has_contact: true } }), /^ignored attention: No lead field/],
    ['a handshake', read({ event: { ...event, challenge: 'x' } }), /^test challenge: A handshake/],
    [
      "Zoom's check",
      read({ event: { ...event, plain_token: 'x' } }),
      /^test challenge: .* Zoom/,
      { secret_token: 's' },
    ],
    ["Zoom's check without the secret", read({ event: { ...event, plain_token: 'x' } }), /^ignored: Zoom .* needs/],
  ]
for (const [what, found, expected, { isOwnTest, secret_token = null } = {}] of decisions)
  test(`${what} becomes ${expected.source}`, () => {
    const decision = decide({ ...given, webhook: { ...webhook, secret_token }, isOwnTest }, found)
    assert.match(textOf(decision), expected)
  })

test('the first record of a batch is decided about by itself', () => {
  assert.equal(decideRecord(given, read({ lead: meera, records: ['{}', '{}'] })).kind, 'lead')
})

function leadOf(found: Partial<ReadDelivery>, more: Partial<Webhook> = {}) {
  const decision = decideRecord({ ...given, webhook: { ...webhook, ...more } }, read({ lead: meera, ...found }))
  assert.ok(decision.kind === 'lead')
  return decision
}

test('a submission has the fields of the payload and the defaults of the webhook', () => {
  const { submission } = leadOf({ lead: { ...meera, city: 'Pune' } }, { default_source: 'Ads', default_tags: ['hot'] })
  assert.deepEqual(submission.given, { ...meera, city: 'Pune', tags: ['hot'] })
  assert.deepEqual(submission.defaults, { source: 'Ads', status: 'New', priority: 'Medium' })
  assert.deepEqual([submission.sender, submission.received_at], ['the webhook “Website”', delivery.received_at])
  assert.equal(leadOf({}).submission.defaults.source, 'Portal')
})

test('only an active user becomes the assignee; another one is a warning', () => {
  const known = leadOf({ lead: { ...meera, assigned_to: 'BELA@acme.example' } })
  assert.deepEqual([known.submission.given.assigned_to, known.warnings], ['bela', []])
  const inactive = leadOf({ lead: { ...meera, assigned_to: 'zoya@acme.example' } }, { default_assignee: 'zoya' })
  assert.deepEqual([inactive.submission.given.assigned_to, inactive.submission.assignment.otherwise], [undefined, null])
  assert.deepEqual(
    inactive.warnings.map(({ message }) => message),
    [
      '“zoya@acme.example” is not an active user and was not used',
      'The default assignee is deactivated and was not used',
    ],
  )
  assert.equal(leadOf({}, { default_assignee: 'bela' }).submission.assignment.otherwise, 'bela')
})

test('an uncertain contact merges nothing, and a call keeps its direction', () => {
  const pick = { field: 'phone', path: 'ref', value: '9810012345', reason: '', by: 'recognised' } as const
  const uncertainOf = (confidence: 'sure' | 'unsure') =>
    leadOf({ picks: [{ ...pick, confidence }] }).submission.uncertain
  assert.deepEqual(uncertainOf('unsure'), [{ field: 'phone', question: 'ref' }])
  assert.deepEqual(uncertainOf('sure'), [])
  const { event, submission } = leadOf({ call })
  assert.deepEqual([event, submission.call], [call, 'Outbound'])
  assert.equal(leadOf({ call: { ...call, direction: null } }).submission.call, 'Inbound')
})
