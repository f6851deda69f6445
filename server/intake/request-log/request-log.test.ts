import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { ask, type Player, people, signedIn } from '#test/people.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../platform/database/actor.ts'
import { endpoints, type LoggedRequest, perMinute } from './contract.ts'
import { keepSome } from './keep-some.ts'
import { deleteOldRequests } from './store.ts'

const app = await testApp({ WEBHOOK_LIMIT_PER_MINUTE: '5' })
after(app.close)
const { acme, asha, bela, zoya } = await people(app)
const hook = await webhookOf(app, acme)
const wrongToken = `/webhook/${hook.token}?hub.challenge=1&hub.verify_token=wrong`
const lead = { name: 'Ravi', phone: '9820011224' }

/** One after the other, so that their order is known, and before the first is looked for: they are saved once a second. */
const answers = {
  created: await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9820011223' }),
  invalid: await asha.send('GET', '/api/v1/leads?limit=501&source=9820011223&mobile=9820011223'),
  missing: await bela.send('DELETE', `/api/v1/leads/${randomUUID()}`),
  unknown: await bela.send('GET', '/api/v1/contacts/9820011223'),
  listed: await bela.send('GET', '/api/v1/leads'),
  taken: await hook.send(lead),
  unread: await hook.send('no lead'),
  wrongToken: await asha.send('GET', wrongToken),
  repeated: await Promise.all([hook.send(lead), hook.send(lead), hook.send(lead)]),
  limited: await hook.send(lead),
  ofNoKey: await asha.send('GET', '/api/v1/leads', undefined, { authorization: 'Bearer le_live_wrong' }),
  ofNoWebhook: await asha.send('POST', `/webhook/${'x'.repeat(32)}`, lead),
  elsewhere: await zoya.send('GET', '/api/v1/leads'),
}
const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')!

let admin: Pick<Player, 'send'>, stranger: Pick<Player, 'send'>
before(async () => {
  admin = await signedIn(app, asha)
  stranger = await signedIn(app, zoya)
  await until(async () => (await requests(`?search=${idOf(answers.elsewhere)}`, stranger)).length === 1)
})

const requests = async (query = '', of = admin) =>
  (await of.send('GET', `/web/requests${query}`)).body.data as LoggedRequest[]

async function logged(answer: { headers: Headers }): Promise<LoggedRequest> {
  const [found, ...others] = await requests(`?search=${idOf(answer)}`)
  assert.ok(found && others.length === 0)
  return found
}

test('a request is found by its X-Request-Id, with status, path and error', async () => {
  const { at, ms, ...request } = await logged(answers.created)
  assert.deepEqual(request, {
    id: idOf(answers.created),
    via: 'api_key',
    via_id: asha.key.id,
    address: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/leads',
    status: 201,
    code: null,
    message: null,
    has_delivery: false,
  })
  assert.ok(Date.parse(at) > 0 && ms >= 0)
  const { status, path, code, message } = await logged(answers.invalid)
  assert.deepEqual([status, path, code], [400, '/api/v1/leads?limit=501&source=…&…', 'INVALID_PARAM'])
  assert.equal(message, answers.invalid.body.error.message)
  assert.equal((await logged(answers.unknown)).path, '/api/v1/contacts/…')
})

test('requests are filtered by source, status class and endpoint, searched and paged', async () => {
  const ids = async (query: string) => (await requests(`?source=${bela.key.id}${query}`)).map(({ id }) => id)
  const [first, second, third] = [answers.missing, answers.unknown, answers.listed].map(idOf)
  assert.deepEqual(await ids(''), [third, second, first])
  assert.deepEqual(await ids('&status=4xx'), [second, first])
  assert.deepEqual(await ids('&status=2xx'), [third])
  assert.deepEqual(await ids('&endpoint=GET%20/api/v1/leads'), [third])
  assert.deepEqual(await ids('&endpoint=DELETE%20/api/v1/leads/:id'), [first])
  assert.deepEqual(await ids('&search=CONTACTS'), [second])
  assert.deepEqual(await ids(`&search=${second!.slice(0, 13)}`), [second])
  assert.deepEqual(await ids('&search=%25'), [])
  assert.deepEqual(await ids('&limit=1'), [third])
  assert.deepEqual(await ids(`&before=${third}&limit=1`), [second])
  for (const query of ['?status=9xx', '?endpoint=GET%20/', '?source=1', '?before=1'])
    assert.equal((await admin.send('GET', `/web/requests${query}`)).status, 400, query)
})

