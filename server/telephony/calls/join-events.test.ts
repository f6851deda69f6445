import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallEvent, nothingSaid } from './call-event.ts'
import { type CallFacts, type CallOfUser, callOf, joinEvents, maxNotesLength, withArrival } from './join-events.ts'

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
    'answered once, whatever its end says',
    [{ state: 'answered' }, { outcome: 'Missed' }],
    { outcome: 'Completed', duration_seconds: 1 },
  ],
  [
    'answered, and its end says who hung up',
    [
      { state: 'answered', answered_at: later },
      { outcome: 'Missed', is_weak: true, ended_at: end },
    ],
    { outcome: 'Completed', duration_seconds: 60 },
  ],
  [
    'answered, with a stated talk time of nothing',
    [
      { state: 'answered', answered_at: at },
      { talk_seconds: 0, ended_at: end },
    ],
    { outcome: 'Missed', duration_seconds: 0 },
  ],
  [
    'answered, and while it rang a duration of nothing',
    [{ state: 'ringing', talk_seconds: 0 }, { state: 'answered', answered_at: at }, { ended_at: later }],
    { outcome: 'Completed', duration_seconds: 10 },
  ],
  [
    'answered and ended in the same second',
    [{ state: 'answered', answered_at: at }, { ended_at: at }],
    { outcome: 'Completed', duration_seconds: 1 },
  ],
  [
    'only who hung up',
    [{ outcome: 'Missed', is_weak: true, started_at: at, ended_at: end }],
    { outcome: 'Missed', duration_seconds: 0 },
  ],
  [
    'an answer time, and that it broke off',
    [{ direction: 'Outbound', outcome: 'No Answer', is_weak: true, answered_at: at, ended_at: later }],
    { outcome: 'Completed', duration_seconds: 10 },
  ],
  [
    'outbound, answered by its agent, the customer busy',
    [
      { direction: 'Outbound', state: 'answered', answered_at: at },
      { direction: 'Outbound', outcome: 'Busy' },
    ],
    { outcome: 'Busy', duration_seconds: 0 },
  ],
  [
    'outbound, answered, and that it broke off',
    [
      { direction: 'Outbound', state: 'answered', answered_at: at },
      { direction: 'Outbound', outcome: 'No Answer', is_weak: true, ended_at: later },
    ],
    { outcome: 'Completed', duration_seconds: 10 },
  ],
  [
    'outbound, one leg with talk time, another not answered',
    [
      { direction: 'Outbound', talk_seconds: 9 },
      { direction: 'Outbound', outcome: 'No Answer' },
    ],
    { outcome: 'Completed', duration_seconds: 9 },
  ],
  [
    'answered by a voicemail',
    [
      { state: 'answered', answered_at: at },
      { outcome: 'Voicemail', ended_at: end },
    ],
    { outcome: 'Voicemail', duration_seconds: 0 },
  ],
  [
    'a weak end beside a clear one',
    [{ outcome: 'Missed', is_weak: true }, { outcome: 'Busy' }],
    { outcome: 'Busy', duration_seconds: 0 },
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

const arrivals: [string, [CallEvent['state'], number][], number][] = [
  [
    'an answer and an end',
    [
      ['answered', 3],
      ['ended', 7],
    ],
    4,
  ],
  [
    'and what came later',
    [
      ['ringing', 0],
      ['answered', 3],
      ['ended', 7],
      ['answered', 9],
      ['ended', 60],
    ],
    4,
  ],
  ['only an end', [['ended', 7]], 0],
  [
    'an end before its answer',
    [
      ['ended', 3],
      ['answered', 7],
    ],
    1,
  ],
]

for (const [name, events, seconds] of arrivals)
  test(`without times, a call lasts from the first answer that came to the first end: ${name}`, () => {
    const facts = events.reduce<CallFacts>(
      (facts, [state, second]) =>
        withArrival(joinEvents(facts, event({ state })), state, new Date(Date.parse(received) + second * 1000)),
      {},
    )
    assert.equal(callOf(facts, received).duration_seconds, seconds)
  })

const stated = { answered_at: at, ended_at: end }
test('a stated time counts more than an arrival', () => {
  const facts = withArrival(withArrival({}, 'answered', new Date(at)), 'ended', new Date(later))
  assert.equal(callOf(joinEvents(facts, event(stated)), received).duration_seconds, 70)
})

/** A user logged it: 90 seconds. */
const logged = { call_type: 'Outbound', outcome: 'Completed', duration_seconds: 90, notes: 'Send price' } as const

const loggedCalls: [string, Partial<CallOfUser>, Partial<CallEvent>, Partial<ReturnType<typeof callOf>>][] = [
  ['talk time', {}, { talk_seconds: 84, outcome: 'Completed' }, { outcome: 'Completed', duration_seconds: 84 }],
  ['no talk time', {}, { outcome: 'Completed' }, { outcome: 'Completed', duration_seconds: 90 }],
  ['another direction', {}, { direction: 'Inbound', ...stated }, { call_type: 'Inbound', duration_seconds: 70 }],
  ['no direction', {}, stated, { call_type: 'Outbound' }],
  ['its start', {}, { started_at: at, ...stated }, { called_at: at }],
  ['remarks', {}, { ...stated, notes: 'Interested\nSend price' }, { notes: 'Send price\nInterested' }],
  ['no remarks', {}, stated, { notes: 'Send price' }],
  ['remarks, and no notes', { notes: null }, { ...stated, notes: 'Interested' }, { notes: 'Interested' }],
  [
    'a conversation with a machine',
    { outcome: 'Voicemail' },
    { talk_seconds: 20, outcome: 'Completed' },
    { outcome: 'Voicemail', duration_seconds: 20 },
  ],
  ['no answer, for busy', { outcome: 'Busy', duration_seconds: 0 }, { outcome: 'No Answer' }, { outcome: 'Busy' }],
  ['busy, for no answer', { outcome: 'No Answer', duration_seconds: 0 }, { outcome: 'Busy' }, { outcome: 'Busy' }],
]

for (const [name, of, said, expected] of loggedCalls)
  test(`a call that a user logged and its system reports with ${name}`, () => {
    const value = { ...logged, called_by: null, logged_at: received, ...of }
    const facts = joinEvents({ logged: { rank: 0, value } }, event(said))
    const call = callOf(facts, received)
    assert.deepEqual({ ...call, ...expected }, call)
  })

test('the notes of a user stay whole, and those of events are added while there is room', () => {
  const own = `${'a'.repeat(9999)}\n${'b'.repeat(9990)}`
  const value = { ...logged, notes: own, called_by: null, logged_at: received }
  const facts = joinEvents({ logged: { rank: 0, value } }, event({ notes: `c\n${'d'.repeat(50)}` }))
  assert.equal(callOf(facts, received).notes, `${own}\nc`)
})

test('the order and the number of events make no difference', () => {
  const events = [
    event({ state: 'ringing', direction: 'Inbound', started_at: at, agents: ['101', '102'] }),
    event({ state: 'ringing', started_at: later, agents: ['103'] }),
    event({ state: 'answered', answered_at: later, agents: ['103'] }),
    event({ ended_at: end, talk_seconds: 60, outcome: 'Completed', agents: ['Ravi', '+919820000001'], notes: 'b\na' }),
    event({ recording_url: 'https://example.com/1.mp3', notes: 'a' }),
    event({ talk_seconds: 61, outcome: 'Missed', agents: ['103'], notes: 'c' }),
    event({ outcome: 'No Answer', is_weak: true, is_forwarded: true }),
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
    const said = event({ notes: remark, agents: [`${n} ${'x'.repeat(190)}`], is_weak: true, is_forwarded: true })
    facts = withArrival(joinEvents(facts, said), 'ended', new Date(n))
    assert.ok(facts.notes!.value.length <= maxNotesLength)
  }
  assert.ok(read / 2000 < 30_000, `${read / 2000} characters are read for each event`)
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
