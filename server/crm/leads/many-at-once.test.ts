import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp({ RATE_LIMIT_PER_MINUTE: '100000' })
after(app.close)
const { asha } = await people(app)

const count = async () => Number((await app.owner`select count(*) as n from leads`)[0]!.n)

// More than the connections take and 200, and few enough to end within the time limits on a busy machine.
const many = 240

test('creates of different people at once all succeed', async () => {
  const before = await count()
  const answers = await Promise.all(
    Array.from({ length: many }, (_, n) =>
      ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', { name: `Ravi ${n}`, phone: `98${10_000_000 + n}` }),
    ),
  )
  const failed = answers.filter(({ status }) => status !== 201)
  assert.deepEqual(failed, [])
  assert.equal(await count(), before + many)
  await assertCountsHold(app.owner)
})

test('deliveries of different people at once are all saved, and a user of the account is not kept waiting', async () => {
  const [browser, webhook, before] = await Promise.all([signedIn(app, asha), webhookOf(app, asha.actor), count()])
  const deliveries = Array.from({ length: many }, (_, n) =>
    webhook.send({ name: `Person ${n}`, phone: `97${10_000_000 + n}` }),
  )
  const ended: string[] = []
  const all = Promise.all(deliveries).then((answers) => {
    ended.push('deliveries')
    return answers
  })
  const saved = await browser!.send('POST', '/web/leads', { name: 'By hand', phone: '9600000001' })
  ended.push('user')
  assert.equal(saved.status, 201, JSON.stringify(saved.body))
  assert.deepEqual(
    (await all).filter(({ status }) => status !== 200),
    [],
  )
  assert.deepEqual(ended, ['user', 'deliveries'])
  assert.equal(await count(), before + many + 1)
})

test('a create and a merge each wait for a connection once, by the API and by a webhook', async (t) => {
  const turns: string[] = []
  const counting = new Proxy(app.database, {
    get: (database, name) =>
      name === 'write'
        ? (...[requester, work]: Parameters<typeof database.write>) => {
            turns.push(requester.via)
            return database.write(requester, work)
          }
        : Reflect.get(database, name),
  })
  const { url, close } = await serve(counting)
  t.after(close)
  const webhook = await webhookOf({ database: app.database, url }, asha.actor)
  const turnsOf = async (via: string, send: () => Promise<{ status: number }>) => {
    turns.length = 0
    assert.ok((await send()).status < 300)
    return turns.filter((one) => one === via).length
  }
  const create = () =>
    ask(url, asha.key.secret, 'POST', '/api/v1/leads', { name: 'Ravi', phone: '9500000001', city: 'Pune' })
  const deliver = (message: string) => webhook.send({ name: 'Tara', phone: '9500000002', message })
  await deliver('The first delivery is learned from')
  // The first lead of a source adds its name.
  await asha.send('POST', '/api/v1/leads', { name: 'Asha', phone: '9500000000' })
  assert.deepEqual(
    [
      await turnsOf('api_key', create),
      await turnsOf('api_key', create),
      await turnsOf('webhook', () => deliver('One')),
      await turnsOf('webhook', () => webhook.send({ name: 'Uma', phone: '9500000003', message: 'Two' })),
    ],
    [1, 1, 1, 1],
  )
})
