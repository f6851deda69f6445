import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, testApp } from '../app.ts'
import { people } from '../people.ts'
import { assertCountsHold } from '../records.ts'
import { hasRedis, startRedis } from '../redis.ts'
import { webhookOf } from '../webhooks.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const webhook = await webhookOf(app, acme)

const settled = async () => {
  const { shares } = app.database
  for (const deadline = Date.now() + 20_000; ; await sleep(20)) {
    if (shares.read.figures.running + shares.write.figures.running === 0) return
    assert.ok(Date.now() < deadline, 'connections stay in use')
  }
}

test('clients that hang up at any moment leave no connection in use and no half of a lead', async (t) => {
  const { hostname, port } = new URL(app.url)
  const marks: string[] = []
  const hangUp = async (n: number) => {
    const mark = randomUUID()
    marks.push(mark)
    const toWebhook = n % 2 === 0
    const body = JSON.stringify({ name: 'Ravi', email: `${mark}@example.com` })
    const head = toWebhook
      ? `POST ${webhook.path} HTTP/1.1\r\n`
      : `POST /api/v1/leads HTTP/1.1\r\nauthorization: Bearer ${asha.key.secret}\r\n`
    const whole = `${head}host: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const socket = connect(Number(port), hostname).on('error', () => {})
    // Some in the middle of the request, most while it is processed.
    socket.write(n % 5 === 0 ? whole.slice(0, Math.floor(Math.random() * whole.length)) : whole)
    await sleep(Math.random() * 40)
    socket.destroy()
  }
  for (let n = 0; n < 300; n += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => hangUp(n + k)))
  await settled()
  assert.equal((await asha.send('GET', '/api/v1/leads')).status, 200)
  const rows =
    await app.owner`select email, count(*)::int as n from leads where email = any(${marks.map((m) => `${m}@example.com`)})
    group by 1`
  assert.ok(rows.every(({ n }) => n === 1))
  const [orphans] = await app.owner`select count(*)::int as n from deliveries where lead_id is null`
  assert.equal(orphans!.n, 0)
  await assertCountsHold(app.owner)
  const errors = app.lines.filter((line) => line.includes('"unexpected"'))
  assert.deepEqual(errors, [])
  t.diagnostic(`300 clients hung up; ${rows.length} of their leads were saved, none twice`)
})

test('Redis may go and come back: requests are answered and stay limited throughout', {
  skip: hasRedis ? false : 'redis-server is not installed',
}, async (t) => {
  const port = await freePort()
  let redis = await startRedis(t, port)
  const limited = await testApp({ REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT_PER_MINUTE: '4' })
  t.after(limited.close)
  const others = await people(limited)
  const statuses = async (player: typeof asha, n: number) => {
    const got: number[] = []
    for (let i = 0; i < n; i++) got.push((await player.send('GET', '/api/v1/leads')).status)
    return got
  }
  // On a busy machine the connection may also be lost and come back by itself: only the last line counts.
  const saysAtLast = async (text: RegExp) => {
    const deadline = Date.now() + 60_000
    while (!text.test(limited.lines.findLast((line) => line.startsWith('Redis')) ?? '')) {
      assert.ok(Date.now() < deadline, `no line like ${text} at last`)
      await sleep(20)
    }
  }
  await sleep(200)
  assert.deepEqual(await statuses(others.asha, 5), [200, 200, 200, 200, 429])
  for (let n = 0; n < 3; n++) {
    redis.kill('SIGKILL')
    await saysAtLast(/went away|cannot be reached/)
    const player = [others.meena, others.bela, others.chand][n]!
    assert.deepEqual(await statuses(player, 5), [200, 200, 200, 200, 429])
    redis = await startRedis(t, port)
    await saysAtLast(/is back/)
    assert.deepEqual(await statuses(others.zoya, 1), [200])
  }
})
