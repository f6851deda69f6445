import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import type { Enquiries, Enquiry } from './contract.ts'

const app = await testApp()
after(app.close)
const { asha, bela, chand, meena, zoya, acme } = await people(app)
const webhook = await webhookOf(app, acme)
const [admin, hers, manager, colleague, stranger] = await Promise.all(
  [asha, bela, meena, chand, zoya].map((person) => signedIn(app, person)),
)

/** Sends a lead of Bela to the webhook, and returns its id. */
async function leadOf(payload: { name: string; [key: string]: string }): Promise<string> {
  assert.equal((await webhook.send(payload)).status, 200)
  const [lead] = await app.owner`select id from leads where name = ${payload.name}`
  await admin!.send('PATCH', `/web/leads/${lead!.id}`, { assigned_to: bela.email })
  return lead!.id
}

let id: string
before(async () => {
  const sent = {
    name: 'Meera Iyer',
    phone: '98200 11223',
    message: 'Wants a balcony',
    'What is your budget?': '60 lakh',
  }
  id = await leadOf({ ...sent, project_name: 'Skyline' })
  await app.owner`update enquiries set at = at - interval '1 day', last_at = last_at - interval '1 day'`
  await app.owner`insert into enquiries (account_id, lead_id, assigned_to, at, last_at, via, source, is_repeat, message)
    select account_id, lead_id, assigned_to, at, last_at, via, source, true, 'Enquiry ' || n
    from enquiries, generate_series(2, 25) n where lead_id = ${id} order by n`
})

test('the page of a lead has the newest enquiries, and the route the older ones, in order', async () => {
  const { enquiries }: { enquiries: Enquiries } = (await hers!.send('GET', `/web/leads/${id}`)).body.data
  assert.equal(enquiries.entries.length, 20)
  assert.equal(enquiries.entries[0]!.message, 'Enquiry 25')
  const { status, body } = await hers!.send('GET', `/web/leads/${id}/enquiries?before=${enquiries.next}`)
  assert.equal(status, 200)
  const older: Enquiry[] = body.data.entries
  assert.deepEqual([older.length, body.data.next], [5, null])
  const first = older.at(-1)!
  assert.deepEqual(
    [first.message, first.origin.product, first.answers, first.is_repeat],
    ['Wants a balcony', 'Skyline', [{ question: 'What is your budget?', answer: '60 lakh' }], false],
  )
  assert.deepEqual((await hers!.send('GET', `/web/leads/${id}/enquiries`)).body.data, enquiries)
})

test('a lead without enquiries has an empty list', async () => {
  const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Quiet', phone: '98200 11224' })
  await app.owner`delete from enquiries where lead_id = ${body.data.id}`
  const answer = await admin!.send('GET', `/web/leads/${body.data.id}/enquiries`)
  assert.deepEqual(answer.body, { data: { entries: [], next: null } })
})

test('who does not see the lead sees no enquiry of it', async () => {
  assert.equal((await manager!.send('GET', `/web/leads/${id}/enquiries`)).status, 200)
  for (const other of [colleague!, stranger!]) {
    const { status, body } = await other.send('GET', `/web/leads/${id}/enquiries`)
    assert.equal(status, 404)
    assert.ok(!JSON.stringify(body).includes('lakh'))
  }
})

test('the notes of the call queue leave out the message of the enquiry, which stands beside them', async () => {
  const long = `Wants ${'three rooms, '.repeat(60)}soon`
  const lead = await leadOf({ name: 'Long Words', phone: '98200 11225', message: long })
  const queued = async () =>
    (await hers!.send('GET', '/web/call-queue')).body.data.leads.find((one: { id: string }) => one.id === lead)
  const { notes, enquiry } = await queued()
  assert.ok(!notes, notes)
  assert.equal(enquiry.message, long.slice(0, 300))
  await hers!.send('POST', `/web/leads/${lead}/notes`, { text: 'Call after five' })
  assert.match((await queued()).notes, /^\[.*, Bela\]\nCall after five$/)
})
