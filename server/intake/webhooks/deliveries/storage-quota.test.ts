import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { sendWhenBusy } from '#test/busy-account.ts'
import { account, ask, people, signedIn } from '#test/people.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { changeAsActor } from '../../../platform/database/actor.ts'
import { istDay } from '../../../platform/http/instants.ts'
import { compareFields } from '../../payload/compare-fields.ts'
import { setEnabled } from '../store.ts'

const env = { WEBHOOK_STORAGE_MB_PER_DAY: '1', WEBHOOK_LIMIT_PER_MINUTE: '1000' }
const app = await testApp(env)
after(app.close)
const { acme, asha, other } = await people(app)
const admin = await signedIn(app, asha)

const stored = async (webhookId: string) =>
  (
    await app.owner`select count(*)::int as records, coalesce(sum(length(body)), 0)::int as bytes from deliveries
      where webhook_id = ${webhookId}`
  )[0]!
const nameOf = (n: number) => `Asha ${['Rao', 'Shah', 'Iyer', 'Khan', 'Bose', 'Patel', 'Das'][n % 7]}`
const large = (name: string) => JSON.stringify({ name, filler: 'x'.repeat(100_000) })

test('a flood answered 403 stores no more than a quarter of the quota, and the rest is only counted', async () => {
  const webhook = await webhookOf(app, acme)
  await changeAsActor(app.database, acme, (tx) => setEnabled(tx, acme, webhook.id, false))
  for (let call = 0; call < 20; call++) assert.equal((await webhook.send(large(nameOf(call)))).status, 403)
  const { records, bytes } = await stored(webhook.id)
  assert.deepEqual([records, bytes <= 256 * 1024], [2, true])
  const { storage } = (await admin!.send('GET', `/web/webhooks/${webhook.id}`)).body.data
  assert.equal(storage.quota, 1024 * 1024)
})

test('deliveries that wait may use a quarter of the quota; those beyond are cut and rejected, and are to be sent again', async () => {
  const webhook = await webhookOf(app, acme)
  const lead = (n: number) => JSON.stringify({ name: 'Ravi', phone: `981007900${n}`, filler: 'x'.repeat(100_000) })
  const messages: string[] = []
  for (let n = 0; n < 3; n++) {
    const { status, body } = await sendWhenBusy(app.database, acme, () => webhook.send(lead(n)))
    assert.equal(status, 503)
    messages.push(body.error.message)
  }
  assert.deepEqual(
    messages.map((message) => message.includes('is stored')),
    [true, true, false],
  )
  const rows =
    await app.owner`select outcome, length(body) as size, body_size from deliveries where webhook_id = ${webhook.id}
    order by received_at`
  assert.deepEqual(
    rows.map(({ outcome, size, body_size }) => [outcome, size === 4096, body_size !== null]),
    [
      ['waiting', false, false],
      ['waiting', false, false],
      ['rejected', true, true],
    ],
  )
})

test('rejected deliveries beyond the quarter store 4 KiB with size and hash, and cannot be replayed; leads are stored', async () => {
  const webhook = await webhookOf(app, acme)
  for (let call = 0; call < 6; call++) assert.equal((await webhook.send(large(nameOf(call)))).status, 400)
  const rows = await app.owner`select id, body, body_size, body_hash from deliveries where webhook_id = ${webhook.id}
    order by received_at, id`
  const cut = rows.filter(({ body_size }) => body_size !== null)
  assert.deepEqual([rows.length, cut.length], [6, 4])
  assert.ok(cut.every(({ body, body_size }) => body.length === 4096 && body_size > 100_000))
  const hashes = [0, 1, 2, 3, 4, 5].map((call) =>
    createHash('sha256')
      .update(large(nameOf(call)))
      .digest('hex'),
  )
  assert.ok(cut.every(({ body_hash }) => hashes.includes(body_hash.toString('hex'))))
  const replayed = await admin!.send('POST', `/web/deliveries/${cut[0]!.id}/replay`, {})
  assert.match(replayed.body.data?.error ?? replayed.body.error.message, /first 4 KiB/)
  const shown = (await admin!.send('GET', `/web/deliveries/${cut[0]!.id}`)).body.data
  assert.equal(shown.cut.size, cut[0]!.body_size)
  assert.equal((await admin!.send('POST', `/web/webhooks/${webhook.id}/replay`, {})).body.data.results.length, 2)
  const lead = JSON.stringify({ name: 'Uma', phone: '9810077001', filler: 'x'.repeat(600_000) })
  const { body } = await webhook.send(lead)
  const [delivery] = await app.owner`select length(body) as size from deliveries where lead_id = ${body.data.id}`
  assert.equal(delivery!.size, lead.length)
})

