import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../../platform/database/actor.ts'
import { setEnabled, setMapping, webhookById } from '../store.ts'
import { dryRunMapping } from './dry-run.ts'
import { replayDelivery, replayRejected } from './replay.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)

let numbers = 9_820_000_000
const newPhone = () => String(numbers++)

const deliveriesOf = (webhookId: string) =>
  app.owner`select * from deliveries where webhook_id = ${webhookId} order by received_at, id`
const timelineOf = (leadId: string) =>
  app.owner`select kind from timeline_entries where lead_id = ${leadId} order by id`
const countLeads = async () => Number((await app.owner`select count(*) from leads`)[0]!.count)
const webhookRow = (id: string) => asActor(app.database, acme, (tx) => webhookById(tx, acme.account_id, id))
const forget = () => app.database.cache.invalidate(acme.account_id)

const googleLead = (phone: string, leadId: string, more = {}) => ({
  lead_id: leadId,
  user_column_data: [
    { column_name: 'Full Name', string_value: 'Meenakshi S', column_id: 'FULL_NAME' },
    { column_name: 'User Phone', string_value: phone, column_id: 'PHONE_NUMBER' },
  ],
  form_id: 40188211,
  google_key: 'k-77',
  ...more,
})

test('a delivery repeated with the same lead id is answered alike, without a timeline entry', async () => {
  const webhook = await webhookOf(app, acme)
  const lead = googleLead(newPhone(), 'TeRl4q9zBnX')
  const first = await webhook.send(lead)
  const again = await webhook.send(lead)
  assert.deepEqual([first.body.data.status, again.status, again.body.data.status], ['created', 200, 'duplicate'])
  assert.equal(again.body.data.id, first.body.data.id)
  assert.deepEqual([...(await timelineOf(first.body.data.id))], [{ kind: 'created' }])
  const deliveries = await deliveriesOf(webhook.id)
  assert.deepEqual(
    deliveries.map(({ outcome }) => outcome),
    ['created', 'duplicate'],
  )
  assert.match(JSON.stringify(deliveries[1]!.warnings), /was received before with the same content/)
})

test('of ten simultaneous repetitions only one makes the lead', async () => {
  const webhook = await webhookOf(app, acme)
  const body = {
    RESPONSE: {
      UNIQUE_QUERY_ID: '2840019921',
      SENDER_NAME: 'Mukesh',
      SENDER_MOBILE: newPhone(),
      QUERY_MESSAGE: 'Boxes',
    },
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => webhook.send(body)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
  assert.equal(answers.filter(({ body }) => body.data.status === 'created').length, 1)
  assert.equal((await timelineOf(answers[0]!.body.data.id)).length, 1)
  assert.equal((await deliveriesOf(webhook.id)).length, 10)
})

test('other content with an old id is processed', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = newPhone()
  const first = await webhook.send({ id: 'contact-7', name: 'Lata', phone, message: 'Two rooms' })
  await webhook.send({ id: 'contact-7', name: 'Lata', phone, message: 'Three rooms' })
  const [lead] = await app.owner`select notes from leads where id = ${first.body.data.id}`
  assert.match(lead!.notes, /Two rooms[\s\S]*Three rooms/)
})

test('a delivery that is repeated after its lead got another phone creates no second lead', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ id: 'contact-9', name: 'Lata', phone: newPhone() })
  const sent = { id: 'contact-10', name: 'Mira', phone: newPhone() }
  const first = await webhook.send(sent)
  const { id } = first.body.data
  const web = await signedIn(app, asha)
  assert.equal((await web.send('PATCH', `/web/leads/${id}`, { phone: newPhone() })).status, 200)
  const again = await webhook.send(sent)
  assert.deepEqual([first.body.data.status, again.body.data], ['created', { ...first.body.data, status: 'duplicate' }])
  assert.deepEqual([...(await app.owner`select id from leads where name = 'Mira'`)], [{ id }])
  const deliveries = await deliveriesOf(webhook.id)
  assert.deepEqual(
    deliveries.map(({ outcome, lead_id }) => [outcome, lead_id === id]),
    [
      ['created', false],
      ['created', true],
      ['duplicate', true],
    ],
  )
})

