import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { maxRead } from './search-deliveries.ts'

const app = await testApp()
after(app.close)
const { acme, asha, other } = await people(app)
const admin = await signedIn(app, asha)

const webhook = await webhookOf(app, acme)
const listed = async (query: Record<string, string>, id = webhook.id) =>
  admin!.send('GET', `/web/webhooks/${id}/deliveries?${new URLSearchParams(query)}`)
const names = async (query: Record<string, string>, id = webhook.id) => {
  const { status, body } = await listed(query, id)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ name }: { name: string }) => name)
}

await webhook.send({ name: 'Meera Iyer', phone: '98200 11223', email: 'meera@example.com' })
await webhook.send({ first_name: 'Ravi', last_name: 'Bose', phone: '9820011224' })
await webhook.send({ name: '100% Homes', phone: '9820011225' })
// Rejected, with a contact that is none of a lead.
await webhook.send({ name: 'Lata Sen', agent_phone: '98200-11226' })
// Ignored, with a possible contact.
await webhook.send({ event: 'note', agent: { email: 'agent@example.com' } })
const elsewhere = await webhookOf(app, acme)
await elsewhere.send({ name: 'Meera Nair', phone: '9820011227' })

test('deliveries are found by a part of the name, a phone or email in any spelling, and by their id alone', async () => {
  assert.deepEqual(await names({ search: 'meera' }), ['Meera Iyer'])
  assert.deepEqual(await names({ search: 'bose ravi' }), ['Ravi Bose'])
  assert.deepEqual(await names({ search: '0% ho' }), ['100% Homes'])
  assert.deepEqual(await names({ search: '%' }), ['100% Homes'])
  for (const search of ['+91 98200 11223', '9820011223', 'tel:098200-11223', 'MEERA@example.com'])
    assert.deepEqual(await names({ search }), ['Meera Iyer'], search)
  assert.deepEqual(await names({ search: '9820011226' }), ['Lata Sen'])
  const [ignored] = (await listed({ search: 'agent@example.com' })).body.data
  assert.equal(ignored.outcome, 'ignored')
  assert.deepEqual((await listed({ search: ignored.id })).body.data, [ignored])
  assert.deepEqual((await listed({ search: ignored.id.toUpperCase() })).body.data, [ignored])
  assert.deepEqual(await names({ search: ignored.id }, elsewhere.id), [])
  assert.deepEqual(await names({ search: 'meera', outcome: 'rejected' }), [])
  assert.deepEqual(await names({ search: 'no such person' }), [])
})

test('the records of a request are found by its id', async () => {
  const batch = await webhookOf(app, acme)
  await batch.send([
    { name: 'Anil Das', phone: '9820011301' },
    { name: 'Binu Das', phone: '9820011302' },
  ])
  const { batch_id } = (await app.owner`select batch_id from deliveries where webhook_id = ${batch.id}`)[0]!
  assert.deepEqual((await names({ search: batch_id }, batch.id)).toSorted(), ['Anil Das', 'Binu Das'])
})

test('deliveries are those of the chosen days in India, also page by page', async () => {
  const dated = await webhookOf(app, acme)
  for (const n of [1, 2, 3, 4]) await dated.send({ name: `Person ${n}`, phone: `982001140${n}` })
  await app.owner`update deliveries set received_at = '2026-03-10T18:29:59Z' where webhook_id = ${dated.id} and lead_id =
    (select id from leads where name = 'Person 1')`
  await app.owner`update deliveries set received_at = '2026-03-10T18:30:00Z' where webhook_id = ${dated.id} and lead_id =
    (select id from leads where name = 'Person 2')`
  assert.deepEqual(await names({ to_date: '2026-03-10' }, dated.id), ['Person 1'])
  assert.deepEqual(await names({ from_date: '2026-03-11', to_date: '2026-03-11' }, dated.id), ['Person 2'])
  assert.deepEqual(await names({ from_date: '2026-03-10', to_date: '2026-03-11', search: 'person' }, dated.id), [
    'Person 2',
    'Person 1',
  ])
  const first = await listed({ to_date: '2026-03-11', limit: '1' }, dated.id)
  assert.deepEqual(await names({ to_date: '2026-03-11', before: first.body.next }, dated.id), ['Person 1'])
})

test('invalid filters are rejected with the field, and webhooks of other accounts do not exist', async () => {
  const wrong: [Record<string, string>, string][] = [
    [{ from_date: '2026-03-11', to_date: '2026-03-10' }, 'from_date'],
    [{ to_date: '2026-02-30' }, 'to_date'],
    [{ search: 'a'.repeat(201) }, 'search'],
    [{ search: 'a\0' }, 'search'],
  ]
  for (const [query, field] of wrong) {
    const { status, body } = await listed(query)
    assert.deepEqual([status, body.error.field], [400, field])
  }
  const foreign = await webhookOf(app, other)
  assert.equal((await listed({ search: 'meera' }, foreign.id)).status, 404)
})

test('names are read in the newest deliveries, which the answer says, and older ones are found by lead, contact and id', async () => {
  const busy = await webhookOf(app, acme)
  await busy.send({ name: 'Old Lead', phone: '9820011501' })
  await busy.send({ name: 'Old Stranger', agent_phone: '98200-11502' })
  await app.owner`update deliveries set received_at = received_at - interval '1 day' where webhook_id = ${busy.id}`
  assert.equal((await listed({ search: 'old' }, busy.id)).body.searched, null)
  await app.owner`insert into deliveries (account_id, id, webhook_id, received_at, address, outcome, picks)
    select ${acme.account_id}::uuid, gen_random_uuid(), ${busy.id}::uuid, now() - n * interval '10 milliseconds', '127.0.0.1', 'ignored',
      jsonb_build_array(jsonb_build_object('field', 'name', 'path', 'old', 'value', 'Filler ' || n))
    from generate_series(1, ${maxRead}) as n`
  const { body } = await listed({ search: 'old' }, busy.id)
  assert.deepEqual([body.data.map(({ name }: { name: string }) => name), body.searched], [['Old Lead'], maxRead])
  assert.deepEqual(await names({ search: '9820011502' }, busy.id), ['Old Stranger'])
  assert.deepEqual(await names({ search: 'stranger', outcome: 'rejected' }, busy.id), ['Old Stranger'])
  const { id } = (await app.owner`select id from deliveries where webhook_id = ${busy.id} and outcome = 'rejected'`)[0]!
  const exact = await listed({ search: id }, busy.id)
  assert.deepEqual([exact.body.data.length, exact.body.searched], [1, null])
})
