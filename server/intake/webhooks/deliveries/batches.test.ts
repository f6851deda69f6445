import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { isThorough } from '#test/budget.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { maxRecords } from '../../payload/contract.ts'
import { replayDelivery, replayRejected } from './replay.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const { owner } = app
const web = await signedIn(app, asha)

async function switchTo(webhookId: string, enabled: boolean) {
  assert.equal((await web.send('PATCH', `/web/webhooks/${webhookId}`, { enabled })).status, 200)
}

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

test('a request without any contact is rejected, and every record is stored', async () => {
  const webhook = await webhookOf(app, acme)
  const { status } = await webhook.send([{ full_name: 'Nobody One' }, { full_name: 'Nobody Two' }])
  assert.equal(status, 400)
  assert.deepEqual(
    (await deliveriesOf(webhook.id)).map(({ outcome }) => outcome),
    ['rejected', 'rejected'],
  )
})

test('a request repeated by its sender makes no lead twice', async () => {
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
  const { warnings } = (await deliveriesOf(webhook.id)).findLast(({ outcome }) => outcome === 'duplicate')!
  const repeated = {
    field: 'record',
    message: 'This record was received before with the same content; nothing was changed',
  }
  assert.deepEqual(warnings.at(-1), repeated)
})

test('more than a hundred records are stored, and replayed in steps', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = Array.from({ length: 130 }, () => newLead())
  const { status, body } = await webhook.send({ leads })
  assert.deepEqual([status, body.error.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.equal((await leadsNamed(names(leads))).length, 0)
  const results = await replayRejected(app.database, acme, webhook.id)
  assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 130)
  const batches = new Set(results.map(({ batch_id }) => batch_id))
  assert.deepEqual([batches.size, batches.has(null)], [1, false])
  assert.equal((await leadsNamed(names(leads))).length, 130)
  await assertCountsHold(owner)
})

