import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallEvent, nothingSaid } from './call-event.ts'
import { type CallFacts, callOf, joinEvents, maxNotesLength } from './join-events.ts'

const event = (said: Partial<CallEvent>): CallEvent => ({ ...nothingSaid, platform_id: 'c1', state: 'ended', ...said })

const received = '2026-11-18T09:30:00Z'
const callFrom = (events: Partial<CallEvent>[]) =>
  callOf(
    events.reduce<CallFacts>((facts, said) => joinEvents(facts, event(said)), {}),
    received,
  )

const [at, later, end] = ['2026-11-18T09:00:00Z', '2026-11-18T09:00:10Z', '2026-11-18T09:01:10Z']

const calls: [string, Partial<CallEvent>[], Partial<ReturnType<typeof callOf>>][] = [
  ['says nothing', [{}], { call_type: 'Inbound', outcome: 'Missed', duration_seconds: 0, called_at: received }],
  [
    'answered, with talk time',
    [{ outcome: 'Completed', talk_seconds: 32 }],
    { outcome: 'Completed', duration_seconds: 32 },
  ],
  [
    'only times',
    [{ started_at: at, answered_at: later, ended_at: end }],
    { outcome: 'Completed', duration_seconds: 60, called_at: at },
  ],
  [
    'completed after 0 seconds, inbound',
    [{ outcome: 'Completed', talk_seconds: 0 }],
    { outcome: 'Missed', duration_seconds: 0 },
  ],
  ['completed, of unknown length', [{ outcome: 'Completed' }], { outcome: 'Completed', duration_seconds: 1 }],
  ['no answer, inbound', [{ outcome: 'No Answer', talk_seconds: 20 }], { outcome: 'Missed', duration_seconds: 0 }],
  [
    'no answer, outbound',
    [{ direction: 'Outbound', outcome: 'Missed' }],
    { outcome: 'No Answer', duration_seconds: 0 },
  ],
  ['busy', [{ direction: 'Outbound', outcome: 'Busy' }], { outcome: 'Busy', duration_seconds: 0 }],
  [
    'a voicemail has no talk time',
    [{ outcome: 'Voicemail', talk_seconds: 14 }],
    { outcome: 'Voicemail', duration_seconds: 0 },
  ],
  [
    'one leg was answered',
    [{ outcome: 'No Answer' }, { outcome: 'Completed', talk_seconds: 9 }],
    { outcome: 'Completed', duration_seconds: 9 },
  ],
  [
    'the last state decides',
    [{ state: 'answered', outcome: 'Completed' }, { outcome: 'Missed' }],
    { outcome: 'Missed' },
  ],
  [
    'remarks of two events',
    [{ notes: 'Interested' }, { notes: 'Call on Monday' }],
    { notes: 'Call on Monday\nInterested' },
  ],
]

for (const [name, events, expected] of calls)
  test(`a call: ${name}`, () => {
    const call = callFrom(events)
    assert.deepEqual({ ...call, ...expected }, call)
  })

test('the order and the number of events make no difference', () => {
  const events = [
    event({ state: 'ringing', direction: 'Inbound', started_at: at, agents: ['101', '102'] }),
    event({ state: 'ringing', started_at: later, agents: ['103'] }),
    event({ state: 'answered', answered_at: later, agents: ['103'] }),
    event({ ended_at: end, talk_seconds: 60, outcome: 'Completed', agents: ['Ravi', '+919820000001'], notes: 'b\na' }),
    event({ recording_url: 'https://example.com/1.mp3', notes: 'a' }),
    event({ talk_seconds: 61, outcome: 'Missed', agents: ['103'], notes: 'c' }),
  ]
  const join = (all: readonly CallEvent[]) => all.reduce<CallFacts>(joinEvents, {})
  const first = join(events)
  for (const order of permutations(events)) {
    assert.deepEqual(join(order), first)
    assert.deepEqual(join([...order, ...order.slice(0, 3)]), first)
  }
})

test('notes of several events have 20,000 characters together, the same lines in each order', () => {
  const notes = [
    `a${'x'.repeat(9000)}\ne`,
    `b${'x'.repeat(9000)}\nd`,
    `c${'x'.repeat(9000)}\nbb`,
    `d${'x'.repeat(900)}\naa`,
    'b\nz',
  ].map((one) => event({ notes: one }))
  const join = (all: readonly CallEvent[]) => all.reduce<CallFacts>(joinEvents, {})
  const first = join(notes)
  assert.equal(first.notes!.value, ['aa', `a${'x'.repeat(9000)}`, 'b', 'bb', `b${'x'.repeat(9000)}`].join('\n'))
  for (const order of permutations(notes)) {
    assert.deepEqual(join(order), first)
    assert.deepEqual(join([...order, ...order]), first)
  }
})

test('what 2,000 small events of one call leave to read does not grow with each', () => {
  let facts: CallFacts = {}
  let read = 0
  for (let n = 0; n < 2000; n++) {
    read += JSON.stringify(facts).length
    const remark = `${(n * 7919) % 2000} ${'x'.repeat(1500)}`
    facts = joinEvents(facts, event({ notes: remark, agents: [`${n} ${'x'.repeat(190)}`] }))
    assert.ok(facts.notes!.value.length <= maxNotesLength)
  }
  assert.ok(read / 2000 < 30_000, `${read / 2000} characters are read for each event`)
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
