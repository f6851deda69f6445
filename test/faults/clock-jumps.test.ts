import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '../app.ts'
import { people, signedIn } from '../people.ts'
import { webhookOf } from '../webhooks.ts'

const hour = 3_600_000
const app = await testApp({ RATE_LIMIT_PER_MINUTE: '5' })
after(app.close)
const { acme, asha, meena, chand } = await people(app)

for (const [what, by] of [
  ['three hours forward', 3 * hour],
  ['three hours back', -3 * hour],
] as const) {
  test(`when the clock jumps ${what}, sessions, Idempotency-Keys, rate limits and webhooks go on`, async (t) => {
    const player = by > 0 ? meena : chand
    const desk = await signedIn(app, asha)
    const lead = { name: 'Ravi', email: `${randomUUID()}@example.com` }
    const key = { 'idempotency-key': randomUUID() }
    const first = await player.send('POST', '/api/v1/leads', lead, key)
    assert.equal(first.status, 201)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + by })
    // The session is still valid.
    assert.equal((await desk.send('GET', '/web/leads')).status, 200)
    // The first answer is repeated, and nothing is doubled.
    const again = await player.send('POST', '/api/v1/leads', lead, key)
    assert.deepEqual([again.status, again.body, again.headers.get('idempotent-replayed')], [201, first.body, 'true'])
    // Two requests are counted: the window of the rate limit neither ends nor lasts longer.
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await player.send('GET', '/api/v1/leads'))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429],
    )
    const wait = Number(answers[3]!.headers.get('retry-after'))
    assert.ok(wait >= 1 && wait <= 60, String(wait))
    const webhook = await webhookOf(app, acme)
    for (const message of ['one', 'two']) assert.equal((await webhook.send({ ...lead, message })).status, 200)
    const [row] = await app.owner`select count(*)::int as n from leads where email = ${lead.email}`
    assert.equal(row!.n, 1)
  })
}