test('more records than are split off at once are 413 too, and replayed from the rest of the body', {
  skip: !isThorough && 'it saves thousands of records',
}, async () => {
  const webhook = await webhookOf(app, acme)
  const nobodies = Array.from({ length: maxRecords }, () => ({ phone: '1' }))
  const leads = [newLead(), newLead()]
  const { status, body } = await webhook.send([...nobodies, ...leads])
  assert.deepEqual([status, body.error.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.match(
    body.error.message,
    /may have 100 records, and this one has more than 5,000\. All are stored: replay them/,
  )
  assert.equal((await leadsNamed(names(leads))).length, 0)
  const kept = await owner`select id, outcome from deliveries where webhook_id = ${webhook.id} order by record`
  assert.deepEqual([kept.length, new Set(kept.map(({ outcome }) => outcome)).size], [maxRecords + 1, 1])
  const { data } = (await web.send('POST', `/web/deliveries/${kept.at(-1)!.id}/replay`)).body
  assert.deepEqual([data.outcome, data.records.created, data.records.waiting], ['created', 2, 0])
  assert.equal((await leadsNamed(names(leads))).length, 2)
  await assertCountsHold(owner)
})

test('replaying a batch that was stored as a whole answers the outcomes of its records', async () => {
  const webhook = await webhookOf(app, acme)
  await switchTo(webhook.id, false)
  const known = newLead()
  await asha.send('POST', '/api/v1/leads', { name: known.full_name, phone: known.phone_number })
  const mixed = [{ ...newLead(), phone_number: 'none' }, newLead(), known]
  const many = Array.from({ length: 130 }, () => newLead())
  const nobodies = [{ full_name: 'Nobody One' }, { full_name: 'Nobody Two' }]
  const events = [
    { event: 'seen', at: 1 },
    { event: 'seen', at: 2 },
  ]
  for (const sent of [mixed, many, nobodies, events]) assert.equal((await webhook.send(sent)).status, 403)
  const wholes = await owner`select id from deliveries where webhook_id = ${webhook.id} order by received_at, id`
  const replayed = []
  for (const { id } of wholes) replayed.push((await web.send('POST', `/web/deliveries/${id}/replay`)).body.data)
  const none = { created: 0, merged: 0, duplicate: 0, rejected: 0, ignored: 0, test: 0, waiting: 0 }
  assert.deepEqual(
    replayed.map(({ outcome, records }) => [outcome, records]),
    [
      ['created', { ...none, created: 1, merged: 1, rejected: 1 }],
      ['created', { ...none, created: 100, waiting: 30 }],
      ['rejected', { ...none, rejected: 2 }],
      ['ignored', { ...none, ignored: 2 }],
    ],
  )
  const [entry] =
    await owner`select details from audit_log where action = 'delivery.replayed' and subject_id = ${wholes[0]!.id}`
  assert.deepEqual(entry!.details, { outcome: 'created' })
  const all = (await web.send('POST', `/web/webhooks/${webhook.id}/replay`, {})).body.data.results
  assert.equal(all.filter(({ outcome }: { outcome: string }) => outcome === 'created').length, 30)
  assert.ok(all.every(({ records }: { records: unknown }) => records === null))
})

test('a dry run covers each record of a batch that was stored as a whole, and the preview counts them', async () => {
  const webhook = await webhookOf(app, acme)
  await switchTo(webhook.id, false)
  const leads = [newLead(), newLead(), { full_name: 'Nobody', phone_number: 'none', message: 'No phone' }]
  assert.equal((await webhook.send({ source: 'Expo', leads })).status, 403)
  const [whole] = await deliveriesOf(webhook.id)
  const before = await owner`select * from deliveries where webhook_id = ${webhook.id}`
  const mapping = [{ path: 'leads[0].phone_number', field: 'ignore' }]
  const dryRun = (await web.send('POST', `/web/webhooks/${webhook.id}/dry-run`, { mapping })).body.data
  assert.deepEqual([dryRun.tried, dryRun.would_be_rejected], [3, 2])
  assert.deepEqual(
    dryRun.deliveries.map(({ delivery_id, record, before: { name } }: never) => [delivery_id, record, name]),
    leads.slice(0, 2).map(({ full_name }, index) => [whole!.id, index + 1, full_name]),
  )
  const readingUnder = async (mapping: object[]) =>
    (await web.send('POST', `/web/deliveries/${whole!.id}/preview`, { mapping })).body.data
  const saved = await readingUnder([])
  assert.equal(saved.lead.name, leads[0]!.full_name)
  assert.deepEqual(saved.records, { total: 3, more: false, leads: 2, ignored: 0, rejected: 1 })
  assert.deepEqual((await readingUnder(mapping)).records, { total: 3, more: false, leads: 0, ignored: 0, rejected: 3 })
  assert.deepEqual([...(await owner`select * from deliveries where webhook_id = ${webhook.id}`)], [...before])
  await switchTo(webhook.id, true)
  const { body } = await webhook.send({ source: 'Expo', leads: leads.slice(0, 2) })
  const [, record] = await deliveriesOf(webhook.id)
  assert.equal(body.data.leads.length, 2)
  assert.equal((await web.send('GET', `/web/deliveries/${record!.id}/preview`)).body.data.records, null)
})

test('a batch that a disabled webhook stored as a whole becomes its records when it is replayed', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead()]
  await switchTo(webhook.id, false)
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

test('only the record of a deleted person is erased from a batch', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead()]
  const { body } = await webhook.send({ leads })
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${body.data.leads[0].id}`)).status, 200)
  const [erased, other] = await deliveriesOf(webhook.id)
  assert.equal(erased!.body, null)
  assert.match(String(other!.body), new RegExp(leads[1]!.phone_number))
  const everything = JSON.stringify(await owner`select body, picks, warnings from deliveries`, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
  )
  assert.ok(!everything.includes(leads[0]!.phone_number))
})

// Last, because it changes tables without their counts.
test('an interrupted batch is stored record by record, and a replay processes the rest', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = [newLead(), newLead(), newLead()]
  await webhook.send({ leads })
  // The state after a process stopped at the first record.
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
  const results = await replayRejected(app.database, acme, webhook.id)
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['duplicate', 'duplicate'],
  )
  assert.equal((await leadsNamed(names(leads))).length, 3)
})
