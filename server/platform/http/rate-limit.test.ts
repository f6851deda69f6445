import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { Redis } from 'ioredis'
import { freePort, serve, testApp } from '#test/app.ts'
import { addPlayer, ask, people } from '#test/people.ts'
import { until } from '#test/until.ts'
import { openRateLimits } from './rate-limit.ts'

let now = 0
const app = await testApp({ RATE_LIMIT_PER_MINUTE: '100' }, undefined, { now: () => now })
after(app.close)
const { acme, asha } = await people(app)
const newKey = async () => (await addPlayer(app.database, app.url, acme, `P${randomUUID()}`, 'Admin', null)).key
const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

test('the 100th request of a minute is answered, the 101st gets 429 and does nothing, until the minute is over', async () => {
  const { secret } = await newKey()
  const list = () => ask(app.url, secret, 'GET', '/api/v1/leads?limit=1')
  for (let number = 1; number <= 100; number++) {
    const before = Math.ceil(Date.now() / 1000)
    const { status, headers } = await list()
    assert.equal(status, 200)
    assert.equal(headers.get('x-ratelimit-limit'), '100')
    assert.equal(headers.get('x-ratelimit-remaining'), String(100 - number))
    const reset = Number(headers.get('x-ratelimit-reset'))
    assert.ok(reset >= before + 60 && reset <= Math.ceil(Date.now() / 1000) + 60, String(reset))
  }
  now += 59_999
  const lead = { name: 'Ravi', phone: '9810044321' }
  const { status, headers, body } = await ask(app.url, secret, 'POST', '/api/v1/leads', lead)
  assert.equal(status, 429)
  assert.equal(body.error.code, 'RATE_LIMITED')
  assert.equal(headers.get('retry-after'), '1')
  assert.equal(headers.get('x-ratelimit-remaining'), '0')
  assert.equal((await app.owner`select from leads`).length, 0)
  assert.equal((await asha.send('GET', '/api/v1/leads')).status, 200, 'another key has a limit of its own')
  now += 1
  assert.deepEqual([(await list()).status, (await list()).headers.get('x-ratelimit-remaining')], [200, '98'])
})

test('every authenticated answer carries the limit, and every rejection counts', async () => {
  const { secret } = await newKey()
  const reader = await addPlayer(app.database, app.url, acme, 'Reader', 'Agent', null, ['read'])
  let remaining = 100
  for (const [method, path, body, status] of [
    ['GET', '/api/v1/leads', undefined, 200],
    ['HEAD', '/api/v1/leads', undefined, 200],
    ['GET', '/api/v1/leads?limit=0', undefined, 400],
    ['POST', '/api/v1/leads', '{', 400],
    ['POST', '/api/v1/leads', { name: 'No contact' }, 400],
    ['POST', '/api/v1/leads', 'x'.repeat(2 ** 20 + 1), 413],
    ['DELETE', `/api/v1/leads/${randomUUID()}`, undefined, 404],
    ['GET', '/api/v1/nothing', undefined, 404],
    ['PATCH', '/api/v1/leads', {}, 405],
    ['PUT', '/api/v1/leads', '{', 405],
  ] as const) {
    const answer = await ask(app.url, secret, method, path, body)
    assert.equal(answer.status, status, `${method} ${path}`)
    assert.equal(answer.headers.get('x-ratelimit-remaining'), String(--remaining), `${method} ${path}`)
    assert.equal(answer.headers.get('x-ratelimit-limit'), '100')
    assert.match(answer.headers.get('x-ratelimit-reset')!, /^\d{10}$/)
  }
  const wrongType = await ask(app.url, secret, 'POST', '/api/v1/leads', '{}', { 'content-type': 'text/plain' })
  assert.deepEqual([wrongType.status, wrongType.headers.get('x-ratelimit-remaining')], [415, String(--remaining)])
  const rejected = await reader.send('POST', '/api/v1/leads', {})
  assert.deepEqual([rejected.status, rejected.headers.get('x-ratelimit-remaining')], [403, '99'])
})

test('a minute starts with its first request', async () => {
  let at = 5
  const limit = (await openRateLimits(null, () => {}, { now: () => at })).limit('minute', 2)
  assert.deepEqual(await limit.count('key'), { allowed: true, remaining: 1, wait: 60 })
  at += 1000
  assert.deepEqual(await limit.count('key'), { allowed: true, remaining: 0, wait: 59 })
  at += 58_999
  assert.deepEqual(await limit.count('key'), { allowed: false, remaining: 0, wait: 1 })
  at += 1
  assert.deepEqual(await limit.count('key'), { allowed: true, remaining: 1, wait: 60 })
})

const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
const hasRedis = await redis.connect().then(
  () => true,
  () => false,
)
redis.on('error', () => {})
after(() => redis.disconnect())

