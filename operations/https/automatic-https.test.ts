import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, mock, test } from 'node:test'
import { acmeCaFile, acmeServer } from '#test/acme-server.ts'
import { freePort, serve, testApp } from '#test/app.ts'
import { listenForHttp } from './http-listener.ts'
import { keepCertificate } from './keep-certificate.ts'

const domain = 'leads.example.in'
const minute = 60_000
const day = 24 * 60 * minute

/** The clock of the service and the authority. TLS looks at the real one, to which it is set for the renewal. */
let now = new Date(Date.now() - 8 * day)
const clock = () => now
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-https-'))
const [port, httpPort] = [await freePort(), await freePort()]
const acme = await acmeServer({ httpPort, clock, lifeMs: 9 * day })
const env = {
  DOMAIN: domain,
  BASE_URL: `https://${domain}`,
  HOST: '127.0.0.1',
  PORT: String(port),
  DATA_DIR: folder,
  ACME_HTTP_PORT: String(httpPort),
  ACME_DIRECTORY_URL: acme.directoryUrl,
  ACME_CA_FILE: acmeCaFile,
}

mock.timers.enable({ apis: ['setInterval'] })
const app = await testApp(env)
const settings = app.config.automaticHttps!
const challenges = new Map<string, string>()
const listener = await listenForHttp({
  host: '127.0.0.1',
  port: httpPort,
  baseUrl: app.config.baseUrl,
  challenges,
  answerHealth: app.app.routing,
})
let records = ['127.0.0.1']
/** The service after a restart. */
const restarted = () => keepCertificate(settings, { challenges, log: app.app.log, clock, resolve: async () => records })
let keeper = restarted()
after(async () => {
  await listener.close()
  await app.close()
  await acme.close()
  rmSync(folder, { recursive: true })
})

const lastLine = () => JSON.parse(app.lines.at(-1)!) as { msg: string; level: string | number }
const minutesTo = (time: Date) => Math.round((time.getTime() - now.getTime()) / minute)
const shown = () => readFileSync(settings.file, 'utf8')

/** Asks by HTTPS, as a client that trusts the authority. */
async function ask(path: string, at = port) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get({ host: '127.0.0.1', port: at, path, servername: domain, ca: acme.certificate, agent: false }, resolve).on(
    'error',
    reject,
  )
  const answer = await promise
  const { fingerprint256, subjectaltname } = (answer.socket as import('node:tls').TLSSocket).getPeerCertificate()
  return { status: answer.statusCode, fingerprint256, subjectaltname, body: await text(answer) }
}

async function askPlainly(path: string, { method = 'GET', body = '' } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  plainRequest({ host: '127.0.0.1', port: httpPort, path, method, agent: false }, resolve).on('error', reject).end(body)
  const answer = await promise
  return { status: answer.statusCode, location: answer.headers.location, body: await text(answer) }
}

/** Lets the app look at the file of the certificate. */
const letAppLook = () => {
  mock.timers.tick(10_000)
  mock.timers.tick(10_000)
}

test('before the first certificate, HTTP says whether the service is ready, and HTTPS answers nothing', async () => {
  assert.equal(app.config.tls?.cert, null)
  await assert.rejects(ask('/healthz'), /handshake/)
  assert.equal((await askPlainly('/readyz')).status, 200)
  assert.match((await askPlainly('/healthz?x')).body, /alive/)
})

