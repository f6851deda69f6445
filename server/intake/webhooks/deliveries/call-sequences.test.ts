import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { someOf } from '#test/budget.ts'
import { people } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { instantText, wholeSecond } from '../../../platform/http/instants.ts'

/** What telephone systems send of one call or several, after their documentation, and the calls that it amounts to. */
interface Sequence {
  system: string
  case: string
  events: { content_type: string; body: Record<string, string> }[]
  expected: { phone: string; call_type: string; outcome: string; duration_seconds: number; called_at: string }[]
}
const sequences: Sequence[] = JSON.parse(
  readFileSync(new URL('../../../../test/call-sequences.json', import.meta.url), 'utf8'),
)

/** Sequences of which an event is read wrong. Their order makes no difference nevertheless. */
const misread: Record<string, string> = {
  'Exotel, answered': 'ConversationDuration is not the talk time',
  'Tata Smartflo, answered': 'caller_hangup is no end, and its end_stamp and billsec are left out',
  'Ozonetel, conference': 'the action of an event is no state, and TalkTime is left out',
  'Knowlarity, answered': 'AGENT_ANSWER is no answer, and conversation_duration is left out',
  'MyOperator, answered': 'the time of the event is the start, and not payload.started_at',
  'Asterisk (AMI relay), answered': 'the time of a hangup is a start',
  '3CX, missed (ring group)': 'an event that rings is no call',
  'Voxbay, forwarded to mobile': 'callStartTime is left out',
  'JustCall, voicemail': 'call_date and call_time are read as UTC',
  'Plivo, outbound answered': 'a time without a zone is read as UTC',
}

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const { owner } = app

for (const [n, { events, expected, ...sequence }] of someOf([...sequences.entries()], 0)) {
  const name = `${sequence.system}, ${sequence.case}`
  test(`one log for each call, the same for every order: ${name}`, async (t) => {
    const orders = [events, events.toReversed(), shuffled([...events, ...events], n)]
    const found = []
    for (const order of orders) found.push(await callsOf(order))
    const [first] = found
    assert.deepEqual(found, [first, first, first])
    if (misread[name]) return t.diagnostic(`not as expected: ${misread[name]}`)
    const calls = expected.toSorted((one, other) => (one.phone < other.phone ? -1 : 1))
    // No number of the business or of an agent is a lead.
    assert.deepEqual(first, { calls, leads: calls.map(({ phone }) => phone) })
  })

  async function callsOf(order: Sequence['events']) {
    for (const { id } of await owner`select id from leads`) await asha.send('DELETE', `/api/v1/leads/${id}`)
    await owner`delete from phone_calls`
    const webhook = await webhookOf(app, acme)
    const started = wholeSecond(new Date())
    for (const { content_type, body } of order) {
      const sent = content_type.includes('form') ? new URLSearchParams(body).toString() : body
      const { status } = await webhook.send(sent, { 'content-type': content_type })
      assert.equal(status, 200)
    }
    const leads = await owner`select phone_key from leads order by phone_key collate "C"`
    const logs = await owner`select phone_key as phone, call_type, outcome, duration_seconds, called_at
      from call_logs join leads on leads.id = lead_id order by phone_key collate "C", called_at`
    // A call of which no event says the start begins with the arrival of its first.
    const calls = logs.map((log) => ({
      ...log,
      called_at: log.called_at < started ? instantText(log.called_at) : null,
    }))
    return { calls, leads: leads.map(({ phone_key }) => phone_key) }
  }
}

test('the counts hold', () => assertCountsHold(owner))

/** The same for a seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed + 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
