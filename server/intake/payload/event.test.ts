import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { changeAsActor } from '../../platform/database/actor.ts'
import { setEnabled, setMapping } from '../webhooks/store.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const admin = await signedIn(app, asha)
const countLeads = async () => Number((await app.owner`select count(*) from leads`)[0]!.count)
const deliveriesOf = (webhookId: string) =>
  app.owner`select * from deliveries where webhook_id = ${webhookId} order by received_at, id`

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const entryOf = (changes: object[]) => ({ object: 'page', entry: [{ id: '112', time: 1763600000, changes }] })
const whatsApp = (value: object, field: string) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '102290129340398', changes: [{ value, field }] }],
})

const events: [string, unknown, Record<string, string>?][] = [
  ['an empty object', {}],
  ["WooCommerce's ping", 'webhook_id=123', form],
  ["Meta's test of a page", entryOf([{ field: 'feed', value: { item: 'status', verb: 'add', post_id: '44_44' } }])],
  [
    "a Meta post's text",
    entryOf([{ field: 'feed', value: { verb: 'add', message: 'Example post content.', from: { id: '1067280970' } } }]),
  ],
  [
    'a Meta lead of ids alone',
    entryOf([{ field: 'leadgen', value: { leadgen_id: '444', form_id: '4', page_id: '4' } }]),
  ],
  [
    "WhatsApp's receipt",
    whatsApp(
      {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
        statuses: [{ id: 'wamid.HBg', status: 'delivered', timestamp: '1750263773', recipient_id: '919820011223' }],
      },
      'messages',
    ),
  ],
  [
    "a WhatsApp template's approval",
    whatsApp(
      { event: 'APPROVED', message_template_name: 'order_confirmation', reason: 'NONE' },
      'message_template_status_update',
    ),
  ],
  [
    'a Stripe event',
    {
      id: 'evt_1Nx',
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: { id: 'pi_1', amount: 2000, description: 'Order 1234', status: 'succeeded', source: null } },
    },
  ],
  ["Cashfree's test", { data: { test_object: { test_key: 'value' } }, event_time: '2026-11-20', type: 'WEBHOOK' }],
  [
    'a Razorpay settlement',
    {
      entity: 'event',
      event: 'settlement.processed',
      payload: {
        settlement: { entity: { id: 'setl_1', amount: 9973635, status: 'processed', utr: '1568176960vxp0rj' } },
      },
    },
  ],
  ["Calendly's ping", { event: 'ping' }],
  ["Intercom's ping", { topic: 'ping', data: { item: { type: 'ping', message: 'Everything is working!' } } }],
  ['a test event with a text', { event: 'test', message: 'This is a test webhook' }],
  ["Zoom's validation", { event: 'endpoint.url_validation', payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' } }],
  ["LinkedIn's check", { challengeCode: '890e4665-4dfe-4ab1-b689-ed553bceeed0' }],
  ["Amazon SNS's confirmation", { Type: 'SubscriptionConfirmation', Message: 'You have chosen to subscribe.' }],
  ["Asana's heartbeat", { events: [] }],
  ['a status alone', { status: 'ok' }],
  ['a source alone', { source: 'website' }],
  ['an id alone', { id: 5 }],
]
for (const [what, payload, headers] of events) {
  test(`${what} is answered 200 ignored, and stored`, async () => {
    const webhook = await webhookOf(app, acme)
    const before = await countLeads()
    const { status, body } = await webhook.send(payload, headers)
    assert.deepEqual([status, body], [200, { data: { id: null, status: 'ignored' } }])
    assert.equal(await countLeads(), before)
    const [delivery, ...others] = await deliveriesOf(webhook.id)
    assert.deepEqual([delivery!.outcome, delivery!.lead_id, delivery!.attention, others], ['ignored', null, false, []])
    assert.ok(delivery!.body.length > 0)
    const [row] = await app.owner`select proposal from webhooks where id = ${webhook.id}`
    assert.equal(row!.proposal, null)
  })
}

const rejected: [string, unknown][] = [
  ['a name', { name: 'Asha', city: 'Pune' }],
  ['a city', { city: 'Pune' }],
  ['a message', { message: 'Please call me back' }],
  ['an impossible phone', { mobile: '12' }],
  ['a name in an event', { event: 'form.submitted', full_name: 'Asha Rao' }],
]
for (const [what, payload] of rejected) {
  test(`${what} without a contact stays 400`, async () => {
    const webhook = await webhookOf(app, acme)
    const { status, body } = await webhook.send(payload)
    assert.deepEqual([status, body.error.code], [400, 'INVALID_PARAM'])
    assert.equal((await deliveriesOf(webhook.id))[0]!.outcome, 'rejected')
  })
}

test('a payload with a mapped path counts as a lead, even if the value is empty: 400', async () => {
  const webhook = await webhookOf(app, acme)
  await changeAsActor(app.database, acme, (tx) => setMapping(tx, acme, webhook.id, [{ path: 'x.tel', field: 'phone' }]))
  assert.equal((await webhook.send({ x: { tel: '' } })).status, 400)
  assert.equal((await webhook.send({ x: { fax: '' } })).status, 200)
})

/** An event that is about no lead, although it has a number. */
const payout = (vendor_phone: string) => ({
  event: 'payout.processed',
  payout: { id: 'pout_1Aa', amount: 500_000, currency: 'INR', status: 'processed', vendor_phone },
})

test('an ignored delivery can be replayed once its phone is mapped', async () => {
  const webhook = await webhookOf(app, acme)
  assert.equal((await webhook.send(payout('+91 98100 55501'))).body.data.status, 'ignored')
  const [delivery] = await deliveriesOf(webhook.id)
  const replay = () => admin!.send('POST', `/web/deliveries/${delivery!.id}/replay`, {})
  assert.deepEqual([delivery!.attention, (await replay()).body.data.outcome], [true, 'ignored'])
  await changeAsActor(app.database, acme, (tx) =>
    setMapping(tx, acme, webhook.id, [{ path: 'payout.vendor_phone', field: 'phone' }]),
  )
  const { body } = await replay()
  assert.equal(body.data.outcome, 'created')
  const [after] = await deliveriesOf(webhook.id)
  assert.deepEqual([after!.outcome, after!.lead_id, after!.attention], ['created', body.data.lead_id, false])
})

test('the number of deliveries to replay is the number that one replay processes', async () => {
  const webhook = await webhookOf(app, acme)
  const path = `/web/webhooks/${webhook.id}/replay`
  const offered = async () => (await admin!.send('GET', path)).body.data
  await webhook.send({ event: 'ping' })
  assert.deepEqual(await offered(), { rejected: 0, ignored: 0, more: false })
  await webhook.send(payout('+91 98100 55511'))
  assert.deepEqual(await offered(), { rejected: 0, ignored: 1, more: false })
  await webhook.send({ name: 'Asha Rao' })
  await webhook.send({ name: 'Ravi Kumar' })
  await app.owner`update deliveries set body = null where webhook_id = ${webhook.id} and id = (
    select id from deliveries where webhook_id = ${webhook.id} and outcome = 'rejected' limit 1)`
  assert.deepEqual(await offered(), { rejected: 1, ignored: 1, more: false })
  assert.equal((await admin!.send('POST', path, {})).body.data.results.length, 2)
})

test('ignored deliveries need attention before the first lead, and later if they have a contact', async () => {
  const webhook = await webhookOf(app, acme)
  const seen = async () => {
    const { attention } = (await admin!.send('GET', `/web/webhooks/${webhook.id}`)).body.data
    const { ignored_deliveries } = (await admin!.send('GET', '/web/overview')).body.data
    const found = ignored_deliveries.find(({ webhook_id }: { webhook_id: string }) => webhook_id === webhook.id)
    return [attention, found?.ignored ?? 0, found?.has_made_lead ?? null]
  }
  assert.deepEqual(await seen(), [0, 0, null])
  await webhook.send({ event: 'ping' })
  assert.deepEqual(await seen(), [1, 1, false])
  await webhook.send({ name: 'Asha', phone: '9810055502' })
  assert.deepEqual(await seen(), [0, 0, null])
  await webhook.send({ event: 'ping' })
  await webhook.send({ event: 'note', agent: { email: 'agent@example.com' } })
  assert.deepEqual(await seen(), [1, 1, true])
  const { body } = await admin!.send('GET', `/web/webhooks/${webhook.id}/deliveries?outcome=ignored`)
  assert.equal(body.data.length, 3)
})

test('a handshake is answered with its challenge as text only', async () => {
  const webhook = await webhookOf(app, acme)
  const slack = { type: 'url_verification', token: 'Jhj5', challenge: '3eZbrw1aBm2rZgRNFdxV' }
  for (const send of [
    () => fetch(app.url + webhook.path, { method: 'POST', body: JSON.stringify(slack) }),
    () => fetch(app.url + webhook.path, { method: 'POST', body: 'challenge=3eZbrw1aBm2rZgRNFdxV', headers: form }),
    () => fetch(`${app.url}${webhook.path}?challenge=3eZbrw1aBm2rZgRNFdxV`),
  ]) {
    const answer = await send()
    assert.deepEqual([answer.status, await answer.text()], [200, '3eZbrw1aBm2rZgRNFdxV'])
    assert.match(answer.headers.get('content-type')!, /^text\/plain/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
  const outcomes = (await deliveriesOf(webhook.id)).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['test', 'test', 'test'])
  for (const challenge of ['x'.repeat(1001), 'a\u0000b', 'जी', 17]) {
    const { body } = await webhook.send({ type: 'url_verification', challenge })
    assert.equal(body.data.status, 'ignored')
  }
  const lead = await webhook.send({ name: 'Uma', phone: '9810055503', challenge: 'none' })
  assert.equal(lead.body.data.status, 'created')
})

test("Meta's challenge is short and printable, and needs the verify token", async () => {
  const webhook = await webhookOf(app, acme)
  const [row] = await app.owner`select verify_token from webhooks where id = ${webhook.id}`
  const check = (challenge: string, token: string) =>
    fetch(`${app.url}${webhook.path}?${new URLSearchParams({ 'hub.challenge': challenge, 'hub.verify_token': token })}`)
  assert.equal((await check('x'.repeat(1001), row!.verify_token)).status, 400)
  assert.equal((await check('1158201444', 'wrong')).status, 403)
  assert.equal(await (await check('1158201444', row!.verify_token)).text(), '1158201444')
})

test('a disabled webhook answers 403 to every request', async () => {
  const webhook = await webhookOf(app, acme)
  await changeAsActor(app.database, acme, (tx) => setEnabled(tx, acme, webhook.id, false))
  const handshake = { type: 'url_verification', challenge: 'abc' }
  for (const [method, more, body] of [
    ['GET', '', undefined],
    ['HEAD', '', undefined],
    ['HEAD', '?name=A&phone=9810055504', undefined],
    ['GET', '?hub.challenge=1&hub.verify_token=wrong', undefined],
    ['GET', '?challenge=1', undefined],
    ['POST', '', JSON.stringify(handshake)],
    ['POST', '', JSON.stringify({ event: 'ping' })],
  ] as const) {
    const { status } = await fetch(app.url + webhook.path + more, { method, ...(body ? { body } : {}) })
    assert.equal(status, 403, `${method} ${more}`)
  }
  assert.equal((await ask(app.url, null, 'GET', '/webhook/unknown?challenge=1')).status, 404)
})

test('a lead in the query is read to its end, further question marks too', async () => {
  const webhook = await webhookOf(app, acme)
  const { body } = await ask(app.url, null, 'GET', `${webhook.path}?name=Uma&message=Call?when&phone=9810055505`)
  assert.equal(body.data.status, 'created')
  const [lead] = await app.owner`select name, phone, notes from leads where id = ${body.data.id}`
  assert.deepEqual({ ...lead }, { name: 'Uma', phone: '9810055505', notes: 'Call?when' })
})
