import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { heavyRoutes } from './web-limits.ts'

const declared: string[] = []
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) declared.push(`${one} ${url}`)
  })
})

// A heavy route of 60 a minute is one of 6 here, searches are 3 in 10 s, a session has 60 and an account 1,200.
const app = await testApp({ WEB_LIMIT_PER_MINUTE: '60' })
after(app.close)
const { asha, bela, chand, zoya } = await people(app)
await app.owner`update accounts set lowest_role_to_export = 'Agent'`

test('every limited route exists', () => {
  for (const route of Object.keys(heavyRoutes)) assert.ok(declared.includes(route), route)
})

test('checks that find hidden leads are limited for each user, and each is in the audit log', async () => {
  const phone = '9810012345'
  const { body } = await chand.send('POST', '/api/v1/leads', { name: 'Ravi', phone })
  const page = await signedIn(app, bela)
  const statuses = []
  for (let n = 0; n < 8; n++) statuses.push((await page.send('POST', '/web/leads/match', { phone })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429, 429])
  const entries = await app.owner`select user_id, subject_id, details from audit_log where action = 'lead.match_hidden'`
  assert.equal(entries.length, 6)
  for (const entry of entries)
    assert.deepEqual({ ...entry }, { user_id: bela.id, subject_id: body.data.id, details: { by: 'phone' } })
  const own = await signedIn(app, chand)
  assert.equal((await own.send('POST', '/web/leads/match', { phone })).body.data.hidden, false)
  assert.equal((await app.owner`select from audit_log where action = 'lead.match_hidden'`).length, 6)
})

test('searches are limited for each user, including HEAD and invalid ones, and other requests are not', async () => {
  const page = await signedIn(app, bela)
  const colleague = await signedIn(app, chand)
  const ask = async (method: string, path: string) => (await page.send(method, path)).status
  const statuses = []
  for (const [method, path] of [
    ['GET', '/web/leads?search=ra'],
    ['HEAD', '/web/leads?search=rav'],
    ['GET', '/web/leads?search=ravi&limit=0'],
    ['GET', '/web/leads?search=ravi'],
    ['HEAD', '/web/leads?search=ravi'],
  ] as const)
    statuses.push(await ask(method, path))
  assert.deepEqual(statuses, [200, 200, 400, 429, 429])
  const rejected = await page.send('GET', '/web/leads?search=ravi')
  assert.deepEqual(Object.keys(rejected.body), ['error'])
  assert.match(rejected.body.error.message, /^You searched too often\. Try again in \d+ s\.$/)
  const wait = Number(rejected.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 10, String(wait))
  assert.deepEqual(
    [await ask('GET', '/web/leads'), await ask('GET', '/web/leads.csv?search=ravi'), await ask('GET', '/web/me')],
    [200, 200, 200],
  )
  assert.equal((await colleague.send('GET', '/web/leads?search=ravi')).status, 200)
})

test('the request log, whose searches read all of it, is limited for each user', async () => {
  const page = await signedIn(app, zoya)
  const search = async (text: number) => (await page.send('GET', `/web/requests?search=${text}`)).status
  for (let n = 0; n < 24; n++) assert.equal(await search(n), 200)
  assert.equal(await search(24), 429)
})

test('HEAD counts as the export that it runs', async () => {
  const page = await signedIn(app, zoya)
  assert.equal((await page.send('HEAD', '/web/leads.csv')).status, 200)
  assert.equal((await page.send('GET', '/web/leads.csv')).status, 429)
})

test('a session is limited, then its account, but no other account', async () => {
  const other = await signedIn(app, zoya)
  const page = await signedIn(app, asha)
  const ask = async (one: typeof page) => (await one.send('GET', '/web/me')).status
  for (let n = 0; n < 60; n++) assert.equal(await ask(page), 200)
  const rejected = await page.send('GET', '/web/me')
  assert.deepEqual([rejected.status, rejected.body.error.code], [429, 'RATE_LIMITED'])
  assert.match(rejected.body.error.message, /^Too many requests came from this session\. Try again in \d+ s\.$/)
  assert.ok(Number(rejected.headers.get('retry-after')) >= 1)
  let answered = 0
  for (let session = 0; session < 20; session++) {
    // Each sign-in ends the session before: the password is a new one.
    const next = await signedIn(app, asha)
    for (let n = 0; n < 60; n++) if ((await ask(next)) === 200) answered++
  }
  assert.ok(answered < 1140, 'the account has 1,200 in all')
  assert.equal(await ask(other), 200)
})
