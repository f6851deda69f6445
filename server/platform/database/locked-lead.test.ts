import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { lockLead } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, zoya } = await people(app)
const zoyaAtDesk = await signedIn(app, zoya)

async function holdLead(t: TestContext, id: string) {
  const release = await lockLead(owner, id)
  t.after(release)
  return release
}

async function newLead(phone: string): Promise<string> {
  return (await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone })).body.data.id
}

test('while a locked lead keeps one account waiting, the others read and write', async (t) => {
  const id = await newLead('9820033001')
  const release = await holdLead(t, id)
  let held = true
  const merges = Array.from({ length: 30 }, () =>
    asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9820033001', city: 'Pune' }).then((answer) => {
      if (held) assert.equal(answer.status, 503)
      return answer
    }),
  )
  // What the others ask is answered before any merge is: their answers do not depend on the lock.
  const first = await Promise.race([
    Promise.all([
      zoya.send('GET', '/api/v1/leads'),
      zoya.send('POST', '/api/v1/leads', { name: 'Tara', phone: '9820033002' }),
      zoyaAtDesk.send('GET', '/web/leads?sort=name'),
      zoya.send('GET', '/readyz'),
    ]),
    Promise.any(merges).then(() => null),
  ])
  assert.ok(first, 'a merge was answered before the other account was')
  assert.deepEqual(
    first.map(({ status }) => status),
    [200, 201, 200, 200],
  )
  held = false
  await release()
  for (const { status } of await Promise.all(merges)) assert.ok(status === 200 || status === 503)
})

test('a change that waits for a locked lead is answered 503 with Retry-After, and changes nothing', async (t) => {
  const id = await newLead('9820033003')
  const release = await holdLead(t, id)
  const { status, body, headers } = await asha.send('POST', '/api/v1/leads', {
    name: 'Ravi',
    phone: '9820033003',
    city: 'Goa',
  })
  assert.deepEqual([status, body.error.code], [503, 'UNAVAILABLE'])
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait >= 5 && wait <= 10, String(wait))
  await release()
  assert.equal((await owner`select city from leads where id = ${id}`)[0]!.city, null)
  const again = await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9820033003', city: 'Goa' })
  assert.equal(again.status, 200)
})

test('a delivery for a locked lead waits, and can be replayed before the service finishes it', async (t) => {
  const id = await newLead('9820033004')
  const webhook = await webhookOf(app, acme)
  const release = await holdLead(t, id)
  const { status, body, headers } = await webhook.send({ name: 'Ravi', phone: '9820033004', message: 'Call me' })
  assert.deepEqual([status, body.error.code], [503, 'UNAVAILABLE'])
  assert.ok(Number(headers.get('retry-after')) >= 5)
  const [delivery] = await owner`select id, outcome from deliveries where webhook_id = ${webhook.id}`
  assert.equal(delivery!.outcome, 'waiting')
  await release()
  const admin = await signedIn(app, asha)
  const replayed = await admin.send('POST', `/web/deliveries/${delivery!.id}/replay`)
  assert.equal(replayed.status, 200, JSON.stringify(replayed.body))
  const [lead] = await owner`select notes from leads where id = ${id}`
  assert.match(lead!.notes, /Call me/)
})

test('many deliveries that wait for a table are answered 503 before it is free', async (t) => {
  const webhook = await webhookOf(app, acme)
  const [locked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = owner.begin(async (tx) => {
    await tx`lock table leads, deliveries in exclusive mode`
    locked.resolve()
    await answered.promise
  })
  t.after(() => holder)
  await locked.promise
  const send = (n: number) => webhook.send({ name: 'Ravi', email: `waits${n}@example.com` })
  const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => send(n)))
  // The table is locked until all have their answer.
  answered.resolve()
  for (const { status } of answers) assert.equal(status, 503)
})
