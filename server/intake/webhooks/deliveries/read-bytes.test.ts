import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { acme } = await people(app)
const webhook = await webhookOf(app, acme)
const post = async (body: Buffer, encoding?: string, path = webhook.path) => {
  const headers = encoding ? { 'content-encoding': encoding } : {}
  const answer = await fetch(app.url + path, { method: 'POST', body: new Uint8Array(body), headers })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}
let numbers = 9_810_090_000
const lead = (filler = '') => Buffer.from(JSON.stringify({ name: 'Uma', phone: String(numbers++), filler }))

for (const [encoding, pack] of [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
] as const) {
  test(`a body in ${encoding} by ${pack === deflateRawSync ? 'a bare stream' : 'the standard'} makes a lead and is stored decompressed`, async () => {
    const sent = lead()
    const { status, body } = await post(pack(sent), encoding)
    assert.deepEqual([status, body.data?.status], [200, 'created'])
    const [delivery] = await app.owner`select body from deliveries where lead_id = ${body.data.id}`
    assert.deepEqual(delivery!.body, sent)
  })
}

test('a body of almost 3 MiB makes a lead, uncompressed and compressed', async () => {
  assert.equal((await post(lead('x'.repeat(3_000_000)))).body.data?.status, 'created')
  assert.equal((await post(gzipSync(lead('x'.repeat(3_000_000))), 'gzip')).body.data?.status, 'created')
})

test('a zip bomb is 413, an unsupported encoding 415, and invalid data 400; each is recorded', async () => {
  const before = Number((await app.owner`select count(*) from leads`)[0]!.count)
  assert.equal((await post(gzipSync(Buffer.alloc(100_000_000)), 'gzip')).status, 413)
  const other = await post(lead(), 'compress')
  assert.deepEqual([other.status, other.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.equal((await post(lead(), 'constructor')).status, 415)
  assert.equal((await post(lead(), 'gzip')).status, 400)
  assert.equal((await post(gzipSync(lead()), 'gzip', '/webhook/unknown')).status, 404)
  assert.equal(Number((await app.owner`select count(*) from leads`)[0]!.count), before)
  const stored =
    await app.owner`select outcome from deliveries where webhook_id = ${webhook.id} and outcome = 'rejected'`
  assert.equal(stored.length, 4)
})
