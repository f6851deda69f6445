import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { auditOf, world } from '#test/records.ts'

const app = await testApp()
after(app.close)
const { owner, url } = app
const { asha, bela, zoya } = await people(app)
const admin = await signedIn(app, asha)

async function created(more: object = {}) {
  const { status, body } = await admin!.send('POST', '/web/webhooks', {
    name: 'Portal',
    source_label: 'Housing',
    ...more,
  })
  assert.equal(status, 201, JSON.stringify(body))
  const path = body.data.url.replace(url, '')
  return {
    ...(body.data as { id: string; url: string; verify_token: string }),
    path: path as string,
    send: (payload: object) => ask(url, null, 'POST', path, payload),
  }
}
const detail = async (id: string) => (await admin!.send('GET', `/web/webhooks/${id}`)).body.data
const deliveriesOf = async (id: string, query = '') =>
  (await admin!.send('GET', `/web/webhooks/${id}/deliveries${query}`)).body
const change = (id: string, body: object) => admin!.send('PATCH', `/web/webhooks/${id}`, body)

const odd = { ref: 'H-1', kunde: 'Meera Iyer', reach: { tel: '98200 11223' }, req: '3 BHK' }

test('a new webhook waits, then shows the fields of the first delivery with reasons', async () => {
  const webhook = await created({ default_tags: ['portal'] })
  const waiting = await detail(webhook.id)
  assert.deepEqual(
    [waiting.proposal, waiting.last_delivery, waiting.today],
    [null, null, { received: 0, rejected: 0, waiting: 0 }],
  )
  assert.equal(waiting.url, webhook.url)
  await webhook.send({ buyer_name: 'Meera Iyer', mobile: '9820011223', city: 'Pune' })
  const shown = await detail(webhook.id)
  const name = shown.proposal.find(({ field }: { field: string }) => field === 'name')
  assert.deepEqual([name.path, name.by], ['buyer_name', 'recognised'])
  assert.deepEqual([shown.last_delivery.outcome, shown.today], ['created', { received: 1, rejected: 0, waiting: 0 }])
  assert.deepEqual([shown.days.length, shown.days.at(-1).created], [14, 1])
  await webhook.send({ buyer_name: 'Meera Iyer', mobile: '9820011223', budget: '1 Cr' })
  assert.deepEqual(
    (await detail(webhook.id)).new_fields.map(({ path }: { path: string }) => path),
    ['budget'],
  )
})

test('the list has the activity of each webhook, and no URL, token or mapping', async () => {
  const webhook = await created()
  await webhook.send({ name: 'Nobody' })
  const { body } = await admin!.send('GET', '/web/webhooks')
  const listed = body.data.find(({ id }: { id: string }) => id === webhook.id)
  assert.deepEqual(
    [listed.enabled, listed.today, listed.last_delivery.outcome],
    [true, { received: 1, rejected: 1, waiting: 0 }, 'rejected'],
  )
  assert.equal(JSON.stringify(body).includes(webhook.path.replace('/webhook/', '')), false)
  assert.equal(JSON.stringify(body).includes(webhook.verify_token), false)
})

test('defaults, source and mapping change at once; null removes a default', async () => {
  const webhook = await created({ default_assignee: bela.id, default_source: 'Ads' })
  const { body } = await change(webhook.id, {
    source_label: 'Houses',
    default_source: null,
    default_status: 'Contacted',
    default_tags: ['hot', 'hot'],
    mapping: [
      { path: 'kunde', field: 'name' },
      { path: 'ref', field: 'ignore' },
    ],
  })
  const { default_source, default_assignee, default_tags, mapping, name } = body.data
  assert.deepEqual([default_source, default_assignee, default_tags, name], [null, bela.id, ['hot'], 'Portal'])
  assert.equal(mapping.length, 2)
  const { body: sent } = await webhook.send({ ...odd, reach: { tel: '98200 11224' } })
  const [lead] = await owner`select name, source, status, tags, assigned_to from leads where id = ${sent.data.id}`
  assert.deepEqual(
    { ...lead },
    { name: 'Meera Iyer', source: 'Houses', status: 'Contacted', tags: ['hot'], assigned_to: bela.id },
  )
  await change(webhook.id, { default_assignee: null })
  assert.equal((await detail(webhook.id)).default_assignee, null)
  assert.deepEqual(
    (await auditOf(owner, webhook.id)).map(({ action }) => action),
    ['webhook.created', 'webhook.changed', 'webhook.mapped', 'webhook.changed'],
  )
})

