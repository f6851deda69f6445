import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import type { Enquiry } from './contract.ts'

let now = new Date(Math.floor(Date.now() / 1000) * 1000)
const app = await testApp({}, () => now)
after(app.close)
const { owner } = app
const { acme, asha, bela, chand } = await people(app)
const [admin, agent, other] = await Promise.all(
  [asha, bela, chand].map(async (person) => (await signedIn(app, person))!),
)
const webhook = await webhookOf(app, acme, { default_assignee: bela.id, default_source: 'Meta' })

let phone = 9_830_000_000
const nextPhone = () => String(++phone)
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const read = async (id: string, browser = admin!) => (await browser.send('GET', `/web/leads/${id}`)).body.data
const enquiriesOf = async (id: string, browser = admin!): Promise<Enquiry[]> =>
  (await read(id, browser)).enquiries.entries
const kept = async (id: string) => {
  const [row] = await owner`select product, campaign, ad, form from leads where id = ${id}`
  return row!
}
const count = async (id: string) => {
  const [row] = await owner`select count(*)::int as n from enquiries where lead_id = ${id}`
  return row!.n as number
}

const form = (number: string, more: object = {}) => ({
  full_name: 'Meera Iyer',
  phone_number: number,
  'What is your budget?': '60–80 lakh',
  'आप कब खरीदना चाहते हैं?': '3 महीने में',
  interests: ['2 BHK', '3 BHK'],
  campaign_name: 'Wakad 2BHK Nov',
  form_name: 'Site visit',
  page_url: 'https://wakad.example.com/?utm_source=fb&gclid=Cj0abc',
  consent_text: 'I agree to receive calls about this project',
  consent: true,
  dnd: 'Y',
  ip: '203.0.113.9',
  csrf_token: 'a1b2c3d4e5f6a7b8c9d0e1f2',
  ...more,
})

test('a delivery keeps answers, origin and consent with the lead, and leaves out what no person typed', async () => {
  const { id } = (await webhook.send(form(nextPhone()))).body.data
  const [enquiry, ...others] = await enquiriesOf(id)
  assert.equal(others.length, 0)
  assert.deepEqual(enquiry!.answers, [
    { question: 'What is your budget?', answer: '60–80 lakh' },
    { question: 'आप कब खरीदना चाहते हैं?', answer: '3 महीने में' },
    { question: 'interests', answer: '2 BHK, 3 BHK' },
  ])
  assert.deepEqual(enquiry!.origin, {
    campaign: 'Wakad 2BHK Nov',
    form: 'Site visit',
    page_url: 'https://wakad.example.com/?utm_source=fb&gclid=Cj0abc',
    utm_source: 'fb',
    gclid: 'Cj0abc',
  })
  assert.deepEqual(enquiry!.consent, {
    statements: [{ text: 'I agree to receive calls about this project', choice: 'Yes' }],
    do_not_call: 'dnd',
  })
  assert.deepEqual(
    [enquiry!.is_repeat, enquiry!.source, enquiry!.at],
    [false, 'Meta', now.toISOString().replace('.000', '')],
  )
  assert.deepEqual(await kept(id), { product: null, campaign: 'Wakad 2BHK Nov', ad: null, form: 'Site visit' })
  assert.ok(!JSON.stringify(await read(id)).includes('203.0.113.9'))
})

test('the REST API keeps unknown fields as answers, and its lead does not change', async () => {
  const body = { name: 'Rest', phone: nextPhone(), budget: '1 crore', utm_campaign: 'Diwali', nested: { floor: '4th' } }
  const created = await asha.send('POST', '/api/v1/leads', body)
  assert.equal(created.status, 201)
  assert.deepEqual(
    Object.keys(created.body.data).filter((key) => !(key in (created.body.data as object))),
    [],
  )
  assert.ok(!('budget' in created.body.data) && !('enquiries' in created.body.data))
  const [enquiry] = await enquiriesOf(created.body.data.id)
  assert.deepEqual(enquiry!.answers, [
    { question: 'budget', answer: '1 crore' },
    { question: 'floor', answer: '4th' },
  ])
  assert.equal((await kept(created.body.data.id)).campaign, 'Diwali')
  const large = { name: 'Large', phone: nextPhone(), essay: 'x'.repeat(6000), more: 'y'.repeat(3000) }
  const { status, body: answer } = await asha.send('POST', '/api/v1/leads', large)
  assert.equal(status, 201)
  const [long] = await enquiriesOf(answer.data.id)
  assert.deepEqual(
    long!.answers.map(({ answer }) => answer.length),
    [5000, 3000],
  )
})

test('what is sent within ten minutes is one enquiry, and later another one, of which the owner is notified', async () => {
  const number = nextPhone()
  const { id } = (await webhook.send(form(number, { message: 'Two rooms' }))).body.data
  later(4)
  await webhook.send(form(number, { message: 'And a terrace', floor: '5' }))
  later(9)
  await webhook.send({ phone_number: number, message: 'Please call' })
  const [one, ...none] = await enquiriesOf(id)
  assert.equal(none.length, 0)
  assert.equal(one!.message, 'Two rooms\nAnd a terrace\nPlease call')
  assert.deepEqual(one!.answers.at(-1), { question: 'floor', answer: '5' })
  const notices = async () => {
    const [row] = await owner`select count(*)::int as n from notices where lead_id = ${id} and kind = 'enquired_again'`
    return row!.n
  }
  assert.equal(await notices(), 0)
  later(11)
  await webhook.send(form(number, { campaign_name: 'Baner Dec', product: 'Villa 7' }))
  const [second, first] = await enquiriesOf(id)
  assert.deepEqual([second!.is_repeat, second!.origin.campaign, first!.is_repeat], [true, 'Baner Dec', false])
  assert.equal(await notices(), 1)
  assert.deepEqual(await kept(id), { product: 'Villa 7', campaign: 'Wakad 2BHK Nov', ad: null, form: 'Site visit' })
})

