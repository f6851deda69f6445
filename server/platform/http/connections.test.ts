import assert from 'node:assert/strict'
import dns from 'node:dns'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve, testApp } from '#test/app.ts'
import { ask, people, sessionCookie } from '#test/people.ts'

const app = await testApp()
after(app.close)
const { asha, acme } = await people(app)
const { server } = app.app
const open: Socket[] = []
after(() => {
  for (const socket of open) socket.destroy()
})

/** A client that sends this, reads nothing and never closes its side. */
async function stubborn(sent: string) {
  const socket = connect({ port: app.config.port, host: '127.0.0.1', allowHalfOpen: true })
  open.push(socket)
  socket.on('error', () => {}).pause()
  await new Promise((resolve) => socket.once('connect', resolve))
  if (sent) socket.write(sent)
  return socket
}

const held = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

async function released() {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(100))
    if ((await held()) === 0) return true
  return false
}

test('silent and half-open clients hold no connection after they were answered', async () => {
  const { headersTimeout, requestTimeout } = server
  Object.assign(server, { headersTimeout: 300, requestTimeout: 600, keepAliveTimeout: 500 })
  const head = 'Host: x\r\nContent-Type: application/json\r\n'
  for (const sent of [
    '',
    'GET /healthz HT',
    'GET /healthz HTTP/1.1\r\nHost: x\r\n',
    `POST /api/v1/leads HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{`,
    'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'not HTTP\r\n\r\n',
  ]) {
    for (let n = 0; n < 5; n++) await stubborn(sent)
  }
  assert.ok((await held()) > 0)
  assert.ok(await released(), `${await held()} connections are held`)
  Object.assign(server, { headersTimeout, requestTimeout })
})

test('a client that asks for much and reads nothing is disconnected, an export included', async () => {
  const cookie = await sessionCookie(app, asha)
  await app.owner`insert into leads (id, account_id, name, email, email_key, source, status, priority, tags, notes, created_at, updated_at)
    select gen_random_uuid(), ${acme.account_id}, 'Ravi ' || n, n || '@example.com', n || '@example.com', 'Manual', 'New', 'Medium', '{}', repeat('x', 15000), now(), now()
    from generate_series(1, 1500) n`
  const { timeout } = server
  server.timeout = 500
  for (const path of ['/docs/js/scalar.js', '/web/leads.csv']) {
    for (let n = 0; n < 5; n++) await stubborn(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`)
    assert.ok((await held()) > 0)
    assert.ok(await released(), `${path}: ${await held()} connections are held`)
  }
  server.timeout = timeout
  assert.equal((await asha.send('GET', '/api/v1/leads?limit=1')).status, 200)
})

test('localhost has one listener, with the limits', async (t) => {
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  // This machine may know only one of them.
  t.mock.method(dns, 'lookup', (host: string, _options: object, done: (error: null, found: typeof both) => void) =>
    done(
      null,
      both.filter(({ address }) => ['localhost', address].includes(host)),
    ),
  )
  const service = await serve(app.database, { HOST: 'localhost' })
  t.after(service.close)
  assert.deepEqual(service.app.addresses(), [service.app.server.address()])
})

test('an answer that takes long to make is waited for', async () => {
  const { timeout } = server
  server.timeout = 100
  let asked: ReturnType<typeof asha.send> | undefined
  await app.owner.begin(async (tx) => {
    await tx`lock table leads in access exclusive mode`
    asked = asha.send('GET', '/api/v1/leads?limit=1')
    await sleep(600)
  })
  assert.equal((await asked)?.status, 200)
  server.timeout = timeout
})

test('one network does not take all connections', async () => {
  assert.ok(server.maxConnections >= 1000)
  for (let n = 0; n < 1010; n++) await stubborn('')
  await sleep(200)
  assert.equal(await held(), 1000)
  for (const socket of open) socket.destroy()
  assert.ok(await released())
  assert.equal((await ask(app.url, null, 'GET', '/healthz')).status, 200)
})