test('a disabled webhook answers 403 and stores deliveries; after regenerating, the old URL is unknown', async () => {
  const webhook = await created()
  await change(webhook.id, { enabled: false })
  assert.equal((await webhook.send({ name: 'A', phone: '9820000001' })).status, 403)
  assert.equal((await deliveriesOf(webhook.id)).data[0].outcome, 'rejected')
  assert.equal((await admin!.send('POST', `/web/webhooks/${webhook.id}/test`, {})).status, 403)
  await change(webhook.id, { enabled: true })
  assert.equal((await webhook.send({ name: 'A', phone: '9820000001' })).status, 200)
  const { body } = await admin!.send('POST', `/web/webhooks/${webhook.id}/regenerate-url`)
  assert.equal((await webhook.send({ name: 'A', phone: '9820000001' })).status, 404)
  assert.equal((await fetch(body.data.url)).status, 200)
})

test('deliveries are paged by their time, each once, and filtered by outcome', async () => {
  const webhook = await created()
  for (let n = 0; n < 7; n++)
    await webhook.send(n % 2 ? { city: `C ${n}` } : { name: `P ${n}`, phone: `983000000${n}` })
  await owner`update deliveries set received_at = date_trunc('minute', received_at at time zone 'UTC') at time zone 'UTC'
    where webhook_id = ${webhook.id}`
  const seen: string[] = []
  let query = '?limit=3'
  for (let pages = 0; pages < 3; pages++) {
    const { data, next } = await deliveriesOf(webhook.id, query)
    seen.push(...data.map(({ id }: { id: string }) => id))
    query = `?limit=3&before=${next}`
    assert.equal(next === null, pages === 2)
  }
  assert.deepEqual([seen.length, new Set(seen).size], [7, 7])
  const rejected = (await deliveriesOf(webhook.id, '?outcome=rejected')).data
  assert.equal(rejected.length, 3)
  assert.deepEqual([rejected[0].name, rejected[0].lead_id], [null, null])
  assert.match(rejected[0].error, /No email and no phone/)
  assert.match((await deliveriesOf(webhook.id, '?outcome=created')).data[0].name, /^P \d$/)
  assert.equal((await deliveriesOf(webhook.id, '?outcome=lost')).error.field, 'outcome')
})

test('the list names each delivery by the parts of a name, else by the contact', async () => {
  const webhook = await created()
  await webhook.send({ first_name: 'Kavya', last_name: 'Hegde', phone: '9830000101' })
  await webhook.send({ phone: '9830000102' })
  await webhook.send({ email: 'someone@x.example' })
  const names = (await deliveriesOf(webhook.id)).data.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['someone@x.example', '9830000102', 'Kavya Hegde'])
})

test('a preview says what each value is for the enquiry, and a dry run what a mapping changes of it', async () => {
  const webhook = await created()
  const sent = { name: 'Enquiring', phone: '98200 11277', project: 'Skyline', budget: '60 lakh', area: 'Baner' }
  await webhook.send({ ...sent, campaign: 'Launch', ip_address: '203.0.113.9' })
  const [{ id }] = (await deliveriesOf(webhook.id)).data
  const preview = async (mapping?: object) =>
    mapping
      ? (await admin!.send('POST', `/web/deliveries/${id}/preview`, { mapping })).body.data
      : (await admin!.send('GET', `/web/deliveries/${id}/preview`)).body.data
  const { values, enquiry } = await preview()
  const parts = values.flatMap(({ path, part }: Record<string, string>) => (part ? [[path, part]] : []))
  assert.deepEqual(parts, [
    ['project', 'product'],
    ['budget', 'answer'],
    ['area', 'answer'],
    ['campaign', 'campaign'],
    ['ip_address', 'left_out'],
  ])
  assert.deepEqual(enquiry, {
    origin: { product: 'Skyline', campaign: 'Launch' },
    answers: [
      { question: 'budget', answer: '60 lakh' },
      { question: 'area', answer: 'Baner' },
    ],
    consent: null,
    omitted: 0,
  })
  const mapping = [
    { path: 'budget', field: 'ignore' },
    { path: 'area', field: 'city' },
  ]
  const moved = await preview(mapping)
  assert.deepEqual([moved.enquiry.answers, moved.lead.city], [[], 'Baner'])
  const dryRun = (await admin!.send('POST', `/web/webhooks/${webhook.id}/dry-run`, { mapping })).body.data
  const [{ changed, before, after: later, loses }] = dryRun.deliveries
  assert.deepEqual([changed.sort(), loses], [['city', 'enquiry'], []])
  assert.deepEqual([before.enquiry, later.enquiry], ['Budget: 60 lakh\nArea: Baner', undefined])
})