test('rejected requests to a webhook are logged, and lead to their deliveries', async () => {
  const taken = await logged(answers.taken)
  assert.deepEqual([taken.status, taken.path, taken.via_id, taken.has_delivery], [200, '/webhook/…', hook.id, true])
  const unread = await logged(answers.unread)
  assert.deepEqual([unread.status, unread.code, unread.has_delivery], [400, 'INVALID_PARAM', true])
  assert.equal((await admin.send('GET', `/web/deliveries/${unread.id}`)).body.data.webhook_id, hook.id)
  const wrong = await logged(answers.wrongToken)
  assert.deepEqual([wrong.path, wrong.code, wrong.has_delivery], ['/webhook/…?…', 'PERMISSION_DENIED', false])
  assert.equal((await logged(answers.limited)).code, 'RATE_LIMITED')
})

test('what no key or webhook sent is not logged, and no account sees requests of another', async () => {
  assert.deepEqual([answers.ofNoKey.status, answers.ofNoWebhook.status], [401, 404])
  for (const answer of [answers.ofNoKey, answers.ofNoWebhook])
    assert.deepEqual([...(await app.owner`select from logged_requests where id = ${idOf(answer)}`)], [])
  assert.deepEqual(await requests(`?search=${idOf(answers.elsewhere)}`), [])
  assert.deepEqual(await requests(`?source=${zoya.key.id}`), [])
  assert.equal((await requests('', stranger)).length, 1)
})

test('what is not saved yet is saved when the service stops', async () => {
  const other = await serve(app.database)
  const answer = await ask(other.url, asha.key.secret, 'GET', '/api/v1/leads')
  await other.close()
  assert.equal((await logged(answer)).status, 200)
})

test('of each minute, the first requests are kept, more of those that failed', () => {
  let now = 0
  const keeps = keepSome(() => now)
  const kept = (account: string, source: string, outcome: keyof typeof perMinute) => {
    let count = 0
    for (let n = 0; n < 1000; n++) if (keeps(account, source, outcome)) count++
    return count
  }
  assert.equal(kept('a', 'one', 'succeeded'), perMinute.succeeded.ofSource)
  assert.equal(kept('a', 'one', 'failed'), perMinute.failed.ofSource)
  let more = 0
  for (let n = 0; n < 20; n++) more += kept('a', `other ${n}`, 'failed')
  assert.equal(more, perMinute.failed.ofAccount - perMinute.failed.ofSource)
  assert.equal(kept('b', 'one of b', 'failed'), perMinute.failed.ofSource)
  now = 60_000
  assert.equal(kept('a', 'one', 'failed'), perMinute.failed.ofSource)
})

test('requests older than a week, and too many of a source, are deleted', async () => {
  const now = new Date()
  const [busy, quiet] = [randomUUID(), randomUUID()]
  const add = (source: string, count: number, status: number, age: string) => app.owner`
    insert into logged_requests (account_id, id, at, via, via_id, address, method, path, status, ms)
    select ${zoya.actor.account_id}, gen_random_uuid(), ${now}::timestamptz - ${age}::interval - n * interval '1 ms', 'api_key',
      ${source}, '', 'GET', '/', ${status}, 1 from generate_series(1, ${count}) n`
  await add(busy, 10_020, 200, '1 hour')
  await add(busy, 10, 400, '2 hours')
  await add(quiet, 5, 200, '8 days')
  await add(quiet, 5, 200, '6 days')
  for (let rows = 1; rows > 0; )
    rows = await asActor(app.database, zoya.actor, (tx) => deleteOldRequests(tx, zoya.actor.account_id, now, 1))
  const left = await app.owner`select via_id, status, count(*)::int as n from logged_requests
    where via_id = any (${[busy, quiet]}::uuid[]) group by 1, 2 order by n desc`
  assert.deepEqual(
    left.map(({ via_id, status, n }) => [via_id, status, n]),
    [
      [busy, 200, 10_000],
      [busy, 400, 10],
      [quiet, 200, 5],
    ],
  )
})

test('every described endpoint can be chosen', async () => {
  const { paths } = (await asha.send('GET', '/api/v1/openapi.json')).body
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  assert.deepEqual(described.sort(), [...endpoints].sort())
})

test('while the database does not save, requests are answered, and what is missing is counted', async () => {
  const dropped = async () => /request_log_dropped_total (\d+)/.exec(await app.app.metrics.metrics())![1]
  assert.equal(await dropped(), '0')
  await app.owner`alter function log_requests(jsonb) rename to log_requests_away`
  const answer = await asha.send('GET', '/api/v1/leads')
  assert.equal(answer.status, 200)
  await until(async () => (await dropped()) !== '0')
  await app.owner`alter function log_requests_away(jsonb) rename to log_requests`
  const next = await asha.send('GET', '/api/v1/leads')
  await until(async () => (await requests(`?search=${idOf(next)}`)).length === 1)
  assert.deepEqual(await requests(`?search=${idOf(answer)}`), [])
})
