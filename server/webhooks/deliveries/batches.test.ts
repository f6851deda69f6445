import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { replayDelivery, replayRefused } from './replay.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const { owner } = app
const web = await signedIn(app, asha)

let made = 0
const newLead = (more = {}) => {
  const n = ++made
  const name = `Ravi ${String.fromCharCode(65 + Math.floor(n / 26))}${String.fromCharCode(97 + (n % 26))}nkar`
  return { full_name: name, phone_number: `98${60_000_000 + n}`, message: `Need ${n} boxes`, ...more }
}
const leadsNamed = (names: string[]) =>
  owner`select id, name, phone, source, notes from leads where name = any (${names}) order by phone`
const deliveriesOf = (webhookId: string) =>
  owner`select * from deliveries where webhook_id = ${webhookId} order by batch_id, record`
const names = (leads: { full_name: string }[]) => leads.map(({ full_name }) => full_name)

for (const [shape, wrap] of [
  ['leads', (leads: object[]) => ({ source: 'Expo', leads })],
  ['contacts', (contacts: object[]) => ({ contacts })],
  ['entry', (entry: object[]) => ({ object: 'page', entry })],
  ['RESPONSE', (RESPONSE: object[]) => ({ CODE: 200, RESPONSE })],
  ['a list alone', (list: object[]) => list],
] as const) {
  test(`each person in ${shape} is a lead, and the answer names them all`, async () => {
    const webhook = await webhookOf(app, acme)
    const leads = [newLead(), newLead()]
    const { status, body } = await webhook.send(wrap(leads))
    assert.deepEqual([status, body.data.status, body.data.leads.length], [200, 'created', 2])
    const kept = await leadsNamed(names(leads))
    assert.deepEqual(
      kept.map(({ phone }) => phone),
      leads.map(({ phone_number }) => phone_number),
    )
    assert.equal(body.data.id, body.data.leads[0].id)
    assert.deepEqual(
      body.data.leads.map(({ id }: { id: string }) => id),
      kept.map(({ id }) => id),
    )
    if (shape === 'leads') assert.deepEqual(new Set(kept.map(({ source }) => source)), new Set(['Expo']))
    const deliveries = await deliveriesOf(webhook.id)
    assert.deepEqual(
      deliveries.map(({ record, records, outcome, error }) => [record, records, outcome, error]),
      [
        [1, 2, 'created', null],
        [2, 2, 'created', null],
      ],
    )
    await assertCountsHold(owner)
  })
}

test('a record without a contact is rejected by itself, shown beside the others, and replayed by itself', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead(), { ...newLead(), phone_number: 'none' }]
  const { status, body } = await webhook.send({ leads })
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.leads.map(({ status }: { status: string }) => status),
    ['created', 'created', 'rejected'],
  )
  const deliveries = await deliveriesOf(webhook.id)
  const shown = await web.send('GET', `/web/deliveries/${deliveries[0]!.id}`)
  assert.deepEqual(
    shown.body.data.batch.map(({ record, outcome }: { record: number; outcome: string }) => [record, outcome]),
    [
      [1, 'created'],
      [2, 'created'],
      [3, 'rejected'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(shown.body.data.payload), new RegExp(leads[1]!.phone_number))
  const replayed = await web.send('POST', `/web/deliveries/${deliveries[1]!.id}/replay`)
  assert.equal(replayed.body.data.lead_id, deliveries[1]!.lead_id)
})

test('where no record has a contact the request is refused, and every record is kept', async () => {
  const webhook = await webhookOf(app, acme)
  const { status } = await webhook.send([{ full_name: 'Nobody One' }, { full_name: 'Nobody Two' }])
  assert.equal(status, 400)
  assert.deepEqual(
    (await deliveriesOf(webhook.id)).map(({ outcome }) => outcome),
    ['rejected', 'rejected'],
  )
})

test('a request repeated by its sender makes nobody twice', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead(), newLead()]
  const first = await webhook.send({ leads })
  const before = await leadsNamed(names(leads))
  const again = await webhook.send({ leads })
  assert.deepEqual(
    again.body.data.leads,
    first.body.data.leads.map(({ id }: { id: string }) => ({ id, status: 'duplicate' })),
  )
  assert.deepEqual([...(await leadsNamed(names(leads)))], [...before])
})

test('more than a hundred records are kept, and replayed in steps', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = Array.from({ length: 130 }, () => newLead())
  const { status, body } = await webhook.send({ leads })
  assert.deepEqual([status, body.error.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.equal((await leadsNamed(names(leads))).length, 0)
  const results = await replayRefused(app.database, acme, webhook.id)
  assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 130)
  assert.equal((await leadsNamed(names(leads))).length, 130)
  await assertCountsHold(owner)
})

test('a batch that a disabled webhook kept whole becomes its records when it is replayed', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead()]
  await owner`update webhooks set enabled = false where id = ${webhook.id}`
  app.database.memory.forget(acme.account_id)
  assert.equal((await webhook.send({ leads })).status, 403)
  const [delivery] = await deliveriesOf(webhook.id)
  assert.equal((await replayDelivery(app.database, acme, delivery!.id)).outcome, 'created')
  assert.equal((await leadsNamed(names(leads))).length, 2)
  assert.deepEqual(
    (await deliveriesOf(webhook.id)).map(({ record, outcome }) => [record, outcome]),
    [
      [1, 'created'],
      [2, 'created'],
    ],
  )
  await assertCountsHold(owner)
})

test('of a batch only the record of a deleted person is erased', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead()]
  const { body } = await webhook.send({ leads })
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${body.data.leads[0].id}`)).status, 200)
  const [gone, kept] = await deliveriesOf(webhook.id)
  assert.equal(gone!.body, null)
  assert.match(String(kept!.body), new RegExp(leads[1]!.phone_number))
  const everything = JSON.stringify(await owner`select body, picks, warnings from deliveries`, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
  )
  assert.ok(!everything.includes(leads[0]!.phone_number))
})

// Last, because it changes tables behind the counts' back.
test('what was interrupted is kept record by record, and a replay takes the rest', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead(), newLead()]
  await webhook.send({ leads })
  // As the process leaves it that stops after the first record.
  const [, second, third] = await deliveriesOf(webhook.id)
  for (const { id, lead_id } of [second!, third!]) {
    await owner`delete from delivery_receipts where lead_id = ${lead_id}`
    await owner`update deliveries set outcome = 'rejected', lead_id = null where id = ${id}`
    await owner`delete from leads where id = ${lead_id}`
  }
  const repeated = await webhook.send({ leads })
  assert.deepEqual(
    repeated.body.data.leads.map(({ status }: { status: string }) => status),
    ['duplicate', 'created', 'created'],
  )
  const results = await replayRefused(app.database, acme, webhook.id)
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['duplicate', 'duplicate'],
  )
  assert.equal((await leadsNamed(names(leads))).length, 3)
})