test('a delivery shows its body, the field of each value, and the resulting lead', async () => {
  const webhook = await created({ default_tags: ['portal'] })
  await change(webhook.id, { mapping: [{ path: 'ref', field: 'ignore' }] })
  await webhook.send({ ...odd, reach: { tel: '98200 11225' } })
  const [{ id }] = (await deliveriesOf(webhook.id)).data
  const shown = (await admin!.send('GET', `/web/deliveries/${id}`)).body.data
  assert.deepEqual([shown.payload.reach.tel, shown.text, shown.webhook_id], ['98200 11225', null, webhook.id])
  const reading = (await admin!.send('GET', `/web/deliveries/${id}/preview`)).body.data
  const at = (path: string) => reading.values.find((one: { path: string }) => one.path === path)
  assert.deepEqual([at('ref').field, at('ref').by], ['ignore', 'owner'])
  assert.deepEqual([at('reach.tel').field, at('reach.tel').segments], ['phone', ['reach', 'tel']])
  assert.ok(at('reach.tel').reason.length > 3)
  assert.deepEqual([reading.lead.source, reading.lead.tags, reading.error], ['Housing', ['portal'], null])
  assert.deepEqual(reading.from_defaults, ['source', 'status', 'priority', 'assigned_to', 'tags'])
  const mapping = [
    { path: 'kunde', field: 'name' },
    { path: '["req"]', field: 'company' },
  ]
  const before = await world(owner)
  const tried = (await admin!.send('POST', `/web/deliveries/${id}/preview`, { mapping })).body.data
  assert.deepEqual([tried.lead.name, tried.lead.company], ['Meera Iyer', '3 BHK'])
  assert.deepEqual(tried.values.find((one: { path: string }) => one.path === 'req').by, 'owner')
  const dryRun = (await admin!.send('POST', `/web/webhooks/${webhook.id}/dry-run`, { mapping })).body.data
  assert.deepEqual([dryRun.tried, dryRun.changed, dryRun.deliveries[0].after.company], [1, 1, '3 BHK'])
  assert.ok(dryRun.deliveries[0].changed.includes('company'))
  assert.deepEqual(await world(owner), before)
})

test('a mapping for one unusual delivery does not lose the phone of later leads', async () => {
  const webhook = await created()
  assert.equal((await webhook.send({ customer: 'Sunil Shah', order_ref: '9820022001' })).status, 400)
  await change(webhook.id, { mapping: [{ path: 'order_ref', field: 'phone' }] })
  const [odd] = (await deliveriesOf(webhook.id)).data
  assert.equal((await admin!.send('POST', `/web/deliveries/${odd.id}/replay`)).body.data.outcome, 'created')
  for (const [payload, phone] of [
    [{ name: 'Meera Iyer', mobile: '9820022002' }, '9820022002'],
    [{ name: 'Kavya Hegde', mobile: '9820022003', email: 'kavya@example.com' }, '9820022003'],
    [{ name: 'Uma Nair', mobile: '9820022004', order_ref: 'ORD-77' }, '9820022004'],
    [{ name: 'Ila Sen', mobile: '9820022005', order_ref: '' }, '9820022005'],
  ] as const) {
    const { status, body } = await webhook.send(payload)
    assert.equal(status, 200, JSON.stringify(payload))
    const [lead] = await owner`select phone from leads where id = ${body.data.id}`
    assert.equal(lead!.phone, phone)
  }
  const [, impossible, second, first] = (await deliveriesOf(webhook.id)).data
  const warningsOf = async ({ id }: { id: string }) =>
    (await admin!.send('GET', `/web/deliveries/${id}`)).body.data.warnings.map(
      ({ field, message }: Record<string, string>) => `${field} ${message}`,
    )
  for (const delivery of [second, first]) {
    assert.ok(!(await warningsOf(delivery)).some((warning: string) => /missing/.test(warning)))
  }
  assert.ok((await warningsOf(impossible)).some((warning: string) => /ORD-77.*kept in the notes/.test(warning)))
})

test('settings that another user changed meanwhile are not overwritten', async () => {
  const webhook = await created({ default_tags: ['portal'] })
  const tags = { default_tags: ['portal', 'a'], was: { default_tags: ['portal'] } }
  assert.equal((await change(webhook.id, tags)).status, 200)
  const late = await change(webhook.id, { default_tags: ['portal', 'b'], was: { default_tags: ['portal'] } })
  assert.deepEqual([late.status, late.body.error.field], [400, 'default_tags'])
  const mapped = await change(webhook.id, { mapping: [], was: { mapping: [{ path: 'a', field: 'name' }] } })
  assert.deepEqual([mapped.status, mapped.body.error.field], [400, 'mapping'])
  const { default_tags, mapping } = await detail(webhook.id)
  assert.deepEqual([default_tags, mapping], [['portal', 'a'], []])
})

