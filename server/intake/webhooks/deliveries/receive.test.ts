import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { addPlayer, people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { setActive } from '../../../access/account/store.ts'
import { addRule } from '../../../crm/distribution/store.ts'
import { asActor } from '../../../platform/database/actor.ts'
import { regenerateToken, setEnabled, setMapping } from '../store.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela, chand, zoya } = await people(app)

const leadWith = async (id: string) => (await app.owner`select * from leads where id = ${id}`)[0]!
const deliveriesOf = (webhookId: string) =>
  app.owner`select * from deliveries where webhook_id = ${webhookId} order by received_at, id`
const countLeads = async () => Number((await app.owner`select count(*) from leads`)[0]!.count)
const timelineOf = (leadId: string) => app.owner`select * from timeline_entries where lead_id = ${leadId} order by id`

let numbers = 9_810_000_000
const newPhone = () => String(numbers++)

test('the fields of the contract make a lead, and the answer is 200 created', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = newPhone()
  const { status, body } = await webhook.send({
    name: 'Meera Iyer',
    email: 'Meera@Example.com',
    phone,
    company: 'Iyer & Co',
    city: 'Chennai',
    source: 'Housing portal',
    message: '3 BHK, Baner',
  })
  assert.equal(status, 200)
  assert.equal(body.data.status, 'created')
  const lead = await leadWith(body.data.id)
  assert.deepEqual(
    [lead.name, lead.email, lead.phone, lead.company, lead.city, lead.source, lead.notes, lead.status, lead.priority],
    [
      'Meera Iyer',
      'Meera@Example.com',
      phone,
      'Iyer & Co',
      'Chennai',
      'Housing portal',
      '3 BHK, Baner',
      'New',
      'Medium',
    ],
  )
  const [entry] = await timelineOf(body.data.id)
  assert.match(entry!.summary, new RegExp(`the webhook “${webhook.name}”`))
})

test('default tags are added to fifty tags of a payload, with a warning', async () => {
  const webhook = await webhookOf(app, acme, { default_tags: ['portal'] })
  const tags = Array.from({ length: 50 }, (_, at) => `t${at}`)
  const { body } = await webhook.send({ name: 'Meera Iyer', phone: newPhone(), tags })
  assert.deepEqual((await leadWith(body.data.id)).tags, [...tags.slice(0, 49), 'portal'])
  const [delivery] = await deliveriesOf(webhook.id)
  assert.deepEqual(delivery!.warnings, [
    { field: 'tags', message: 'There were more than 50 tags; the last were left out' },
  ])
})

test('the defaults of the webhook are used for fields without a value', async () => {
  const webhook = await webhookOf(app, acme, {
    default_assignee: bela.id,
    default_status: 'Contacted',
    default_source: 'Ads',
    default_tags: ['festival'],
  })
  const { body } = await webhook.send({ name: 'Ravi', phone: newPhone(), tags: ['hot'] })
  const lead = await leadWith(body.data.id)
  assert.deepEqual([lead.assigned_to, lead.status, lead.source], [bela.id, 'Contacted', 'Ads'])
  assert.deepEqual([...lead.tags].sort(), ['festival', 'hot'])
  const plain = await webhookOf(app, acme, { source_label: 'JustDial' })
  const other = await leadWith((await plain.send({ name: 'Sita', phone: newPhone() })).body.data.id)
  assert.deepEqual([other.assigned_to, other.source, other.tags], [null, 'JustDial', []])
})

test('a webhook merge fills only empty fields', async () => {
  const phone = newPhone()
  const made = await asha.send('POST', '/api/v1/leads', {
    name: 'Kiran Rao',
    phone,
    city: 'Pune',
    status: 'Qualified',
    source: 'IVR',
    notes: 'First call',
    assigned_to: chand.email,
  })
  const webhook = await webhookOf(app, acme, { default_tags: ['portal'], default_assignee: bela.id })
  const { status, body } = await webhook.send({
    name: 'K Rao',
    phone: `+91 ${phone}`,
    email: 'kiran@example.com',
    city: 'Nagpur',
    company: 'Rao Traders',
    status: 'Won',
    source: 'Other',
    message: 'Call after five',
  })
  assert.deepEqual([status, body.data.status, body.data.id], [200, 'merged', made.body.data.id])
  const lead = await leadWith(body.data.id)
  assert.deepEqual(
    [lead.name, lead.phone, lead.city, lead.status, lead.source, lead.assigned_to],
    ['Kiran Rao', phone, 'Pune', 'Qualified', 'IVR', chand.id],
  )
  assert.deepEqual([lead.email, lead.company, lead.tags], ['kiran@example.com', 'Rao Traders', ['portal']])
  assert.match(lead.notes, /^First call\n\n\[\d{1,2} \w+ \d{4}, \d\d:\d\d\]\nCall after five$/)
  const entry = (await timelineOf(lead.id)).at(-1)!
  assert.equal(entry.kind, 'merged')
  const notTaken = entry.details.not_taken.map(({ field, offered }: Record<string, unknown>) => [field, offered])
  for (const offer of [
    ['name', 'K Rao'],
    ['city', 'Nagpur'],
    ['status', 'Won'],
    ['source', 'Other'],
  ]) {
    assert.ok(
      notTaken.some((one: unknown) => JSON.stringify(one) === JSON.stringify(offer)),
      JSON.stringify(offer),
    )
  }
})