for (const [method, path, location] of [
  ['GET', '/leads?search=a%20b', '/leads?search=a%20b'],
  ['POST', '/webhook/token-of-it', '/webhook/token-of-it'],
  ['PUT', 'http://evil.example/api/v1/leads?x=1', '/api/v1/leads?x=1'],
  ['GET', '//evil.example/', '//evil.example/'],
  ['GET', '/healthzz', '/healthzz'],
  ['OPTIONS', '*', '/'],
] as const) {
  test(`HTTP redirects ${method} ${path} with its method to HTTPS at the host of the service`, async () => {
    const answer = await askPlainly(path, { method, body: method === 'POST' ? 'x'.repeat(300_000) : '' })
    assert.deepEqual([answer.status, answer.location], [308, `https://${domain}${location}`])
    assert.match(
      answer.body,
      /^\{"error":\{"code":"HTTPS_REQUIRED","message":"Send requests to https:\/\/leads\.example\.in:/,
    )
  })
}

test('a challenge that was not asked for is not answered', async () => {
  assert.equal((await askPlainly('/.well-known/acme-challenge/x')).status, 404)
})

test('without a DNS record the authority is not asked, and the log says what to do once', async () => {
  records = []
  assert.equal(minutesTo(await keeper.look()), 1)
  assert.match(
    lastLine().msg,
    /^HTTPS waits for the certificate of leads\.example\.in\. leads\.example\.in has no DNS record: create one/,
  )
  const { length } = app.lines
  await keeper.look()
  assert.equal(app.lines.length, length)
  assert.deepEqual(acme.counts, { accounts: 0, orders: 0, badNonces: 0 })
  records = ['127.0.0.1']
})

test('failures are explained, the pauses grow, and a restart asks at once, but not more often than the authority allows', async () => {
  acme.behavior.hasDns = false
  assert.equal(minutesTo(await keeper.look()), 5)
  assert.match(
    lastLine().msg,
    /127\.0\.0\.1:\d+ says: DNS problem: NXDOMAIN looking up A for leads\.example\.in\. Create a DNS record .* It is asked again at .*, or when the service is restarted/,
  )
  pass(4 * minute)
  assert.equal(minutesTo(await keeper.look()), 1)
  pass(minute)
  assert.equal(minutesTo(await keeper.look()), 10)
  // The fourth attempt within an hour: the fifth has to wait until the first is an hour ago, also after a restart.
  for (const waits of [20, 53, 52]) {
    pass(minute)
    keeper = restarted()
    assert.equal(minutesTo(await keeper.look()), waits)
  }
  assert.deepEqual([acme.counts.orders, acme.counts.accounts], [4, 1])
  acme.behavior.hasDns = true
})

test('a rate limit of the authority holds also after a restart', async () => {
  pass(2 * 60 * minute)
  acme.behavior.problem = {
    type: 'rateLimited',
    detail: 'too many new orders recently',
    status: 429,
    retryAfter: '90000',
  }
  const { orders } = acme.counts
  const real = Date.now()
  const until = await keeper.look()
  assert.ok(until.getTime() >= real + 89_000_000, String(until))
  assert.match(lastLine().msg, /too many new orders recently\. Wait/)
  acme.behavior.problem = null
  keeper = restarted()
  assert.deepEqual(await keeper.look(), until)
  assert.equal(acme.counts.orders, orders + 1)
  assert.match(lastLine().msg, /is asked again at/)
  writeFileSync(settings.file.replace(/pem$/, 'json'), 'damaged')
})

test('the certificate is obtained by one of two processes, kept for this user only, and used without a restart', async () => {
  const { orders } = acme.counts
  const other = restarted()
  await Promise.all([keeper.look(), other.look()])
  await Promise.all([keeper.look(), other.look()])
  assert.equal(acme.counts.orders, orders + 1)
  const modes = [settings.folder, dirname(settings.folder), settings.file, join(settings.folder, 'account.pem')]
  assert.deepEqual(
    modes.map((path) => (statSync(path).mode & 0o777).toString(8)),
    ['700', '700', '600', '600'],
  )
  assert.equal(challenges.size, 0)
  letAppLook()
  const answer = await ask('/healthz')
  assert.deepEqual([answer.status, answer.subjectaltname], [200, `DNS:${domain}`])
})

test('after a restart the stored certificate is used, and no other is ordered', async () => {
  const { orders, accounts } = acme.counts
  keeper = restarted()
  const due = await keeper.look()
  assert.ok(minutesTo(due) > 5 * 24 * 60 && minutesTo(due) <= 6 * 24 * 60, String(minutesTo(due)))
  assert.deepEqual([acme.counts.orders, acme.counts.accounts], [orders, accounts])
  const secondPort = await freePort()
  const second = await serve(app.database, { ...env, PORT: String(secondPort) })
  assert.equal((await ask('/healthz', secondPort)).fingerprint256, (await ask('/healthz')).fingerprint256)
  await second.close()
})

test('a certificate that cannot be renewed stays in use, and is renewed when it can be', async () => {
  now = new Date()
  const before = await ask('/healthz')
  acme.behavior.problem = { type: 'caa', detail: 'CAA record prevents issuance', status: 403 }
  assert.equal(minutesTo(await keeper.look()), 5)
  assert.match(
    lastLine().msg,
    /^The certificate of leads\.example\.in is valid until .* and has to be renewed\. .*CAA records/,
  )
  letAppLook()
  assert.equal((await ask('/healthz')).fingerprint256, before.fingerprint256)
  acme.behavior.problem = null
  keeper = restarted()
  const due = await keeper.look()
  assert.ok(minutesTo(due) > 5 * 24 * 60)
  letAppLook()
  assert.notEqual((await ask('/healthz')).fingerprint256, before.fingerprint256)
  assert.match(lastLine().msg, /has a certificate of 127\.0\.0\.1:\d+, valid until|was renewed/)
})

test('a damaged certificate, or one for another host name, is obtained again', async () => {
  const { orders } = acme.counts
  const whole = shown()
  writeFileSync(settings.file, whole.slice(0, 400))
  pass(7 * 60 * minute)
  await keeper.look()
  assert.equal(acme.counts.orders, orders + 1)
  const renamed = { ...settings, domain: 'calls.example.in', file: join(settings.folder, 'calls.example.in.pem') }
  writeFileSync(renamed.file, shown())
  await keepCertificate(renamed, { challenges, log: app.app.log, clock, resolve: async () => ['127.0.0.1'] }).look()
  assert.equal(acme.counts.orders, orders + 2)
  assert.match(readFileSync(renamed.file, 'utf8'), /BEGIN PRIVATE KEY/)
})

test('an authority that cannot be reached, or keeps the service waiting, is a line of the log', async () => {
  const away = {
    ...settings,
    directoryUrl: `https://127.0.0.1:${await freePort()}/directory`,
    folder: join(folder, 'https/away'),
  }
  const elsewhere = { ...away, file: join(away.folder, `${domain}.pem`) }
  const one = keepCertificate(elsewhere, { challenges, log: app.app.log, clock, resolve: async () => ['127.0.0.1'] })
  assert.equal(minutesTo(await one.look()), 5)
  assert.match(lastLine().msg, /cannot be asked \(ECONNREFUSED\)/)
  const untrusted = { ...elsewhere, directoryUrl: acme.directoryUrl, ca: null }
  await keepCertificate(untrusted, { challenges, log: app.app.log, clock, resolve: async () => ['127.0.0.1'] }).look()
  assert.match(lastLine().msg, /Set ACME_CA_FILE/)
})

test('a keeper that stops ends what it waits for', async () => {
  keeper.start()
  await keeper.stop()
})

test('no line of the log has a key', () => {
  const said = app.lines.join('')
  assert.doesNotMatch(said, /PRIVATE KEY|"payload"|"signature"/)
  const secret = shown().split('\n')[1]!
  assert.ok(secret.length > 40)
  assert.ok(!said.includes(secret))
  assert.ok(app.lines.length > 10)
})
