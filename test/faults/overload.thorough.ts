import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent, get, request } from 'node:http'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { answerProblems } from '../../server/platform/http/answer-problems.ts'
import { shedLoad } from '../../server/platform/http/shed-load.ts'
import { testApp } from '../app.ts'
import { type Answer, account, addPlayer, ask } from '../people.ts'
import { assertCountsHold } from '../records.ts'

function isShed({ status, body, headers }: Pick<Answer, 'status' | 'body' | 'headers'>) {
  assert.deepEqual([status, body.error.code], [503, 'UNAVAILABLE'])
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait >= 5 && wait <= 10, String(wait))
  return wait
}

test('beyond the requests that a process answers at once it answers 503, except for health, and recovers', async (t) => {
  const app = fastify()
  t.after(() => app.close())
  answerProblems(app, new Map(), {
    unwritableBy: () => undefined,
    isAway: () => false,
    isBusy: () => false,
    isLocked: () => false,
  })
  shedLoad(app, { max: 5 })
  const release = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  let arrivals = 0
  app.get('/slow', async () => {
    if (++arrivals === 5) arrived.resolve()
    await release.promise
    return { done: true }
  })
  app.get('/healthz', async () => ({ status: 'alive' }))
  const url = await app.listen({ port: 0 })
  const slow = Array.from({ length: 5 }, () => ask(url, null, 'GET', '/slow'))
  await arrived.promise
  isShed(await ask(url, null, 'GET', '/slow'))
  assert.equal((await ask(url, null, 'GET', '/healthz')).status, 200)
  release.resolve()
  for (const { status } of await Promise.all(slow)) assert.equal(status, 200)
  assert.equal((await ask(url, null, 'GET', '/slow')).status, 200)
})

test('under more load than it can carry, what is answered is right, health routes answer, and it recovers', async (t) => {
  const app = await testApp({}, undefined, undefined)
  after(app.close)
  const players = await Promise.all(
    ['One', 'Two', 'Three'].map(async (name) =>
      addPlayer(app.database, app.url, await account(app.database, name), 'Asha', 'Admin', null),
    ),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 900 })
  t.after(() => agent.destroy())
  const counts: Record<number, number> = {}
  const waits = new Set<number>()
  const created: string[] = []
  const create = (secret: string) =>
    new Promise<void>((resolve, reject) => {
      const email = `${randomUUID()}@example.com`
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const sent = request(`${app.url}/api/v1/leads`, { method: 'POST', agent, headers }, (answer) => {
        const status = answer.statusCode!
        counts[status] = (counts[status] ?? 0) + 1
        if (status === 201) created.push(email)
        else {
          waits.add(Number(answer.headers['retry-after']))
          rejected.resolve()
        }
        answer.resume().on('end', resolve)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ name: 'Ravi', email }))
    })
  // The database is slow until the first request is rejected.
  const rejected = Promise.withResolvers<void>()
  const slow = app.owner.begin(async (tx) => {
    await tx`lock table leads in exclusive mode`
    await rejected.promise
  })
  let healthy = 0
  const flood = Promise.all(Array.from({ length: 1200 }, (_, n) => create(players[n % 3]!.key.secret)))
  const isOver = flood.then(() => true)
  while (!(await Promise.race([isOver, false]))) {
    for (const path of ['/healthz', '/readyz']) {
      const status = await new Promise((resolve, reject) =>
        get(app.url + path, (answer) => resolve(answer.resume().statusCode)).on('error', reject),
      )
      assert.equal(status, 200, path)
      healthy++
    }
  }
  await flood
  await slow
  assert.ok(created.length > 0 && (counts[503] ?? 0) > 0, JSON.stringify(counts))
  assert.deepEqual(Object.keys(counts), ['201', '503'])
  assert.ok([...waits].every((wait) => wait >= 5 && wait <= 10) && waits.size > 2, [...waits].join())
  const [row] = await app.owner`select count(*)::int as n from leads`
  assert.equal(row!.n, created.length)
  await assertCountsHold(app.owner)
  const { status } = await players[0]!.send('POST', '/api/v1/leads', { name: 'Later', email: 'later@example.com' })
  assert.equal(status, 201)
  t.diagnostic(`${JSON.stringify(counts)}, ${healthy} health checks answered meanwhile`)
})
