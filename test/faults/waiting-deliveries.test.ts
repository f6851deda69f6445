import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../database.ts'
import { type Answer, account, ask } from '../people.ts'
import { serveBehindWire } from '../proxy.ts'
import { until } from '../until.ts'
import { webhookOf } from '../webhooks.ts'

const store = await testDatabase()
const { owner } = store
const { wire, served, database } = await serveBehindWire({ after: (work) => after(work) }, store.signIns)
const acme = await account(database, 'Acme')
const [webhook, other] = [await webhookOf(served, acme), await webhookOf(served, acme)]
after(store.close)

const lead = () => ({ name: 'Ravi Kumar', email: `${randomUUID()}@example.com` })
const isReady = async () => (await ask(served.url, null, 'GET', '/readyz')).status === 200

async function countOf(emails: string[]) {
  const [row] = await owner`select count(distinct leads.id)::int as leads, count(deliveries.id)::int as deliveries
    from leads left join deliveries on deliveries.account_id = leads.account_id and lead_id = leads.id
    where email = any(${emails})`
  return row
}

function isUnavailable({ status, body, headers }: Answer) {
  assert.deepEqual([status, body.error.code], [503, 'UNAVAILABLE'])
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait >= 5 && wait <= 10, String(wait))
}

test('500 deliveries wait while the database is away, those beyond are answered 503, and all 500 are saved', async () => {
  assert.equal((await webhook.send(lead())).status, 200)
  await wire.cut()
  await until(async () => !(await isReady()))
  const sent = Array.from({ length: 520 }, lead)
  let answered = 0
  // One URL or IP address alone may have 400 of the places.
  const answers = sent.map(async (body, index) => {
    const [to, ip] = index % 2 === 0 ? [webhook, '198.51.100.1'] : [other, '198.51.100.2']
    const answer = await to.send(body, { 'x-forwarded-for': ip })
    answered++
    return answer
  })
  await until(async () => answered === 20)
  await wire.open()
  const settled = await Promise.all(answers)
  const saved = sent.filter((_, index) => settled[index]!.status === 200).map(({ email }) => email)
  for (const answer of settled) if (answer.status !== 200) isUnavailable(answer)
  assert.equal(saved.length, 500)
  assert.deepEqual(await countOf(saved), { leads: 500, deliveries: 500 })
  const lost = sent.map(({ email }) => email).filter((email) => !saved.includes(email))
  assert.deepEqual(await countOf(lost), { leads: 0, deliveries: 0 })
})

test('a delivery whose sender disconnects while it waits is saved', async () => {
  await until(isReady)
  await wire.cut()
  await until(async () => !(await isReady()))
  const one = lead()
  const { hostname, port } = new URL(served.url)
  const body = JSON.stringify(one)
  const socket = connect(Number(port), hostname)
  socket.write(`POST ${webhook.path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  await sleep(500)
  socket.destroy()
  await sleep(200)
  await wire.open()
  await until(async () => (await countOf([one.email]))!.leads === 1)
  assert.deepEqual(await countOf([one.email]), { leads: 1, deliveries: 1 })
})

test('a delivery that waited 8 seconds is answered 503, and is not saved later', async () => {
  await until(isReady)
  wire.freeze()
  const one = lead()
  isUnavailable(await webhook.send(one))
  wire.forgetOld()
  await until(isReady)
  assert.equal((await webhook.send(lead())).status, 200)
  assert.deepEqual(await countOf([one.email]), { leads: 0, deliveries: 0 })
})
