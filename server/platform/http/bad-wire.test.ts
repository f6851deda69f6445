import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp } from '#test/app.ts'
import { ask, people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { speak } from '#test/wire.ts'

const app = await testApp()
after(app.close)
const { asha, acme } = await people(app)
const webhook = await webhookOf(app, acme)
const auth = `Host: x\r\nAuthorization: Bearer ${asha.key.secret}\r\n`
const json = 'Content-Type: application/json\r\n'
const lead = JSON.stringify({ name: 'Ravi', phone: '9810044321' })
const chunks = (count: number) => `${'10000\r\n'}${'a'.repeat(65_536)}\r\n`.repeat(count)
const leads = async () => (await app.owner`select from leads`).length

async function lives() {
  assert.equal((await ask(app.url, null, 'GET', '/healthz')).status, 200)
  assert.equal((await asha.send('GET', '/api/v1/leads')).status, 200)
}

for (const [what, bytes, status, code] of [
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'INVALID_PARAM'],
  ['a TLS greeting', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3]), 400, 'INVALID_PARAM'],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'INVALID_PARAM'],
  ['no Host', `GET /api/v1/leads HTTP/1.1\r\nAuthorization: Bearer ${asha.key.secret}\r\n\r\n`, 400, 'INVALID_PARAM'],
  ['two Hosts', `GET /healthz HTTP/1.1\r\n${auth}HOST: y\r\n\r\n`, 400, 'INVALID_PARAM'],
  ['the same Host twice', `GET /healthz HTTP/1.1\r\nHost: x\r\n${auth}\r\n`, 400, 'INVALID_PARAM'],
  ['a space in the path', `GET /api v1 HTTP/1.1\r\n${auth}\r\n`, 400, 'INVALID_PARAM'],
  ['NUL in a header', `GET /healthz HTTP/1.1\r\n${auth}X: a\0b\r\n\r\n`, 400, 'INVALID_PARAM'],
  ['a header without a colon', `GET /healthz HTTP/1.1\r\n${auth}nonsense\r\n\r\n`, 400, 'INVALID_PARAM'],
  [
    'a negative length',
    `POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Content-Length: -1\r\n\r\n{}`,
    400,
    'INVALID_PARAM',
  ],
  [
    'two lengths',
    `POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    400,
    'INVALID_PARAM',
  ],
  [
    'a length and chunks',
    `POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'INVALID_PARAM',
  ],
  [
    'a broken chunk',
    `POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    400,
    'INVALID_PARAM',
  ],
  [
    'a URL of 20,000 characters',
    `GET /api/v1/leads?source=${'a'.repeat(20_000)} HTTP/1.1\r\n${auth}\r\n`,
    431,
    'INVALID_PARAM',
  ],
  [
    'a header of 20,000 characters',
    `GET /api/v1/leads HTTP/1.1\r\n${auth}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'INVALID_PARAM',
  ],
  ['a method that is none', `BREW /api/v1/leads HTTP/1.1\r\n${auth}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['a method that is none, nowhere', `BREW /coffee HTTP/1.1\r\n${auth}\r\n`, 404, 'NOT_FOUND'],
  ['CONNECT', `CONNECT /api/v1/leads HTTP/1.1\r\n${auth}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  [
    'a body announced as too large',
    `POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Content-Length: 99999999\r\n\r\n{}`,
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  [
    '3 MiB in chunks',
    `POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\n${chunks(48)}0\r\n\r\n`,
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  [
    '4 MB in chunks to a webhook',
    `POST ${webhook.path} HTTP/1.1\r\nHost: x\r\n${json}Transfer-Encoding: chunked\r\n\r\n${chunks(64)}0\r\n\r\n`,
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  ['broken percent-encoding in a path', `DELETE /api/v1/leads/%zz HTTP/1.1\r\n${auth}\r\n`, 400, 'INVALID_PARAM'],
  [
    'broken percent-encoding in a webhook',
    `POST /webhook/%zz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`,
    400,
    'INVALID_PARAM',
  ],
  ['NUL for a webhook', `POST /webhook/%00 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`, 404, 'NOT_FOUND'],
  [
    'a webhook of 3,000 characters',
    `POST /webhook/${'a'.repeat(3000)} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`,
    404,
    'NOT_FOUND',
  ],
  ['a Host that is none', 'GET /docs/ HTTP/1.1\r\nHost: a b/c\r\n\r\n', 400, 'INVALID_PARAM'],
] as const) {
  test(`${what} is answered with ${status}, and the service goes on`, async () => {
    const { answers } = await speak(app.url, bytes, 300)
    assert.equal(answers.length, 1)
    const [{ status: answered, headers, body }] = answers as [(typeof answers)[0]]
    assert.deepEqual([answered, body.error.code], [status, code])
    assert.deepEqual(Object.keys(body), ['error'])
    assert.match(headers['x-request-id']!, /^[\da-f-]{36}$/)
    if (status === 405) assert.equal(headers.allow, 'GET, HEAD, POST')
    assert.equal(await leads(), 0)
    await lives()
  })
}

test('every method that is not offered is 405 with Allow, and 401 without a key', async () => {
  for (const [path, allowed] of [
    ['/api/v1/leads', ['GET', 'HEAD', 'POST']],
    ['/api/v1/call-logs', ['GET', 'HEAD', 'POST']],
    ['/api/v1/leads/7f0b1f8e-6b51-4c3e-9d0a-0a2b7f5c1d11', ['DELETE']],
    ['/api/v1/leads/', ['GET', 'HEAD', 'POST']],
    [webhook.path, ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/healthz', ['GET', 'HEAD']],
    ['/', ['GET', 'HEAD']],
  ] as const) {
    const others = METHODS.filter((method) => ![...allowed, 'CONNECT', 'HEAD'].includes(method))
    const requests = others.map((method) => `${method} ${path} HTTP/1.1\r\n${auth}Content-Length: 0\r\n\r\n`)
    const { answers } = await speak(
      app.url,
      `${requests.join('')}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      5000,
    )
    assert.equal(answers.length, others.length + 1)
    for (const [index, method] of others.entries()) {
      assert.equal(answers[index]!.status, 405, `${method} ${path}`)
      assert.equal(answers[index]!.headers.allow, allowed.join(', '))
      assert.equal(answers[index]!.body.error.code, 'METHOD_NOT_ALLOWED')
    }
  }
  assert.equal((await ask(app.url, null, 'PATCH', '/api/v1/leads')).status, 401)
})

test('unknown URLs are 404 in the same shape', async () => {
  for (const path of [
    '/api',
    '/api/v1',
    '/api/v2/leads',
    '/api/v1/lead',
    '/api/v1/leads/x/y',
    '//api/v1/leads',
    '/API/V1/LEADS',
    '/webhook',
    '/webhook/',
    '/auth/sign-up/email',
    '/.env',
    '/../etc/passwd',
    '/docs/../../x',
    '/favicon.ico',
    '/api/v1/leads;x=1',
  ]) {
    const { status, body, headers } = await asha.send('GET', path)
    assert.equal(status, 404, path)
    assert.equal(body.error.code, 'NOT_FOUND')
    assert.ok(headers.get('x-request-id'))
  }
})

test('a slash at the end of a URL does not matter', async () => {
  assert.equal((await asha.send('GET', '/api/v1/leads/')).status, 200)
  assert.equal((await ask(app.url, null, 'POST', `${webhook.path}/`, { name: 'Ravi' })).status, 400)
})

test('pipelined requests are answered in their order', async () => {
  const list = `GET /api/v1/leads HTTP/1.1\r\n${auth}\r\n`
  const bad = `POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Content-Length: 2\r\n\r\n{}`
  const { answers } = await speak(app.url, `${list}${bad}GET /nothing HTTP/1.1\r\n${auth}\r\n${list}`, 500)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 404, 200],
  )
  await lives()
})

test('a client that disconnects in the middle of its body is not logged as an error, and creates no lead', async () => {
  const before = app.lines.length
  for (const path of ['/api/v1/leads', '/api/v1/call-logs', webhook.path]) {
    for (const body of [lead.slice(0, 20), '']) {
      await speak(app.url, async (socket) => {
        socket.write(`POST ${path} HTTP/1.1\r\n${auth}${json}Content-Length: ${lead.length}\r\n\r\n${body}`)
        await sleep(30)
        socket.destroy()
      })
    }
  }
  await sleep(100)
  assert.equal(await leads(), 0)
  assert.deepEqual(
    app.lines.slice(before).filter((line) => JSON.parse(line).level >= 40),
    [],
  )
  await lives()
})

test('a request is completed although its client disconnects before the answer', async () => {
  const sent = Array.from({ length: 20 }, (_, n) => {
    const body = JSON.stringify({ name: 'Ravi', email: `gone${n}@example.com` })
    return speak(app.url, (socket) => {
      socket.write(`POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Content-Length: ${body.length}\r\n\r\n${body}`, () =>
        socket.destroy(),
      )
    })
  })
  await Promise.all(sent)
  // Until nothing is on its way any more.
  for (let before = -1, now = await leads(); now !== before; ) {
    await sleep(300)
    before = now
    now = await leads()
  }
  const { body } = await asha.send('GET', '/api/v1/leads?limit=500')
  assert.equal(body.pagination.total, body.data.length)
  assert.equal(await leads(), body.data.length)
  await app.owner`delete from leads`
  await lives()
})

test('clients that trickle their headers or their body are cut off with 408, and the others are served', async () => {
  // The times that the service gives, shortened; whatever checks them runs every two seconds.
  Object.assign(app.app.server, { headersTimeout: 400, requestTimeout: 800 })
  const trickle = (head: string, endless: string) =>
    speak(
      app.url,
      (socket) => {
        socket.write(head)
        const timer = setInterval(() => socket.write(endless), 50)
        socket.on('close', () => clearInterval(timer))
      },
      8000,
    )
  const slow = [
    trickle('GET /api/v1/leads HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'),
    trickle(`POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Content-Length: 1000\r\n\r\n`, 'a'),
    trickle(`POST ${webhook.path} HTTP/1.1\r\n${auth}${json}Content-Length: 1000\r\n\r\n`, 'a'),
    trickle(`POST /api/v1/leads HTTP/1.1\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
    trickle('POST /api/v1/leads HT', ''),
  ]
  await lives()
  for (const { answers, closed } of await Promise.all(slow)) {
    assert.ok(closed)
    assert.deepEqual([answers.length, answers[0]!.status, answers[0]!.body.error.code], [1, 408, 'INVALID_PARAM'])
  }
  assert.equal(await leads(), 0)
  await lives()
})

test('none of these requests caused an error in the log', () => {
  assert.deepEqual(
    app.lines.filter((line) => /"status":5|"level":[56]0/.test(line)),
    [],
  )
})
