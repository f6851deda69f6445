import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve, testApp } from '#test/app.ts'
import { ask, people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../platform/database/actor.ts'
import { connect, type Database } from '../../platform/database/connect.ts'
import { createWebhook } from './store.ts'

const env = { TRUST_PROXY: '127.0.0.1' }
const app = await testApp(env)
const { acme } = await people(app)
const otherDatabase = connect(app.signIns)
const other = await serve(otherDatabase, env)
after(async () => {
  await other.close()
  await otherDatabase.close()
  await app.close()
})

/** The tokens that were looked up, in order; lookups wait while they are held. */
const looked: string[] = []
let held = Promise.resolve()
for (const database of [app.database, otherDatabase]) {
  const lookup = database.lookup
  const watched = async (strings: TemplateStringsArray, ...values: never[]) => {
    if (!strings[0]!.includes('from webhooks')) return lookup(strings, ...values)
    looked.push(values[0]!)
    await held
    return lookup(strings, ...values)
  }
  Object.assign(database, { lookup: watched as unknown as Database['lookup'] })
}
const holdLookups = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return resolve
}
const listening = async () => {
  while (!app.database.watch!.listening || !otherDatabase.watch!.listening) await sleep(20)
}
beforeEach(async () => {
  await listening()
  // Notifications of earlier tests have arrived.
  await sleep(100)
  looked.length = 0
})

const newToken = () => randomBytes(24).toString('base64url')
const post = (token: string, from: string, url = app.url) =>
  ask(url, null, 'POST', `/webhook/${token}`, { name: 'Uma', phone: '9810077001' }, { 'x-forwarded-for': from })

test('a token of the wrong shape is rejected without a query', async () => {
  for (const token of ['unknown', `${newToken()}x`, newToken().slice(1), `${newToken().slice(1)}.`]) {
    assert.equal((await post(token, '203.0.113.1')).status, 404)
  }
  assert.deepEqual(looked, [])
})

test('simultaneous and repeated requests for one unknown token cost one query', async () => {
  const token = newToken()
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => post(token, `203.0.113.${at}`)))
    assert.ok(answers.every(({ status }) => status === 404))
  }
  assert.deepEqual(looked, [token])
})

test('a new webhook works at once in every process, even if its token was requested before', async () => {
  const token = newToken()
  const urls = [app.url, other.url]
  for (const url of urls) assert.equal((await post(token, '203.0.113.1', url)).status, 404)
  await asActor(app.database, acme, async (tx) => {
    const { id } = await createWebhook(tx, acme, { name: 'Portal', source_label: 'Portal' })
    await tx`update webhooks set token = ${token} where account_id = ${acme.account_id} and id = ${id}`
  })
  for (const url of urls) {
    // Until the notification arrives.
    let status = 404
    for (let asked = 0; status === 404 && asked < 100; asked++) {
      await sleep(20)
      status = (await post(token, '203.0.113.1', url)).status
    }
    assert.equal(status, 200)
  }
})

test('a flood of unknown tokens from one IP is limited, and other IPs are served between them', async () => {
  const webhook = await webhookOf(app, acme)
  await sleep(100)
  const release = holdLookups()
  let rejected = 0
  const flood = Array.from({ length: 150 }, async () => {
    const answer = await post(newToken(), '203.0.113.7')
    if (answer.status === 503) rejected++
    return answer
  })
  // One runs, a hundred wait.
  while (rejected < 49) await sleep(10)
  const known = post(webhook.token, '203.0.113.8')
  await sleep(200)
  release()
  assert.equal((await known).status, 200)
  const answers = await Promise.all(flood)
  assert.deepEqual([answers.filter(({ status }) => status === 404).length, rejected], [101, 49])
  assert.ok(answers.filter(({ status }) => status === 503).every(({ headers }) => headers.get('retry-after')))
  assert.ok(looked.indexOf(webhook.token) <= 2, String(looked.indexOf(webhook.token)))
})

test('an IP that requested many unknown tokens comes last, and its own webhook still works', async () => {
  const mine = await webhookOf(app, acme)
  const theirs = await webhookOf(app, acme)
  for (let asked = 0; asked < 61; asked++) await post(newToken(), '203.0.113.9')
  await sleep(100)
  looked.length = 0
  const release = holdLookups()
  const guesses = [post(newToken(), '203.0.113.9')]
  while (looked.length < 1) await sleep(10)
  guesses.push(post(mine.token, '203.0.113.9'))
  await sleep(100)
  const known = post(theirs.token, '203.0.113.10')
  await sleep(200)
  release()
  assert.equal((await known).status, 200)
  const answers = await Promise.all(guesses)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 200],
  )
  assert.deepEqual([looked[1], looked[2]], [theirs.token, mine.token])
})

test('while changes cannot arrive, a request does not share a lookup that already runs', async (t) => {
  t.mock.getter(app.database.watch!, 'listening', () => false)
  const token = newToken()
  const release = holdLookups()
  const first = post(token, '203.0.113.11')
  while (looked.length < 1) await sleep(10)
  const second = post(token, '203.0.113.11')
  await sleep(100)
  release()
  assert.deepEqual([(await first).status, (await second).status], [404, 404])
  assert.deepEqual(looked, [token, token])
})
