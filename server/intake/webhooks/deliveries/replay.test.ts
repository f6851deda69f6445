import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../../platform/database/actor.ts'
import type { Row } from '../../../platform/database/sql.ts'
import { setMapping } from '../store.ts'
import { replayDelivery, replayRejected } from './replay.ts'

const app = await testApp()
after(app.close)
const { acme, asha, other } = await people(app)
const admin = await signedIn(app, asha)

const only = async (query: Promise<readonly Row[]>): Promise<Row> => (await query)[0]!
const deliveryOf = (webhookId: string) => only(app.owner`select * from deliveries where webhook_id = ${webhookId}`)
const leadWith = (id: string) => only(app.owner`select * from leads where id = ${id}`)

test('a rejected delivery is replayed after its mapping was fixed, and makes one lead', async () => {
  const webhook = await webhookOf(app, acme)
  assert.equal((await webhook.send({ name: 'Lata', agent_phone: '98100-55501' })).status, 400)
  const rejected = await deliveryOf(webhook.id)
  assert.match((await replayDelivery(app.database, acme, rejected.id)).error!, /No email and no phone/)
  await asActor(app.database, acme, (tx) => setMapping(tx, acme, webhook.id, [{ path: 'agent_phone', field: 'phone' }]))
  app.database.cache.invalidate(acme.account_id)
  const results = await Promise.all([1, 2, 3].map(() => replayDelivery(app.database, acme, rejected.id)))
  assert.equal(new Set(results.map(({ lead_id }) => lead_id)).size, 1)
  assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 1)
  const delivery = await deliveryOf(webhook.id)
  assert.deepEqual([delivery.outcome, delivery.lead_id, delivery.error], ['created', results[0]!.lead_id, null])
})

test('replaying a delivery that made a lead changes nothing', async () => {
  const webhook = await webhookOf(app, acme, { default_tags: ['portal'] })
  const sent = { name: 'Usha', phone: '9810055502', message: 'Two rooms' }
  const { body } = await webhook.send(sent)
  const before = await leadWith(body.data.id)
  const delivery = await deliveryOf(webhook.id)
  for (let time = 0; time < 2; time++) assert.equal((await replayDelivery(app.database, acme, delivery.id)).error, null)
  assert.deepEqual(await leadWith(body.data.id), before)
  const timeline = await app.owner`select kind from timeline_entries where lead_id = ${body.data.id}`
  assert.deepEqual(
    timeline.map(({ kind }) => kind),
    ['created'],
  )
  assert.equal((await deliveryOf(webhook.id)).outcome, 'created')
})

test('a message is appended once, even if its delivery is replayed several times', async () => {
  await asha.send('POST', '/api/v1/leads', { name: 'Vani', phone: '9810055503', notes: 'Known' })
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send({ name: 'Vani', phone: '9810055503', message: 'Again me' })
  const { id } = await deliveryOf(webhook.id)
  const { notes } = await leadWith(body.data.id)
  for (let time = 0; time < 3; time++) assert.equal((await replayDelivery(app.database, acme, id)).error, null)
  assert.equal((await leadWith(body.data.id)).notes, notes)
})

test('a platform’s repetition of a replayed delivery is a duplicate, and the other way round', async () => {
  const made = await asha.send('POST', '/api/v1/leads', { name: 'Yamini', phone: '9810055506', notes: 'Known' })
  const lead = () => leadWith(made.body.data.id)
  const timeline = async () =>
    (await app.owner`select kind from timeline_entries where lead_id = ${made.body.data.id} order by id`).map(
      ({ kind }) => kind,
    )
  const webhook = await webhookOf(app, acme)
  const sent = { lead_id: 'L-77', name: 'Yamini Rao', agent_phone: '98100-55506', message: 'Call in the evening' }
  for (const delivery of [1, 2]) assert.equal((await webhook.send(sent)).status, 400, `delivery ${delivery}`)
  await asActor(app.database, acme, (tx) => setMapping(tx, acme, webhook.id, [{ path: 'agent_phone', field: 'phone' }]))
  app.database.cache.invalidate(acme.account_id)

  const [first, second] =
    await app.owner`select id from deliveries where webhook_id = ${webhook.id} order by received_at`
  assert.equal((await replayDelivery(app.database, acme, first!.id)).outcome, 'merged')
  const replayed = await lead()
  assert.match(replayed.notes, /^Known\n\n\[.*\]\nCall in the evening$/)
  const repeated = await webhook.send(sent)
  assert.deepEqual([repeated.status, repeated.body.data], [200, { id: replayed.id, status: 'duplicate' }])
  for (const { id } of [second!, first!]) assert.equal((await replayDelivery(app.database, acme, id)).error, null)
  assert.deepEqual(await lead(), replayed)
  assert.deepEqual(await timeline(), ['created', 'merged'])
  const outcomes = await app.owner`select outcome, lead_id, warnings::text as warnings from deliveries
    where webhook_id = ${webhook.id} order by received_at`
  assert.deepEqual(
    outcomes.map(({ outcome, lead_id }) => [outcome, lead_id]),
    ['merged', 'duplicate', 'duplicate'].map((outcome) => [outcome, replayed.id]),
  )
  assert.match(outcomes[2]!.warnings, /was received before/)
  await assertCountsHold(app.owner)
})

