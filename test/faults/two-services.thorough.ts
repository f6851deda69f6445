import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { freePort } from '../app.ts'
import { databaseUrl } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { acknowledgedIn, assertLedgerHolds, newLedger, writeUntil } from '../ledger.ts'
import { ask, people, sessionCookie } from '../people.ts'
import { hasRedis, startRedis } from '../redis.ts'
import { startService } from '../service.ts'
import { openStream } from '../stream.ts'
import { until } from '../until.ts'
import { webhookOf } from '../webhooks.ts'

const store = await testDatabase()
after(store.close)

/** A proxy that gives each connection to the next port, or to the one after it if that does not listen. */
async function roundRobin(t: TestContext, ports: number[]): Promise<string> {
  let next = 0
  const proxy = createServer((near) => {
    near.on('error', () => {})
    const dial = (attempt: number) => {
      const far = connect(ports[next++ % ports.length]!, '127.0.0.1')
      const retry = () => (attempt < ports.length ? dial(attempt + 1) : near.destroy())
      far.once('error', retry).once('connect', () => {
        far.off('error', retry).on('error', () => {})
        near.pipe(far)
        far.pipe(near)
        near.on('close', () => far.destroy())
        far.on('close', () => near.destroy())
      })
    }
    dial(1)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  return `http://127.0.0.1:${port}`
}

test('of two services behind a proxy one is killed under load: nothing is lost, and limits stay exact', {
  skip: hasRedis ? false : 'redis-server is not installed',
  timeout: 170_000,
}, async (t) => {
  const redisPort = await freePort()
  await startRedis(t, redisPort)
  const ports = [await freePort(), await freePort()]
  const url = await roundRobin(t, ports)
  const env = {
    DATABASE_URL: databaseUrl(store.connection),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    WEB_LIMIT_PER_MINUTE: '30',
    BASE_URL: url,
  }
  const start = async (port: number) => {
    const service = await startService({ ...env, PORT: String(port) })
    t.after(() => service.end('SIGKILL'))
    return service
  }
  const [first, second] = [await start(ports[0]!), await start(ports[1]!)]
  const { acme, asha, bela, chand } = await people({ database: store.database, url })
  const webhook = await webhookOf({ database: store.database, url }, acme)
  const place = { directory: store.directory, url }

  const cookie = await sessionCookie(place, asha)
  const streams = [await openStream(first.url, cookie), await openStream(second.url, cookie)] as const
  t.after(() => streams.map((stream) => stream.close()))
  const ledger = newLedger()
  const stop = new AbortController()
  t.after(() => stop.abort())
  const writing = writeUntil(stop.signal, { url, key: asha.key.secret, webhook: webhook.path }, ledger)
  const acknowledged = () => acknowledgedIn(ledger)
  const grow = async () => {
    const since = performance.now()
    const before = acknowledged()
    await until(() => acknowledged() > before + 40, 'writes are acknowledged')
    return Math.round(performance.now() - since)
  }
  const moreEvents = async (stream: (typeof streams)[number]) => {
    const before = stream.events()
    await until(() => stream.events() > before, 'an event')
  }

  await Promise.all(streams.map(moreEvents))
  const before = await grow()
  await first.end('SIGKILL')
  t.diagnostic(`40 writes took ${before} ms before a service was killed, and ${await grow()} ms from then on`)
  await moreEvents(streams[1])
  const again = await start(ports[0]!)
  await grow()
  stop.abort()
  await writing
  t.diagnostic(await assertLedgerHolds(store.owner, ledger))

  // A key that is revoked through one is revoked in both.
  const list = (url: string) => ask(url, chand.key.secret, 'GET', '/api/v1/leads?limit=1')
  for (const { url } of [again, second]) assert.equal((await list(url)).status, 200)
  const path = `/web/api-keys/${chand.key.id}/revocation`
  const revoked = await ask(again.url, null, 'POST', path, {}, { cookie, origin: url })
  assert.equal(revoked.status, 200, JSON.stringify(revoked.body))
  const since = performance.now()
  assert.equal((await list(again.url)).status, 401)
  await until(async () => (await list(second.url)).status === 401, 'the key is rejected by the other service')
  t.diagnostic(`a key was rejected by the other service after ${Math.round(performance.now() - since)} ms`)

  // Requests through the proxy, each on a connection of its own, are counted together, also when one of the two is killed.
  const counted = { cookie: await sessionCookie(place, bela), connection: 'close' }
  const statuses: number[] = []
  const send = async (requests: number) => {
    for (let n = 0; n < requests; n++)
      statuses.push((await ask(url, null, 'GET', '/web/leads', undefined, counted)).status)
  }
  await send(20)
  let uncounted = await fallbacksOf(again)
  await again.end('SIGKILL')
  await send(20)
  uncounted += await fallbacksOf(second)
  const allowed = statuses.filter((status) => status === 200).length
  assert.deepEqual(new Set(statuses), new Set([200, 429]))
  assert.ok(
    allowed >= 30 && allowed <= 30 + uncounted,
    `${allowed} were allowed, and ${uncounted} not counted in Redis`,
  )
  assert.equal(await second.end(), 0)
})

/** Requests that a service counted by itself: on a busy machine Redis may answer too late. */
async function fallbacksOf({ url }: { url: string }): Promise<number> {
  return Number(/^lead_engine_redis_fallbacks_total (\d+)/m.exec((await ask(url, null, 'GET', '/metrics')).body)![1])
}
