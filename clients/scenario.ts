import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { serve, testApp } from '../test/app.ts'
import { addPlayer, people } from '../test/people.ts'
import { webhookOf } from '../test/webhooks.ts'
import type { Connect } from './client.ts'

/** The real service, one with a low rate limit on the same database, and keys. */
export async function openServices() {
  const app = await testApp()
  const { asha, acme } = await people(app)
  const reader = await addPlayer(app.database, app.url, acme, 'Reader', 'Admin', null, ['read'])
  const webhook = await webhookOf(app, acme)
  const limited = await serve(app.database, { RATE_LIMIT_PER_MINUTE: '1' })
  return {
    url: app.url,
    key: asha.key.secret,
    readerKey: reader.key.secret,
    token: webhook.token,
    limitedUrl: limited.url,
    close: async () => {
      await limited.close()
      await app.close()
    },
  }
}

type Services = Awaited<ReturnType<typeof openServices>>

/** Each operation, as a client uses it. */
export async function worksWith(connect: Connect, { url, key, token }: Services) {
  const client = connect(url, key)
  // Patterns for bytes would reject it.
  const name = `सुनील शर्मा ${randomUUID().slice(0, 8)}`
  const phone = () => `98${String(randomInt(100_000_000)).padStart(8, '0')}`
  const [first, ...others] = [phone(), phone(), phone()]

  const created = await client.createLead({ name, phone: first, tags: ['3 BHK'] })
  assert.equal(created.status, 201)
  const { id } = created.body.data
  const merged = await client.createLead({ name, phone: `+91 ${first}`, status: 'Contacted', tags: ['hot'] })
  assert.deepEqual([merged.status, merged.body.data.id, merged.body.data.status], [200, id, 'Contacted'])
  assert.deepEqual(merged.body.data.tags, ['3 BHK', 'hot'])
  for (const other of others) assert.equal((await client.createLead({ name, phone: other })).status, 201)

  const again = { name, email: `${randomUUID()}@example.com` }
  const idempotencyKey = randomUUID()
  const once = await client.createLead(again, idempotencyKey)
  assert.deepEqual((await client.createLead(again, idempotencyKey)).body, once.body)

  const ids: string[] = []
  for (let offset = 0, more = true; more; offset += 2) {
    const { status, body } = await client.listLeads({ limit: 2, offset })
    assert.equal(status, 200)
    ids.push(...body.data.map((lead: { id: string }) => lead.id))
    more = body.pagination.has_more
    if (!more) assert.equal(body.pagination.total, ids.length)
  }
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.includes(id))
  const contacted = await client.listLeads({ status: 'Contacted' })
  assert.ok(contacted.body.data.every(({ status }: { status: string }) => status === 'Contacted'))

  const call = await client.createCall({ lead_id: id, call_type: 'Outbound', duration_seconds: 95 })
  assert.deepEqual([call.status, call.body.data.outcome], [201, 'Completed'])
  const calls = await client.listCalls({ lead_id: id })
  assert.deepEqual(calls.body.data, [call.body.data])
  assert.equal((await client.deleteCall(call.body.data.id)).status, 200)

  const delivery = await client.sendDelivery(token, { name, phone: phone(), city: 'Pune' })
  assert.deepEqual([delivery.status, delivery.body.data.status], [200, 'created'])

  for (const one of [...ids, delivery.body.data.id]) {
    assert.deepEqual(await client.deleteLead(one), { status: 200, body: { data: { id: one, deleted: true } } })
  }
  assert.equal((await client.listLeads({})).body.pagination.total, 0)
}

/** What the description forbids, so that a client may not send it, or not to the end: its status is 0. */
const forbidden = ['a page too large', 'an id that is none', 'a large body']

/** Each rejection that a typed client can cause. */
export async function isRejected(connect: Connect, { url, key, readerKey, limitedUrl }: Services) {
  const client = connect(url, key)
  const unknown = randomUUID()
  const large = { name: 'Ravi', phone: '9810044321', notes: 'x'.repeat(2 ** 20) }
  const limited = connect(limitedUrl, key)
  await limited.listLeads({})
  for (const [what, answer, status, code, field] of [
    ['no contact', await client.createLead({ name: 'Ravi' }), 400, 'INVALID_PARAM', 'phone'],
    ['a page too large', await client.listLeads({ limit: 501 }), 400, 'INVALID_PARAM', 'limit'],
    ['an id that is none', await client.deleteCall('1'), 400, 'INVALID_PARAM', 'id'],
    ['a wrong key', await connect(url, 'le_live_x').listLeads({}), 401, 'UNAUTHORIZED', undefined],
    [
      'a key that may only read',
      await connect(url, readerKey).deleteLead(unknown),
      403,
      'PERMISSION_DENIED',
      undefined,
    ],
    ['an unknown lead', await client.deleteLead(unknown), 404, 'NOT_FOUND', undefined],
    [
      'a call with an unknown lead',
      await client.createCall({ lead_id: unknown, call_type: 'Inbound', duration_seconds: 0 }),
      404,
      'NOT_FOUND',
      'lead_id',
    ],
    ['a large body', await client.createLead(large), 413, 'PAYLOAD_TOO_LARGE', undefined],
    ['too many requests', await limited.listLeads({}), 429, 'RATE_LIMITED', undefined],
    ['an unknown webhook', await client.sendDelivery('unknown', { name: 'Ravi' }), 404, 'NOT_FOUND', undefined],
  ] as const) {
    if (answer.status === 0) assert.ok(forbidden.includes(what), `${what}: ${answer.body}`)
    else assert.deepEqual([answer.status, answer.body.error.code, answer.body.error.field], [status, code, field], what)
  }
}