test('a field is read from its second path if the first is absent', async () => {
  const webhook = await created()
  const mapping = [
    { path: 'line_one', field: 'phone' },
    { path: 'line_two', field: 'phone' },
  ]
  assert.deepEqual((await change(webhook.id, { mapping })).body.data.mapping, mapping)
  await webhook.send({ name: 'Bela Shah', line_one: '9820023001', line_two: '9820023002' })
  const { body } = await webhook.send({ name: 'Second', line_two: '9820023003' })
  const [lead] = await owner`select phone from leads where id = ${body.data.id}`
  assert.equal(lead!.phone, '9820023003')
  const { data } = await deliveriesOf(webhook.id)
  assert.deepEqual(
    data.map(({ warnings }: { warnings: number }) => warnings),
    [0, 0],
  )
})

test('a dry run lists the deliveries that would be rejected or lose a field', async () => {
  const webhook = await created()
  await webhook.send({ name: 'Farah Khan', mobile: '9820024001', city: 'Pune' })
  await webhook.send({ name: 'Bela Shah', mobile: '9820024002', email: 'both@example.com', note: 'x' })
  await webhook.send({ name: 'Omar Das', email: 'only@example.com' })
  await webhook.send({ nothing: 'here' })
  const before = await world(owner)
  const dryRunOf = async (mapping: object[]) =>
    (await admin!.send('POST', `/web/webhooks/${webhook.id}/dry-run`, { mapping })).body.data
  const lossy = await dryRunOf([{ path: 'mobile', field: 'ignore' }])
  assert.deepEqual([lossy.tried, lossy.changed, lossy.would_be_rejected, lossy.would_lose_fields], [4, 2, 1, 1])
  type Listed = { would_be_rejected: boolean; loses: string[]; before: { name: string } }
  assert.deepEqual(
    lossy.deliveries.map(({ before: { name }, would_be_rejected, loses }: Listed) => [name, would_be_rejected, loses]),
    [
      ['Farah Khan', true, ['phone']],
      ['Bela Shah', false, ['phone']],
    ],
  )
  const harmless = await dryRunOf([{ path: 'order_ref', field: 'phone' }])
  assert.deepEqual([harmless.changed, harmless.would_be_rejected, harmless.would_lose_fields], [0, 0, 0])
  assert.deepEqual(await world(owner), before)
})

test('an unreadable body is shown as it was sent, with the reason of its rejection', async () => {
  const webhook = await created()
  await ask(url, null, 'POST', webhook.path, '<lead>no</lead>', { 'content-type': 'text/xml' })
  const [{ id }] = (await deliveriesOf(webhook.id)).data
  const shown = (await admin!.send('GET', `/web/deliveries/${id}`)).body.data
  assert.deepEqual([shown.payload, shown.text], [null, '<lead>no</lead>'])
  const reading = (await admin!.send('GET', `/web/deliveries/${id}/preview`)).body.data
  assert.deepEqual([reading.lead, reading.values], [null, []])
  assert.match(reading.error, /JSON object/)
})

test('rejected deliveries are fixed by a mapping and replayed, one or all; the audit log names the user', async () => {
  const webhook = await created()
  const bad = (n: number) => ({
    name: ['Asha Rao', 'Ravi Bose', 'Meena Iyer', 'Zoya Khan'][n % 4],
    wie: `call me on nine eight ${n}`,
    ruf: `98400 0000${n}`,
  })
  await change(webhook.id, { mapping: [{ path: 'ruf', field: 'ignore' }] })
  for (const n of [1, 2, 3]) assert.equal((await webhook.send(bad(n))).status, 400)
  const [{ id }] = (await deliveriesOf(webhook.id)).data
  const again = (await admin!.send('POST', `/web/deliveries/${id}/replay`)).body.data
  assert.deepEqual([again.outcome, again.lead_id], ['rejected', null])
  assert.match(again.error, /No email and no phone/)
  await change(webhook.id, { mapping: [{ path: 'ruf', field: 'phone' }] })
  const one = (await admin!.send('POST', `/web/deliveries/${id}/replay`)).body.data
  assert.equal(one.outcome, 'created')
  const all = (await admin!.send('POST', `/web/webhooks/${webhook.id}/replay`, {})).body.data
  assert.deepEqual(
    [all.results.map(({ outcome }: { outcome: string }) => outcome), all.next],
    [['created', 'created'], null],
  )
  assert.equal((await admin!.send('POST', `/web/webhooks/${webhook.id}/replay`, {})).body.data.results.length, 0)
  const [entry] = (await auditOf(owner, id)).slice(-1)
  assert.deepEqual(
    [entry!.action, entry!.user_id, entry!.details],
    ['delivery.replayed', asha.id, { outcome: 'created' }],
  )
  assert.ok((await deliveriesOf(webhook.id)).data.every(({ replayed_at }: { replayed_at: string }) => replayed_at))
})