test('deleting a lead removes the bodies of its deliveries, and they cannot be replayed', async () => {
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send({ name: 'Wasim', phone: '9810055504', message: 'Private words' })
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)).status, 200)
  const delivery = await deliveryOf(webhook.id)
  assert.deepEqual([delivery.body, delivery.outcome, delivery.picks, delivery.warnings], [null, 'created', [], []])
  assert.match((await replayDelivery(app.database, acme, delivery.id)).error!, /removed with its lead/)
})

test('a delivery of another account cannot be replayed', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'Xavier', phone: '9810055505' })
  const { id } = await deliveryOf(webhook.id)
  await assert.rejects(replayDelivery(app.database, other, id), /no such delivery/)
})

test('a delivery that cannot be replayed does not stop the later ones', async () => {
  const webhook = await webhookOf(app, acme)
  for (const [at, id] of ['a\0b', 'c\0d', 'e'].entries()) {
    assert.equal(
      (await webhook.send({ id, name: ['Asha Rao', 'Ravi Bose', 'Meena Iyer'][at], agent_phone: `981005561${at}` }))
        .status,
      400,
    )
  }
  const [first] =
    await app.owner`select id from deliveries where webhook_id = ${webhook.id} order by received_at limit 1`
  await asActor(app.database, acme, (tx) => setMapping(tx, acme, webhook.id, [{ path: 'agent_phone', field: 'phone' }]))
  app.database.cache.invalidate(acme.account_id)
  // An internal error, which no payload should be able to cause.
  await app.owner.unsafe(`create function fail_one() returns trigger language plpgsql as
    $$ begin if new.id = '${first!.id}' then raise 'broken'; end if; return new; end $$`)
  await app.owner.unsafe('create trigger fail_one before update on deliveries for each row execute function fail_one()')
  const results = await replayRejected(app.database, acme, webhook.id)
  await app.owner.unsafe('drop function fail_one cascade')
  assert.deepEqual(
    results.map(({ outcome, error }) => [outcome, error === null]),
    [
      ['rejected', false],
      ['created', true],
      ['created', true],
    ],
  )
  assert.deepEqual(
    (await replayRejected(app.database, acme, webhook.id)).map(({ outcome }) => outcome),
    ['created'],
  )
})

test('all ignored deliveries are replayed in parts, or those of the chosen days, beside those with a possible contact', async () => {
  const webhook = await webhookOf(app, acme)
  const path = `/web/webhooks/${webhook.id}/replay`
  const received = async (n: number, payload: object, at: string) =>
    app.owner`insert into deliveries (account_id, id, webhook_id, received_at, address, outcome, content_type, body)
      select ${acme.account_id}::uuid, gen_random_uuid(), ${webhook.id}::uuid, ${at}::timestamptz + n * interval '1 second', '127.0.0.1',
        'ignored', 'application/json', convert_to(${JSON.stringify(payload)}, 'UTF8') from generate_series(1, ${n}) as n`
  await received(3, { event: 'ping' }, '2026-03-10T00:00:00Z')
  await received(201, { event: 'ping' }, '2026-03-11T00:00:00Z')
  await received(1, { name: 'Zubin Irani', phone: '9810055701' }, '2026-03-12T00:00:00Z')
  const counted = async (query: string) => (await admin!.send('GET', `${path}${query}`)).body.data
  const none = { rejected: 0, ignored: 0, more: false }
  assert.deepEqual(await counted(''), none)
  assert.deepEqual(await counted('?outcome=rejected'), none)
  assert.deepEqual(await counted('?outcome=ignored&to_date=2026-03-10'), { rejected: 0, ignored: 3, more: false })
  assert.deepEqual(await counted('?outcome=ignored'), { rejected: 0, ignored: 200, more: true })

  const replay = async (body: object) => (await admin!.send('POST', path, body)).body.data
  assert.deepEqual(await replay({}), { results: [], next: null })
  const ofDay = await replay({ outcome: 'ignored', to_date: '2026-03-10' })
  assert.deepEqual([ofDay.results.length, ofDay.next], [3, null])
  const first = await replay({ outcome: 'ignored' })
  assert.equal(first.results.length, 200)
  const second = await replay({ outcome: 'ignored', after: first.next })
  assert.deepEqual(
    second.results.map(({ outcome }: { outcome: string }) => outcome),
    ['ignored', 'ignored', 'ignored', 'ignored', 'created'],
  )
  assert.equal(second.next, null)
  assert.equal(
    (await app.owner`select from leads where name = 'Zubin Irani' and account_id = ${acme.account_id}`).length,
    1,
  )
  assert.deepEqual(await counted('?outcome=ignored&from_date=2026-03-12'), none)

  const wrong = { outcome: 'ignored', from_date: '2026-03-12', to_date: '2026-03-11' }
  const before = await app.owner`select count(*)::int as n from deliveries where replayed_at is not null`
  const { status, body } = await admin!.send('POST', path, wrong)
  assert.deepEqual([status, body.error.field], [400, 'from_date'])
  assert.equal((await admin!.send('POST', path, { outcome: 'created' })).body.error.field, 'outcome')
  assert.deepEqual(await app.owner`select count(*)::int as n from deliveries where replayed_at is not null`, before)
})