test('the same from another webhook is the same enquiry, something else is a further one', async () => {
  const bridge = await webhookOf(app, acme)
  const number = nextPhone()
  const { id } = (await webhook.send(form(number))).body.data
  later(1)
  await bridge.send(form(number))
  assert.equal(await count(id), 1)
  later(1)
  await bridge.send(form(number, { question: 'Is it near the metro?' }))
  const isRepeat = async () => (await enquiriesOf(id)).map(({ is_repeat }) => is_repeat)
  assert.deepEqual(await isRepeat(), [true, false])
  // The form is sent twice, and each time goes to both.
  later(1)
  await webhook.send(form(number))
  await bridge.send(form(number, { question: 'Is it near the metro?' }))
  assert.deepEqual(await isRepeat(), [true, false])
})

test('only the newest 200 enquiries are kept, and the others counted', async () => {
  const number = nextPhone()
  const { id } = (await webhook.send(form(number))).body.data
  await owner`insert into enquiries (account_id, lead_id, assigned_to, at, last_at, via, source, is_repeat)
    select account_id, lead_id, assigned_to, at, last_at, via, source, true from enquiries, generate_series(1, 203)
    where lead_id = ${id}`
  later(60)
  await webhook.send(form(number))
  assert.equal(await count(id), 200)
  const [oldest] = await owner`select earlier from enquiries where lead_id = ${id} order by id limit 1`
  assert.equal(oldest!.earlier, 5)
})

test('an enquiry is seen by those who see the lead, and goes with it to its new owner', async () => {
  const { id } = (await webhook.send(form(nextPhone()))).body.data
  assert.equal((await enquiriesOf(id, agent!)).length, 1)
  assert.equal((await other!.send('GET', `/web/leads/${id}`)).status, 404)
  const { status } = await admin!.send('PATCH', `/web/leads/${id}`, { assigned_to: chand.email })
  assert.equal(status, 200)
  assert.equal((await enquiriesOf(id, other!)).length, 1)
  const [row] = await owner`select assigned_to from enquiries where lead_id = ${id}`
  assert.equal(row!.assigned_to, chand.id)
  assert.equal((await agent!.send('GET', `/web/leads/${id}`)).status, 404)
})

test('a key that does not see the lead adds an enquiry to it, and its answer says nothing of it', async () => {
  const number = nextPhone()
  const { id } = (await webhook.send(form(number))).body.data
  later(30)
  const { status, body } = await chand.send('POST', '/api/v1/leads', { name: 'Meera', phone: number, floor: 'Top' })
  assert.deepEqual([status, body.data.id], [200, id])
  assert.ok(!JSON.stringify(body).includes('Wakad'))
  assert.deepEqual((await enquiriesOf(id))[0]!.answers, [{ question: 'floor', answer: 'Top' }])
})

test('merging two leads by hand joins their enquiries, and undoing it separates them', async () => {
  const one = (await webhook.send(form(nextPhone(), { campaign_name: undefined }))).body.data.id
  const two = (await webhook.send(form(nextPhone(), { campaign_name: 'Kharadi', product: 'Plot 9' }))).body.data.id
  const state = async () => [await kept(one), await count(one), await kept(two).catch(() => null), await count(two)]
  const before = await state()
  const { body } = await admin!.send('GET', `/web/leads/${one}/comparison?other_id=${two}`)
  const versions = { updated_at: body.data.kept.updated_at, other_updated_at: body.data.other.updated_at }
  const merge = { other_id: two, take: body.data.take, ...versions }
  assert.equal((await admin!.send('POST', `/web/leads/${one}/merge`, merge)).status, 200)
  assert.deepEqual(await kept(one), { product: 'Plot 9', campaign: 'Kharadi', ad: null, form: 'Site visit' })
  assert.equal((await enquiriesOf(one)).length, 2)
  assert.equal((await admin!.send('DELETE', `/web/leads/${one}/merge`)).status, 200)
  assert.deepEqual(await state(), before)
})

test('deleting a lead deletes its enquiries', async () => {
  const { id } = (await webhook.send(form(nextPhone()))).body.data
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${id}`)).status, 200)
  assert.equal(await count(id), 0)
})

test('a delivery that is replayed with another mapping replaces the enquiry that it made', async () => {
  const number = nextPhone()
  const { id } = (await webhook.send(form(number))).body.data
  const [delivery] = await owner`select id from deliveries where lead_id = ${id}`
  const mapping = [
    { path: 'interests', field: 'ignore' },
    { path: '["What is your budget?"]', field: 'product' },
  ]
  assert.equal((await admin!.send('PATCH', `/web/webhooks/${webhook.id}`, { mapping })).status, 200)
  later(50)
  await webhook.send(form(number, { campaign_name: 'Later' }))
  assert.equal((await admin!.send('POST', `/web/deliveries/${delivery!.id}/replay`)).status, 200)
  const [last, enquiry, ...others] = await enquiriesOf(id)
  assert.deepEqual([last!.origin.campaign, others.length], ['Later', 0])
  assert.deepEqual(enquiry!.answers, [{ question: 'आप कब खरीदना चाहते हैं?', answer: '3 महीने में' }])
  assert.equal(enquiry!.origin.product, '60–80 lakh')
})
