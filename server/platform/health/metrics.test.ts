import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, type TestContext, test } from 'node:test'
import { freePort, serve } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { mailServer } from '#test/mail-server.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { serveBehindWire } from '#test/proxy.ts'
import { lockLead } from '#test/records.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { commit, version } from '../program-version.ts'

const store = await testDatabase()
const mails = await mailServer({ rejects: 'chand' })
const served = await serve(store.database, {
  LOG_LEVEL: 'debug',
  WEBHOOK_LIMIT_PER_MINUTE: '6',
  SMTP_URL: mails.url,
  MAIL_FROM: 'leads@example.com',
  REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
})
after(async () => {
  await served.close()
  await store.close()
  await mails.close()
})
const { acme, asha } = await people(served)

/** Returns the samples of /metrics, by name and labels. */
async function samples(url = served.url): Promise<Record<string, number>> {
  const { status, body } = await ask(url, null, 'GET', '/metrics')
  assert.equal(status, 200)
  const lines = (body as string).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('deliveries are counted by outcome', async () => {
  const webhook = await webhookOf(served, acme)
  const lead = { name: 'Uma', phone: '9820077001' }
  assert.equal((await webhook.send(lead)).status, 200)
  assert.equal((await webhook.send({ ...lead, city: 'Pune' })).status, 200)
  assert.equal((await webhook.send({ name: 'Uma' })).status, 400)
  assert.equal((await webhook.send({ event: 'ping' })).status, 200)
  const batch = [
    { name: 'Ila', phone: '9820077002' },
    { name: 'Om', phone: '9820077003' },
  ]
  assert.equal((await webhook.send({ leads: batch })).status, 200)
  assert.equal((await webhook.send(lead)).status, 200)
  assert.equal((await webhook.send(lead)).status, 429)
  await store.owner`update webhooks set enabled = false where id = ${webhook.id}`
  served.database.cache.invalidate(null)
  assert.equal((await webhook.send(lead)).status, 403)
  const found = await samples()
  const of = (outcome: string) => found[`lead_engine_deliveries_total{outcome="${outcome}"}`]
  assert.deepEqual(
    ['created', 'rejected', 'ignored', 'limited', 'disabled', 'failed', 'test'].map(of),
    [3, 1, 1, 1, 1, 0, 0],
  )
  assert.equal(of('merged')! + of('duplicate')!, 2)
})

test('statements that wait too long for a lock are counted', async () => {
  const name = 'lead_engine_database_conflicts_total{kind="lock_timeout"}'
  assert.equal((await samples())[name], 0)
  const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9820077009' })
  const release = await lockLead(store.owner, body.data.id)
  const { status } = await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9820077009', city: 'Pune' })
  await release()
  assert.equal(status, 503)
  assert.equal((await samples())[name], 2)
})

test('emails are counted by outcome', async () => {
  const page = await signedIn({ directory: store.directory, url: served.url }, asha)
  const invite = (email: string) => page.send('POST', '/web/users', { email, name: 'New', role: 'Agent', team: null })
  await invite('one@example.com')
  await invite('chand-two@example.com')
  const found = await samples()
  const of = (outcome: string) => found[`lead_engine_emails_total{outcome="${outcome}"}`]
  assert.deepEqual([of('sent'), of('failed'), mails.mails.length], [1, 1, 1])
})

test('a Redis that is away shows, with the requests that were counted in memory', async () => {
  await asha.send('GET', '/api/v1/leads')
  const found = await samples()
  assert.equal(found.lead_engine_redis_up, 0)
  assert.ok(found.lead_engine_redis_fallbacks_total! > 0)
})

test('a database that stops answering shows, and that it is back', async (t: TestContext) => {
  const { wire, served: behind } = await serveBehindWire(t, store.signIns)
  const outages = async () => {
    const { lead_engine_database_up: up, lead_engine_database_outages_total: outages } = await samples(behind.url)
    return { up, outages }
  }
  assert.deepEqual(await outages(), { up: 1, outages: 0 })
  await wire.cut()
  await until(async () => (await outages()).up === 0)
  assert.equal((await outages()).outages, 1)
  await wire.open()
  await until(async () => (await outages()).up === 1)
})

test('a page that was opened under another URL than BASE_URL shows', async () => {
  const send = (origin: string, host: string) =>
    new Promise((resolve) => {
      const headers = { origin, host, 'content-type': 'application/json' }
      const sent = request(`${served.url}/auth/sign-in/email`, { method: 'POST', headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      sent.end('{}')
    })
  const count = async () => (await samples()).lead_engine_rejected_origins_total
  assert.equal(await send('https://other.example', 'leads.example'), 403)
  assert.equal(await count(), 0)
  assert.equal(await send('https://leads.example', 'leads.example'), 403)
  assert.equal(await count(), 1)
})

test('the delay of the event loop and the version are measured', async () => {
  const found = await samples()
  assert.equal(typeof found.nodejs_eventloop_lag_p99_seconds, 'number')
  assert.equal(found[`lead_engine_build_info{version="${version}",commit="${commit ?? ''}"}`], 1)
  const ready = await ask(served.url, null, 'GET', '/readyz')
  assert.deepEqual(ready.body, { status: 'ready', version, commit })
})

test('what load balancers and monitoring ask is not logged at info', async () => {
  const levels = (route: string) =>
    served.lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.route === route)
      .map(({ level }) => level)
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.equal((await ask(served.url, null, 'GET', path)).status, 200)
    await until(async () => levels(path).length > 0)
    assert.deepEqual([...new Set(levels(path))], [20])
  }
  await asha.send('GET', '/api/v1/leads')
  await until(async () => levels('/api/v1/leads').includes(30))
})