test('two processes that share Redis count together', { skip: hasRedis ? false : 'no Redis here' }, async () => {
  const shared = { REDIS_URL: redisUrl, RATE_LIMIT_PER_MINUTE: '5' }
  const process = () => serve(app.database, shared, undefined, { timeoutMs: 10_000 })
  const apps = [await process(), await process()]
  const { id, secret } = await newKey()
  await until(async () => (await Promise.all(apps.map((one) => isShared(one.url)))).every(Boolean))
  const statuses = []
  for (let number = 0; number < 8; number++) {
    statuses.push((await ask(apps[number % 2]!.url, secret, 'GET', '/api/v1/leads')).status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429])
  assert.equal((await ask(app.url, secret, 'GET', '/api/v1/leads')).status, 200, 'a process without Redis counts alone')
  await Promise.all(apps.map((one) => one.close()))
  await redis.del(`lead-engine:api:${id}`)

  async function isShared(url: string) {
    const key = await newKey()
    await ask(url, key.secret, 'GET', '/api/v1/leads')
    return (await redis.del(`lead-engine:api:${key.id}`)) === 1
  }
})

test('requests are answered while Redis is unavailable, and the log says so and when it is back', async (t) => {
  const { stub, served } = await withStub(t, '4', { timeoutMs: 10_000 })
  const { secret } = await newKey()
  const other = await newKey()
  await until(async () => {
    await ask(served.url, other.secret, 'GET', '/api/v1/leads')
    return stub.counted() === 1
  })
  const asked = () => ask(served.url, secret, 'GET', '/api/v1/leads')
  const first = await asked()
  assert.deepEqual([first.status, first.headers.get('x-ratelimit-remaining')], [200, '2'])
  assert.equal(stub.counted(), 2)
  await stub.stop()
  const statuses = [await asked(), await asked(), await asked(), await asked(), await asked()].map(
    ({ status }) => status,
  )
  assert.deepEqual(statuses, [200, 200, 200, 200, 429])
  assert.equal(
    served.lines.filter((line) => /Redis.*each service counts requests in its own memory/.test(line)).length,
    1,
  )
  assert.equal(stub.counted(), 2)
  await stub.start()
  await until(async () => served.lines.some((line) => line.includes('Redis is back')))
  assert.equal((await ask(served.url, (await newKey()).secret, 'GET', '/api/v1/leads')).status, 200)
  assert.equal(stub.counted(), 3)
})

for (const from of ['the start', 'somewhere on']) {
  test(`a Redis that never answers from ${from} delays requests only until its connection is closed`, async (t) => {
    const { stub, served } = await withStub(t, '1000', { hanging: from === 'the start' })
    const { secret } = await newKey()
    const asked = () => ask(served.url, secret, 'GET', '/api/v1/leads')
    if (from !== 'the start') {
      await until(async () => stub.greeted() > 0)
      assert.equal((await asked()).status, 200)
      stub.hang()
    }
    for (let number = 0; number < 30; number++) assert.equal((await asked()).status, 200)
    // Each that reaches Redis waits for it. The command and its connection are given up after the same time, so a second
    // one may come between.
    assert.ok(stub.ignored() <= (from === 'the start' ? 0 : 2), `${stub.ignored()} waited`)
    await until(async () => served.lines.some((line) => /Redis.*in its own memory/.test(line)))
    stub.unhang()
    await until(async () => served.lines.some((line) => line.includes('Redis is back')))
  })
}

async function withStub(t: TestContext, perMinute: string, { hanging = false, timeoutMs = 100 }) {
  const stub = await redisStub()
  if (hanging) stub.hang()
  const env = { REDIS_URL: stub.url, RATE_LIMIT_PER_MINUTE: perMinute }
  const served = await serve(app.database, env, undefined, { timeoutMs })
  t.after(async () => {
    await served.close()
    await stub.stop()
  })
  return { stub, served }
}

/** Speaks just as much Redis as is needed to count, be away and be silent. */
async function redisStub() {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let [hanging, greeted, counted, ignored] = [false, 0, 0, 0]
  const isCount = ([name]: string[]) => /^eval/i.test(name!)
  const answer = (command: string[]) => {
    if (command[0]!.toLowerCase() === 'info') {
      greeted++
      return '$9\r\nloading:0\r\n'
    }
    if (isCount(command)) return `*2\r\n:${++counted}\r\n:60000\r\n`
    return '+OK\r\n'
  }
  let server: Server
  const start = () =>
    new Promise<void>((resolve) => {
      server = createServer((socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        socket.on('error', () => {})
        socket.on('data', (bytes) => {
          for (const command of commandsIn(bytes.toString())) {
            if (!hanging) socket.write(answer(command))
            else if (isCount(command)) ignored++
          }
        })
      }).listen(port, '127.0.0.1', resolve)
    })
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    hang: () => {
      hanging = true
    },
    unhang: () => {
      hanging = false
    },
    greeted: () => greeted,
    counted: () => counted,
    /** How many requests were to be counted while it hung. */
    ignored: () => ignored,
  }
}

function commandsIn(text: string): string[][] {
  const commands: string[][] = []
  for (const line of text.split('\r\n')) {
    if (/^\*\d+$/.test(line)) commands.push([])
    else if (!/^\$\d+$/.test(line) && line !== '') commands.at(-1)?.push(line)
  }
  return commands
}