test('a test delivery is stored, makes no lead and proposes no mapping', async () => {
  const webhook = await created()
  const leads = async () => (await owner`select count(*)::int as n from leads`)[0]!.n
  const before = await leads()
  const { status, body } = await admin!.send('POST', `/web/webhooks/${webhook.id}/test`, {})
  assert.equal(status, 201)
  await admin!.send('POST', `/web/webhooks/${webhook.id}/test`, { payload: { name: 'Own', mail: 'own@x.example' } })
  assert.equal(await leads(), before)
  const { proposal, new_fields } = await detail(webhook.id)
  assert.deepEqual([proposal, new_fields], [null, []])
  const shown = (await admin!.send('GET', `/web/deliveries/${body.data.delivery_id}`)).body.data
  assert.match(shown.error, /test from the settings/)
  assert.equal(shown.outcome, 'test')
  await webhook.send({ name: 'Of the platform', phone: '9860000001', is_test: true })
  await webhook.send({ name: 'Nobody' })
  const outcomes = (await deliveriesOf(webhook.id)).data.map(({ outcome }: { outcome: string }) => outcome)
  assert.deepEqual(outcomes, ['rejected', 'test', 'test', 'test'])
  assert.deepEqual((await detail(webhook.id)).today, { received: 1, rejected: 1, waiting: 0 })
  assert.ok(shown.picks.some(({ field }: { field: string }) => field === 'phone'))
})

test('an invalid value is rejected, and the error names its field', async () => {
  const webhook = await created()
  const before = JSON.stringify(await owner`select * from webhooks order by id`)
  for (const [body, field] of [
    [{ default_assignee: zoya.id }, 'default_assignee'],
    [{ default_status: 'Old' }, 'default_status'],
    [{ mapping: [{ path: 'x', field: 'id' }] }, 'mapping'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ mapping: [{ path: 'a\u0000b', field: 'name' }] }, 'mapping'],
  ] as const) {
    const rejected = await change(webhook.id, body)
    assert.deepEqual([rejected.status, rejected.body.error.field], [400, field])
  }
  assert.equal(JSON.stringify(await owner`select * from webhooks order by id`), before)
})

test('a webhook says since when it ignores many of its deliveries', async () => {
  const webhook = await created()
  const since = async () => {
    const listed = (await admin!.send('GET', '/web/webhooks')).body.data.find(
      ({ id }: { id: string }) => id === webhook.id,
    )
    const shown = (await detail(webhook.id)).ignored_since
    assert.deepEqual(listed.ignored_since, shown)
    return shown
  }
  for (let n = 0; n < 6; n++) await webhook.send({ name: `Person ${n}`, phone: `981005580${n}` })
  await owner`update deliveries set received_at = received_at - interval '2 days' where webhook_id = ${webhook.id}`
  for (const table of ['delivery_counts', 'delivery_count_changes'])
    await owner.unsafe(`update ${table} set day = day - 2 where webhook_id = '${webhook.id}'`)
  await webhook.send({ name: 'Person 7', phone: '9810055807' })
  for (let n = 0; n < 4; n++) await webhook.send({ event: 'ping', n })
  assert.equal(await since(), null)
  await webhook.send({ event: 'ping', n: 4 })
  const { days } = await detail(webhook.id)
  assert.deepEqual(await since(), { day: days.at(-1).day, ignored: 5, received: 6 })
})

test('webhooks are listed by name', async () => {
  for (const name of ['zameen', 'Ámod', 'acres', 'Zoho']) await created({ name })
  const names: string[] = (await admin!.send('GET', '/web/webhooks')).body.data.map(
    ({ name }: { name: string }) => name,
  )
  assert.deepEqual(
    names.filter((name) => ['zameen', 'Ámod', 'acres', 'Zoho'].includes(name)),
    ['acres', 'Ámod', 'zameen', 'Zoho'],
  )
})