test('another enquiry with an old id has a timeline entry even if the lead is the same; a retry has none', async () => {
  const webhook = await webhookOf(app, acme)
  const sent = { id: 'contact-8', name: 'Lata', phone: newPhone(), sku: 'KX-1', attempt: 1 }
  const first = await webhook.send(sent)
  assert.equal((await webhook.send({ ...sent, sku: 'KX-2' })).body.data.status, 'merged')
  assert.equal((await webhook.send({ ...sent, attempt: 2 })).body.data.status, 'duplicate')
  assert.deepEqual(
    [...(await timelineOf(first.body.data.id))].map(({ kind }) => kind),
    ['created', 'merged'],
  )
})

test('a repetition after its lead was deleted makes the lead again', async () => {
  const webhook = await webhookOf(app, acme)
  const lead = googleLead(newPhone(), 'Gone1')
  const first = await webhook.send(lead)
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${first.body.data.id}`)).status, 200)
  const again = await webhook.send(lead)
  assert.equal(again.body.data.status, 'created')
  assert.notEqual(again.body.data.id, first.body.data.id)
})

test('a test lead of the platform is answered 200 and stored, and makes no lead', async () => {
  const webhook = await webhookOf(app, acme)
  const before = await countLeads()
  const { status, body } = await webhook.send(googleLead(newPhone(), 'Test1', { is_test: true }))
  assert.deepEqual([status, body.data], [200, { id: null, status: 'test' }])
  assert.equal(await countLeads(), before)
  const [delivery] = await deliveriesOf(webhook.id)
  assert.deepEqual([delivery!.outcome, delivery!.lead_id], ['test', null])
  assert.match(delivery!.error, /test lead/)
  assert.ok((await webhookRow(webhook.id))!.proposal!.length > 0)
  assert.equal((await webhook.send(googleLead(newPhone(), 'Real1', { is_test: false }))).body.data.status, 'created')
})

for (const method of ['GET', 'POST'] as const) {
  test(`a lead in the query of a ${method} without a body is read like a form`, async () => {
    const webhook = await webhookOf(app, acme)
    const phone = newPhone()
    const query = `CallSid=x1&CallFrom=0${phone}&CallTo=08047110044&Direction=incoming`
    const answer = await fetch(`${app.url}${webhook.path}?${query}`, { method })
    const { data } = (await answer.json()) as { data: { id: string; status: string } }
    assert.deepEqual([answer.status, data.status], [200, 'created'])
    const [lead] = await app.owner`select phone from leads where id = ${data.id}`
    assert.equal(lead!.phone, `0${phone}`)
    const [delivery] = await deliveriesOf(webhook.id)
    assert.match(delivery!.body.toString(), /^CallSid=x1&/)
  })
}

test('a GET without a query and a HEAD are answered and create nothing', async () => {
  const webhook = await webhookOf(app, acme)
  const before = await countLeads()
  const bare = await asha.send('GET', webhook.path)
  assert.deepEqual([bare.status, bare.body.data], [200, { id: null, status: 'ready' }])
  assert.equal((await asha.send('HEAD', webhook.path)).status, 200)
  assert.equal((await asha.send('HEAD', `${webhook.path}?phone=${newPhone()}`)).status, 200)
  assert.equal((await asha.send('GET', '/webhook/unknown')).status, 404)
  assert.equal(await countLeads(), before)
  assert.equal((await deliveriesOf(webhook.id)).length, 0)
})

test('a platform that checks the URL gets its challenge only with the right verify token', async () => {
  const webhook = await webhookOf(app, acme)
  const { verify_token } = (await webhookRow(webhook.id))!
  const check = (token: string) =>
    asha.send('GET', `${webhook.path}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`)
  const right = await check(verify_token)
  assert.deepEqual([right.status, right.body], [200, '1158201444'])
  assert.match(right.headers.get('content-type')!, /^text\/plain/)
  const wrong = await check('guess')
  assert.deepEqual([wrong.status, wrong.body.error.code], [403, 'PERMISSION_DENIED'])
  assert.equal((await deliveriesOf(webhook.id)).length, 0)
})

test('new fields and missing mapped fields are named', async () => {
  const webhook = await webhookOf(app, acme)
  await asActor(app.database, acme, (tx) => setMapping(tx, acme, webhook.id, [{ path: 'area', field: 'city' }]))
  forget()
  await webhook.send({ name: 'Uma', phone: newPhone(), area: 'Baner' })
  forget()
  await webhook.send({ name: 'Uma', phone: newPhone(), area: 'Wakad' })
  await webhook.send({ name: 'Uma', phone: newPhone(), budget: '50 lakh' })
  const [first, same, changed] = await deliveriesOf(webhook.id)
  assert.deepEqual([first!.warnings, same!.warnings], [[], []])
  const said = changed!.warnings.map(({ field, message }: Record<string, string>) => `${field} ${message}`)
  assert.ok(said.includes('budget is a new field'), said.join('; '))
  assert.ok(said.includes('area is missing from this delivery'), said.join('; '))
  assert.ok(Object.hasOwn((await webhookRow(webhook.id))!.known_fields, 'budget'))
})

test('a dry run of a mapping reads past deliveries and changes nothing', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'Uma', phone: newPhone(), project: 'Green Meadows' })
  await webhook.send({ name: 'Ila', phone: newPhone() })
  const before = await app.owner`select * from leads order by id`
  const deliveries = await dryRunMapping(app.database, acme, (await webhookRow(webhook.id))!, {
    mapping: [{ path: 'project', field: 'company' }],
    limit: 50,
  })
  assert.deepEqual(
    deliveries.map(({ changed, after }) => [changed, after.company]),
    [
      [[], undefined],
      [['company'], 'Green Meadows'],
    ],
  )
  assert.deepEqual(await app.owner`select * from leads order by id`, before)
  assert.deepEqual((await webhookRow(webhook.id))!.mapping, [])
})

test('all rejected deliveries and ignored ones with a possible contact are replayed at once, with the remaining problems', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = newPhone()
  await webhook.send({ agent_phone: phone })
  await webhook.send({ name: 'Asha Rao' })
  await asActor(app.database, acme, (tx) => setEnabled(tx, acme, webhook.id, false))
  forget()
  await webhook.send({ name: 'Late', agent_phone: newPhone() })
  await asActor(app.database, acme, async (tx) => {
    await setEnabled(tx, acme, webhook.id, true)
    await setMapping(tx, acme, webhook.id, [{ path: 'agent_phone', field: 'phone' }])
  })
  const results = await replayRejected(app.database, acme, webhook.id)
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['created', 'rejected', 'created'],
  )
  assert.match(results[1]!.error!, /No email and no phone/)
  const repeated = await replayRejected(app.database, acme, webhook.id)
  assert.deepEqual(
    repeated.map(({ outcome }) => outcome),
    ['rejected'],
  )
})

test('replaying a test lead makes no lead either', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send(googleLead(newPhone(), 'Test2', { is_test: true }))
  const before = await countLeads()
  const [delivery] = await deliveriesOf(webhook.id)
  assert.match((await replayDelivery(app.database, acme, delivery!.id)).error!, /test lead/)
  assert.equal((await deliveriesOf(webhook.id))[0]!.outcome, 'test')
  assert.deepEqual(await replayRejected(app.database, acme, webhook.id), [], 'a test is not rejected')
  assert.equal(await countLeads(), before)
})