test('an unknown URL is 404, as is one that was regenerated, and nothing is created', async () => {
  const before = await countLeads()
  const webhook = await webhookOf(app, acme)
  await asActor(app.database, acme, (tx) => regenerateToken(tx, acme, webhook.id))
  app.database.cache.invalidate(acme.account_id)
  for (const answer of [
    await webhook.send({ name: 'A', phone: newPhone() }),
    await bela.send('POST', '/webhook/unknown', {}),
  ]) {
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND'])
  }
  assert.equal(await countLeads(), before)
  assert.equal((await deliveriesOf(webhook.id)).length, 0)
})

test('a disabled webhook answers 403, creates nothing, and stores the delivery', async () => {
  const webhook = await webhookOf(app, acme)
  await asActor(app.database, acme, (tx) => setEnabled(tx, acme, webhook.id, false))
  app.database.cache.invalidate(acme.account_id)
  const before = await countLeads()
  const { status, body } = await webhook.send({ name: 'Asha', phone: newPhone() })
  assert.deepEqual([status, body.error.code], [403, 'WEBHOOK_DISABLED'])
  assert.equal(await countLeads(), before)
  const [delivery] = await deliveriesOf(webhook.id)
  assert.deepEqual([delivery!.outcome, delivery!.lead_id], ['rejected', null])
  assert.match(delivery!.body.toString(), /Asha/)
  await asActor(app.database, acme, (tx) => setEnabled(tx, acme, webhook.id, true))
  app.database.cache.invalidate(acme.account_id)
  assert.equal((await webhook.send({ name: 'Asha', phone: newPhone() })).status, 200)
})