test('batches of too many records, and rejected records, store no more than other rejected deliveries', async () => {
  const tooMany = await webhookOf(app, acme)
  const records = (count: number, more: object) =>
    Array.from({ length: count }, (_, n) => ({ name: `Uma ${n}`, phone: `98100${78_000 + n}`, ...more }))
  for (let call = 0; call < 6; call++) {
    const { status } = await tooMany.send({ leads: records(101, { filler: `${call}`.padEnd(1000, 'x') }) })
    assert.equal(status, 413)
  }
  const { records: rows, bytes } = await stored(tooMany.id)
  assert.deepEqual([rows, bytes < 256 * 1024 + 4 * 4096], [2 * 101 + 4, true])
  const [cut] = await app.owner`select * from deliveries where webhook_id = ${tooMany.id} and body_size is not null`
  assert.match(cut!.error, /quota is used up/)
  const rejected = await webhookOf(app, acme)
  const filler = 'x'.repeat(100_000)
  const nobodies = Array.from({ length: 4 }, (_, n) => ({ name: nameOf(n), filler }))
  assert.equal((await rejected.send(nobodies)).status, 400)
  const leads = records(2, { filler })
  assert.equal((await rejected.send({ leads: [...leads, { ...leads[0], phone: 'ask me' }] })).status, 200)
  const found = await app.owner`select outcome, length(body) as size, body_size from deliveries
    where webhook_id = ${rejected.id} order by received_at, record`
  assert.deepEqual(
    found.map(({ outcome, body_size }) => [outcome === 'rejected', body_size !== null]),
    [
      [true, false],
      [true, false],
      [true, true],
      [true, true],
      [false, false],
      [false, false],
      [true, true],
    ],
  )
  assert.ok(found.every(({ size, body_size }) => body_size === null || size === 4096))
})

test('an account stores as many rejected deliveries as four webhooks may', async () => {
  const webhooks = await Promise.all(Array.from({ length: 6 }, () => webhookOf(app, other)))
  for (const webhook of webhooks.slice(0, 5)) {
    for (let call = 0; call < 2; call++) assert.equal((await webhook.send(large(nameOf(call)))).status, 400)
    assert.ok((await stored(webhook.id)).bytes > 200_000)
  }
  // 1,000 KB of 1 MiB are used up. This one has stored nothing yet.
  assert.equal((await webhooks[5]!.send(large('N'))).status, 400)
  assert.deepEqual({ ...(await stored(webhooks[5]!.id)) }, { records: 1, bytes: 4096 })
})

test('after 10,000 cut deliveries a day the others are only counted, and leads are stored', async () => {
  const [account, webhook] = await fullWebhook(9999)
  const sent = (call: number) => webhook.send(large(nameOf(call)))
  assert.equal((await sent(1)).status, 400)
  assert.equal((await stored(webhook.id)).records, 1)
  for (const call of [2, 3]) assert.equal((await sent(call)).status, 400)
  assert.equal((await webhook.send({ event: 'seen', at: 1 })).body.data.status, 'ignored')
  assert.equal((await stored(webhook.id)).records, 1)
  assert.equal((await webhook.send({ name: 'Uma', phone: '9810077101' })).body.data.status, 'created')
  const leads = await app.owner`select 1 from leads where account_id = ${account.account_id}`
  assert.deepEqual([leads.length, (await stored(webhook.id)).records], [1, 2])
  await until(async () => {
    const [row] = await app.owner`select sum(cut)::int as cut, sum(dropped)::int as dropped from webhook_storage
      where webhook_id = ${webhook.id} and kind = 'rejected'`
    return row!.cut === 10_000 && row!.dropped === 3
  })
})

test('what one process stored counts in another', async () => {
  const second = await serve(app.database, env)
  after(second.close)
  const webhook = await webhookOf(app, await account(app.database, 'Shared'))
  for (let call = 0; call < 2; call++) assert.equal((await webhook.send(large(nameOf(call)))).status, 400)
  await until(async () => {
    const [row] = await app.owner`select sum(bytes)::int as bytes from webhook_storage where webhook_id = ${webhook.id}`
    return row!.bytes > 200_000
  })
  const { status } = await ask(second.url, null, 'POST', webhook.path, large('N 3'))
  assert.equal(status, 400)
  const rows = await app.owner`select body_size from deliveries where webhook_id = ${webhook.id} order by received_at`
  assert.deepEqual(
    rows.map(({ body_size }) => body_size !== null),
    [false, false, true],
  )
})

/** A webhook of a new account whose quota is used up today, with so many deliveries cut. */
async function fullWebhook(cut: number) {
  const actor = await account(app.database, 'Full')
  const webhook = await webhookOf(app, actor)
  await app.owner`insert into webhook_storage (account_id, webhook_id, day, kind, slot, bytes, cut, dropped)
    values (${actor.account_id}, ${webhook.id}, ${istDay(new Date())}, 'rejected', 0, ${256 * 1024}, ${cut}, 0)`
  return [actor, webhook] as const
}

test('paths of any length and number leave a webhook small', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'Uma', phone: '9810077002' })
  for (let call = 0; call < 5; call++) {
    const long = Object.fromEntries([['k'.repeat(50_000) + call, 'x']])
    const many = Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`f${call}_${n}_${'y'.repeat(150)}`, 'x']))
    await webhook.send({ name: 'Uma', phone: '9810077002', ...long, ...many })
  }
  const [row] = await app.owner`select length(known_fields::text) as size from webhooks where id = ${webhook.id}`
  assert.ok(row!.size < 128 * 1024, String(row!.size))
  const known = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${n}`.padEnd(190, 'x'), '2026-11-20']))
  const reading = { picks: [], absent: [], unmapped: ['a'.repeat(201), 'b'] }
  assert.deepEqual(compareFields({ known_fields: {}, mapping: [], proposal: null }, reading).unseen, ['b'])
  assert.deepEqual(compareFields({ known_fields: known, mapping: [], proposal: null }, reading).unseen, [])
})
