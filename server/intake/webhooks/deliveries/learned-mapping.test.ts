import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, zoya, other } = await people(app)
const admin = (await signedIn(app, asha))!
const stranger = (await signedIn(app, zoya))!

const change = (id: string, body: object, as: Pick<Player, 'send'> = admin) =>
  as.send('PATCH', `/web/webhooks/${id}`, body)
const shown = async (id: string) => (await admin.send('GET', `/web/webhooks/${id}`)).body.data
const leadOf = async (id: string) => {
  const [lead] = await owner`select name, phone, city, company, notes from leads where id = ${id}`
  return { ...lead }
}

let number = 9_820_100_000
/** A form whose keys mislead: without a mapping, the order number is no phone. */
const form = () => ({ kundin: 'Meera Iyer', order_no: String(number++), zone: 'Baner', memo: 'Blue', colour: 'Red' })
const mapping = [
  { path: 'kundin', field: 'name' },
  { path: 'order_no', field: 'phone' },
  { path: 'zone', field: 'company' },
  { path: 'memo', field: 'ignore' },
  { path: 'reach.alt', field: 'phone' },
]

async function mappedWebhook(name: string) {
  const webhook = await webhookOf(app, acme, { name })
  assert.equal((await change(webhook.id, { mapping })).status, 200)
  assert.equal((await webhook.send(form())).status, 200)
  // Its notification may still be on the way.
  app.database.cache.invalidate(acme.account_id)
  return webhook
}

test('what is mapped by hand is used and proposed on the next webhook with the same shape, and gives way to its own mapping', async () => {
  await mappedWebhook('First form')
  const next = await webhookOf(app, acme)
  const first = form()
  const { status, body } = await next.send(first)
  assert.equal(status, 200, JSON.stringify(body))
  const { phone, company, notes } = await leadOf(body.data.id)
  assert.deepEqual([phone, company, notes], [first.order_no, 'Baner', null])
  const { proposal, mapping: own } = await shown(next.id)
  assert.deepEqual(own, [])
  const learned = proposal.filter(({ by }: { by: string }) => by === 'learned')
  assert.deepEqual(
    learned.map(({ path, field, reason }: Record<string, string>) => [path, field, reason]),
    [
      ['kundin', 'name', 'Mapped manually on the webhook “First form”'],
      ['order_no', 'phone', 'Mapped manually on the webhook “First form”'],
      ['zone', 'company', 'Mapped manually on the webhook “First form”'],
      ['memo', 'ignore', 'Ignored manually on the webhook “First form”'],
      ['reach.alt', 'phone', 'Mapped manually on the webhook “First form”'],
    ],
  )

  const second = await next.send({ ...form(), order_no: '', reach: { alt: '98201 55555' } })
  assert.equal((await leadOf(second.body.data.id)).phone, '98201 55555')
  await change(next.id, {
    mapping: [
      { path: 'zone', field: 'city' },
      { path: 'memo', field: 'notes' },
    ],
  })
  const third = await leadOf((await next.send(form())).body.data.id)
  assert.deepEqual([third.city, third.company, third.notes], ['Baner', null, 'Blue'])
  // The next test learns from the first form.
  await change(next.id, { mapping: [] })
})

test('a preview of a first delivery that was rejected shows what was learned; its replay uses it', async () => {
  const next = await webhookOf(app, acme)
  const { status } = await next.send({ ...form(), order_no: 'none' })
  assert.equal(status, 400)
  const { data } = (await admin.send('GET', `/web/webhooks/${next.id}/deliveries`)).body
  const { body } = await admin.send('POST', `/web/deliveries/${data[0].id}/preview`, { mapping: [] })
  const zone = body.data.values.find(({ path }: { path: string }) => path === 'zone')
  assert.deepEqual([zone.field, zone.by, zone.confidence], ['company', 'learned', null])
})

test('nothing is learned from another shape, from another account, or where no mapped path is present', async () => {
  const learnedBy = async (actor: typeof acme, as: Pick<Player, 'send'>, body: object) => {
    const webhook = await webhookOf(app, actor)
    assert.equal((await webhook.send({ ...body, mobile: String(number++) })).status, 200)
    const { data } = (await as.send('GET', `/web/webhooks/${webhook.id}`)).body
    return data.proposal.filter(({ by }: { by: string }) => by === 'learned').length
  }
  const { order_no, ...rest } = form()
  assert.equal(await learnedBy(acme, admin, { kundin: 'A B', budget: '1', area: '2', floor: '3', rooms: '4' }), 0)
  assert.equal(await learnedBy(other, stranger, { ...rest, order_no }), 0)
  const bare = await webhookOf(app, acme, { name: 'Bare' })
  await change(bare.id, { mapping: [{ path: 'nowhere', field: 'name' }] })
  const plain = { vorname: 'Asha', mobile: String(number++), wunsch: 'call' }
  assert.equal((await bare.send(plain)).status, 200)
  assert.equal(await learnedBy(acme, admin, { vorname: 'Asha', wunsch: 'call' }), 0)
})

test('the records of a batch learn too', async () => {
  const next = await webhookOf(app, acme)
  const { body } = await next.send([form(), form()])
  assert.deepEqual(
    await Promise.all(body.data.leads.map(async ({ id }: { id: string }) => (await leadOf(id)).company)),
    ['Baner', 'Baner'],
  )
})

test('an unsure proposal needs attention until the mapping is saved or confirmed', async () => {
  const unsureOf = async (as: Pick<Player, 'send'>) => (await as.send('GET', '/web/overview')).body.data.unsure_webhooks
  const before = await unsureOf(admin)
  const webhook = await webhookOf(app, acme, { name: 'Guessed' })
  // The only value that may be a phone has the key of a reference.
  assert.equal((await webhook.send({ ref_no: String(number++), name: 'Asha Rao' })).status, 200)
  const added = (await unsureOf(admin)).filter(({ name }: { name: string }) => name === 'Guessed')
  assert.deepEqual(added, [{ webhook_id: webhook.id, name: 'Guessed', fields: ['phone'] }])
  const { needs_check, proposal } = await shown(webhook.id)
  assert.equal(needs_check, true)
  assert.deepEqual(proposal.map(({ field, confidence }: Record<string, string>) => [field, confidence]).sort(), [
    ['name', 'sure'],
    ['phone', 'unsure'],
  ])
  assert.ok(!(await unsureOf(stranger)).some(({ name }: { name: string }) => name === 'Guessed'))
  // Confirming saves the mapping as it is.
  assert.equal((await change(webhook.id, { mapping: [], was: { mapping: [] } })).status, 200)
  assert.deepEqual([(await shown(webhook.id)).needs_check, await unsureOf(admin)], [false, before])
})