const rejected: [string, unknown, Record<string, string>, number][] = [
  ['malformed JSON', '{"name": ', {}, 400],
  ['an empty body', '', {}, 400],
  ['a number', '17', {}, 400],
  ['a list of texts', ['A', '9810012345'], {}, 400],
  ['neither an email nor a phone', { name: 'Nobody', city: 'Pune' }, {}, 400],
  ['an impossible phone alone', { name: 'Nobody', phone: '12' }, {}, 400],
  ['nesting 20,000 deep', `{"name":"A","b":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, {}, 400],
  ['lists nested 20,000 deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, {}, 400],
  ['NUL bytes', Buffer.from([0, 1, 2, 0]), {}, 400],
  ['a body over 3 MiB', JSON.stringify({ name: 'A', phone: '9810012345', message: 'x'.repeat(3_200_000) }), {}, 413],
]
for (const [what, body, headers, expected] of rejected) {
  test(`${what}: ${expected} in the error shape, stored as a delivery, no lead`, async () => {
    const webhook = await webhookOf(app, acme)
    const before = await countLeads()
    const answer = await webhook.send(body, headers)
    assert.equal(answer.status, expected)
    assert.equal(answer.body.error.code, expected === 413 ? 'PAYLOAD_TOO_LARGE' : 'INVALID_PARAM')
    assert.ok(answer.body.error.message.length > 10)
    assert.equal(await countLeads(), before)
    const deliveries = await deliveriesOf(webhook.id)
    assert.equal(deliveries.length, 1)
    assert.deepEqual([deliveries[0]!.outcome, deliveries[0]!.error], ['rejected', answer.body.error.message])
  })
}

const accepted: [string, unknown, Record<string, string>][] = [
  ['JSON under text/plain', '{"name":"Uma","phone":"PHONE"}', { 'content-type': 'text/plain' }],
  ['JSON under a content type that is none', '{"name":"Uma","phone":"PHONE"}', { 'content-type': 'nonsense; ;' }],
  ['a form', 'name=Uma&phone=PHONE&message=Hello+there', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a list of one lead', '[{"name":"Uma","phone":"PHONE"}]', {}],
  ['a list of name and value pairs', '[{"name":"full_name","value":"Uma"},{"name":"phone","value":"PHONE"}]', {}],
  ['control characters in a name', '{"name":"\\u0000Uma\\u0007","phone":"PHONE"}', {}],
  ['a lone surrogate in a message', '{"name":"Uma","phone":"PHONE","message":"a\\ud800b"}', {}],
]
for (const [what, body, headers] of accepted) {
  test(`${what} makes a lead`, async () => {
    const webhook = await webhookOf(app, acme)
    const phone = newPhone()
    const { status, body: answer } = await webhook.send(String(body).replace('PHONE', phone), headers)
    assert.equal(status, 200, JSON.stringify(answer))
    const lead = await leadWith(answer.data.id)
    assert.deepEqual([lead.name, lead.phone], ['Uma', phone])
  })
}

test('an assignee in the payload must be an active user, else the lead is made without it', async () => {
  const webhook = await webhookOf(app, acme, { default_assignee: chand.id })
  const known = await webhook.send({ name: 'Asha', phone: newPhone(), assigned_to: bela.email.toUpperCase() })
  assert.equal((await leadWith(known.body.data.id)).assigned_to, bela.id)
  const unknown = await webhook.send({ name: 'Asha', phone: newPhone(), assigned_to: zoya.email })
  assert.equal((await leadWith(unknown.body.data.id)).assigned_to, chand.id)
  const [, delivery] = await deliveriesOf(webhook.id)
  assert.match(JSON.stringify(delivery!.warnings), /assigned_to/)
})

test('distribution rules come before the default assignee, and a deactivated default leaves the lead unassigned', async () => {
  const north = await addPlayer(app.database, app.url, acme, 'Nita', 'Agent', 'north')
  const webhook = await webhookOf(app, acme, { default_assignee: north.id })
  const rule = {
    name: 'Goa',
    sources: [],
    cities: ['goa'],
    tags: [],
    webhook_ids: [webhook.id],
    people: [{ user_id: bela.id, weight: 1 }],
  }
  await asActor(app.database, acme, (tx) => addRule(tx, acme, rule, null))
  await asActor(app.database, acme, (tx) => setActive(tx, acme, north.id, false))
  app.database.cache.invalidate(acme.account_id)
  const ruled = await webhook.send({ name: 'Asha', phone: newPhone(), city: 'Goa' })
  assert.equal((await leadWith(ruled.body.data.id)).assigned_to, bela.id)
  const left = await webhook.send({ name: 'Asha', phone: newPhone(), city: 'Pune' })
  assert.equal((await leadWith(left.body.data.id)).assigned_to, null)
})

test('beyond the limit of a webhook: 429 with Retry-After, and the delivery is stored', async () => {
  const small = await testApp({ WEBHOOK_LIMIT_PER_MINUTE: '2' })
  try {
    const cast = await people(small)
    const webhook = await webhookOf(small, cast.acme)
    const answers = []
    for (let number = 0; number < 3; number++) answers.push(await webhook.send({ name: 'A', phone: newPhone() }))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 429],
    )
    assert.ok(Number(answers[2]!.headers.get('retry-after')) >= 1)
    const stored = await small.owner`select outcome from deliveries order by received_at`
    assert.deepEqual(
      stored.map(({ outcome }) => outcome),
      ['created', 'created', 'rejected'],
    )
    assert.equal(Number((await small.owner`select count(*) from leads`)[0]!.count), 2)
  } finally {
    await small.close()
  }
})

test('the first delivery proposes the mapping, and a later one does not change it', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ buyer_name: 'Meera', mob: newPhone() })
  await webhook.send({ your_email: 'x@example.com', fullname: 'Other' })
  const [row] = await app.owner`select proposal from webhooks where id = ${webhook.id}`
  const proposed = Object.fromEntries(row!.proposal.map(({ path, field }: Record<string, string>) => [field, path]))
  assert.deepEqual(proposed, { name: 'buyer_name', phone: 'mob' })
})

test('the manual mapping wins, and only lead fields are written', async () => {
  const webhook = await webhookOf(app, acme)
  await asActor(app.database, acme, (tx) =>
    setMapping(tx, acme, webhook.id, [
      { path: 'reach.tel', field: 'phone' },
      { path: 'project', field: 'company' },
    ]),
  )
  app.database.cache.invalidate(acme.account_id)
  const phone = newPhone()
  const { body } = await webhook.send({
    name: 'Dev',
    phone: newPhone(),
    reach: { tel: phone },
    project: 'Green Meadows',
    id: 'not-an-id',
    created_at: '2001-01-01T00:00:00Z',
    account_id: zoya.actor.account_id,
  })
  const lead = await leadWith(body.data.id)
  assert.deepEqual(
    [lead.name, lead.phone, lead.company, lead.account_id],
    ['Dev', phone, 'Green Meadows', acme.account_id],
  )
  assert.ok(lead.created_at.getUTCFullYear() > 2020)
})
