import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { readBytes } from './read-bytes.ts'

/** How many bodies of this size fit into 64 MiB, and into the 32 MiB of an account. */
const [size, max, ofAccount] = [3 * 1024 * 1024, 21, 10]

for (const [encoding, pack] of [
  [undefined, (bytes: Buffer) => bytes],
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const) {
  test(`64 MiB of decompressed bodies are processed at once: ${encoding ?? 'uncompressed'}`, async () => {
    const packed = pack(Buffer.alloc(size, 'x'))
    const headers = encoding ? { 'content-encoding': encoding } : {}
    const frees: (() => void)[] = []
    const read = (holder = String(frees.length % 3)) => {
      const payload = Object.assign(Readable.from([packed]), { headers }) as unknown as IncomingMessage
      return readBytes(payload, holder, (free) => frees.push(free))
    }
    for (let body = 0; body < max; body++) assert.equal((await read()).bytes.length, size)
    await assert.rejects(read(), { status: 503 })
    // Only the memory of the rejected body is free again.
    frees.pop()!()
    await assert.rejects(read(), { status: 503 })
    frees.pop()!()
    frees.pop()!()
    assert.equal((await read()).problem, null)
    for (const free of frees) free()
  })
}

test('while 32 MiB of bodies arrive for an account, another is answered 503 and not stored, those of other accounts are accepted', async () => {
  const app = await testApp()
  after(app.close)
  const { acme, asha, other } = await people(app)
  const admin = await signedIn(app, asha)
  const webhook = await webhookOf(app, acme)
  const ofOther = await webhookOf(app, other)
  const { port } = new URL(app.url)
  const sockets = new Set<Socket>()
  const holdBody = () => {
    const socket = connect(Number(port), '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    // On a busy machine the first lead below may take the room of a body, which then tries again.
    socket.on('data', () => {
      socket.destroy()
      if (sockets.delete(socket)) holdBody()
    })
    socket.write(`POST ${webhook.path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${size}\r\n\r\n`)
    socket.write('x'.repeat(size - 1))
  }
  for (let body = 0; body < ofAccount; body++) holdBody()
  const lead = { name: 'Uma', phone: '9810091001', filler: 'x'.repeat(2 * 1024 * 1024) }
  const sendUntil = async (status: number) => {
    for (let time = 0; time < 200; time++) {
      const answer = await webhook.send({ ...lead, time })
      if (answer.status === status) return answer
      await setTimeout(50)
    }
    throw new Error(`never answered ${status}`)
  }
  const { headers } = await sendUntil(503)
  assert.ok(Number(headers.get('retry-after')) >= 5)
  const stored = async () => (await app.owner`select count(*)::int as n from deliveries`)[0]!.n
  const before = await stored()
  assert.equal((await webhook.send(lead)).status, 503)
  assert.equal(await stored(), before)
  assert.equal((await ofOther.send(lead)).status, 200)
  const lost = async () => (await admin.send('GET', `/web/webhooks/${webhook.id}`)).body.data.storage.lost
  await until(async () => (await lost()) >= 2, 'the count of what was not stored')
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await sendUntil(200)
})
