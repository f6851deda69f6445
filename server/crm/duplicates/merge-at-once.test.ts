import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Answer, people, signedIn } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, bela } = await people(app)
const admin = await signedIn(app, asha)
const webhook = await webhookOf(app, acme)

const phones = (round: number) => [`98300${String(10_000 + 2 * round)}`, `98300${String(10_001 + 2 * round)}`] as const

/** Each contact is of one lead, as a first or another one, and each merged id leads to a lead. */
async function assertOnePerson() {
  const twice = await owner`
    select key, count(*) from (
      select account_id, id, phone_key as key from leads union all select account_id, id, email_key from leads
      union all select account_id, lead_id, key from lead_contacts
    ) held where key is not null group by account_id, key having count(*) > 1`
  assert.deepEqual([...twice], [])
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
}

/** What may happen to two leads at once. Each may fail only because the other one came first. */
const actions: Record<string, (ids: [string, string], round: number) => Promise<Answer>[]> = {
  'both are merged into each other': ([a, b]) => [merge(a, b), merge(b, a)],
  'a merge and submissions': ([a, b], round) => [
    merge(a, b),
    ...phones(round).flatMap((phone) => [webhook.send({ name: 'S', phone }), webhook.send({ name: 'S', phone })]),
    asha.send('POST', '/api/v1/leads', { name: 'S', phone: phones(round)[1], email: `r${round}@example.com` }),
  ],
  'a merge and calls': ([a, b]) => [
    merge(a, b),
    ...[a, b].map((lead_id) =>
      asha.send('POST', '/api/v1/call-logs', { lead_id, call_type: 'Outbound', duration_seconds: 1 }),
    ),
  ],
  'a merge and edits': ([a, b]) => [
    merge(a, b),
    admin.send('PATCH', `/web/leads/${a}`, { city: 'X', add_contacts: ['98399 00001'] }),
    admin.send('PATCH', `/web/leads/${b}`, { assigned_to: bela.email, status: 'Won' }),
  ],
  'a merge and deletes': ([a, b]) => [
    merge(a, b),
    asha.send('DELETE', `/api/v1/leads/${b}`),
    asha.send('DELETE', `/api/v1/leads/${a}`),
  ],
  'a merge, its undo, and submissions': ([a, b], round) => [
    merge(a, b).then(() => admin.send('DELETE', `/web/leads/${a}/merge`)),
    ...phones(round).map((phone) => webhook.send({ name: 'S', phone })),
    admin.send('DELETE', `/web/leads/${a}/merge`),
  ],
}

async function merge(id: string, other: string): Promise<Answer> {
  const { body } = await admin.send('GET', `/web/leads/${id}/comparison?other_id=${other}`)
  if (!body.data) return { status: 404, headers: new Headers(), body }
  const { kept, other: second, take } = body.data
  const versions = { updated_at: kept.updated_at, other_updated_at: second.updated_at }
  return admin.send('POST', `/web/leads/${id}/merge`, { other_id: other, take, ...versions })
}

for (const [name, act] of Object.entries(actions))
  test(`${name} at once leave each person one lead, and exact counts`, async () => {
    const first = Object.keys(actions).indexOf(name) * 6
    const statuses = new Set<number>()
    for (let round = first; round < first + 6; round++) {
      const ids = await Promise.all(
        phones(round).map(async (phone) => (await webhook.send({ name: 'One', phone })).body.data.id as string),
      )
      const answers = await Promise.all(act(ids as [string, string], round))
      for (const { status, body } of answers) {
        statuses.add(status)
        assert.ok([200, 201, 400, 404, 409].includes(status), JSON.stringify(body))
      }
      await assertOnePerson()
    }
    assert.ok(statuses.has(200))
  })
