import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get, request } from 'node:https'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { ask, people, sessionCookie, signedIn } from '#test/people.ts'
import { setPassword } from './access/sign-in/credentials.ts'

const app = await testApp()
const file = (name: string) => join(import.meta.dirname, '../test/tls', name)
const ca = readFileSync(file('certificate.pem'))
const encrypted = await serve(app.database, { TLS_CERT_FILE: file('certificate.pem'), TLS_KEY_FILE: file('key.pem') })
const proxied = await serve(app.database, {
  BASE_URL: 'https://leads.example.com',
  TRUST_PROXY: '127.0.0.1,10.0.0.0/8',
})
const behindProxy = `http://127.0.0.1:${proxied.config.port}`
after(async () => {
  for (const one of [encrypted, proxied, app]) await one.close()
})
const { directory, owner, url } = app
const { asha, meena, chand } = await people(app)
const password = 'a long enough password'
await setPassword(directory, asha.id, password)

const safe = /^__Secure-lead-engine\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/i

test('the session cookie is sent only over HTTPS, of the service or of a proxy', async () => {
  const byProxy = await signInAt(behindProxy, { origin: 'https://leads.example.com' })
  const cookies = [byProxy.headers.getSetCookie(), await setCookieOverTls()]
  for (const lines of cookies) {
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, safe)
  }
  // A cookie without the prefix is not a session.
  const [cookie] = byProxy.headers.getSetCookie()[0]!.split(';')
  const me = (sent: string) => ask(behindProxy, null, 'GET', '/web/me', undefined, { cookie: sent })
  assert.equal((await me(cookie!)).status, 200)
  assert.equal((await me(cookie!.replace('__Secure-', ''))).status, 401)
})

test('browsers must stay on HTTPS if the service uses it, and only then', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  get(`${encrypted.url}/sign-in`, { ca }, resolve).on('error', reject)
  const overTls = await promise
  overTls.resume()
  const byProxy = (await fetch(`${behindProxy}/sign-in`)).headers
  const plain = (await fetch(`${url}/sign-in`)).headers
  assert.match(String(overTls.headers['strict-transport-security']), /max-age=31536000/)
  assert.match(byProxy.get('strict-transport-security')!, /max-age=31536000/)
  assert.match(byProxy.get('content-security-policy')!, /upgrade-insecure-requests/)
  assert.equal(plain.get('strict-transport-security'), null)
  assert.doesNotMatch(plain.get('content-security-policy')!, /upgrade-insecure-requests/)
})

test('behind a proxy, attempts to sign in are counted by the IP address that it names, not by one that a client invents', async () => {
  const from = (forwarded: string) =>
    signInAt(behindProxy, { 'x-forwarded-for': forwarded, origin: 'https://leads.example.com' }, 'a wrong password')
  const answers = []
  for (let n = 0; n < 12; n++) answers.push((await from(`198.51.100.${n}, 203.0.113.7`)).status)
  assert.deepEqual(answers, [...Array(10).fill(401), 429, 429])
  for (const forged of ['203.0.113.7', '127.0.0.1, 203.0.113.7', '198.51.100.99, 203.0.113.7, 10.1.2.3']) {
    const slowed = await from(forged)
    assert.equal(slowed.status, 429, forged)
    assert.match(slowed.headers.get('retry-after')!, /^[1-9]\d?$/)
  }
  assert.equal((await from('203.0.113.8')).status, 401)
  const unheard = await signInAt(behindProxy, {
    'x-lead-engine-address': '203.0.113.9',
    'x-forwarded-for': '203.0.113.7',
    origin: 'https://leads.example.com',
  })
  assert.equal(unheard.status, 429)
})

test('signing in makes a new session and never uses one that a stranger chose', async () => {
  const strangers = await sessionCookie(app, chand)
  const first = await signInAt(url, { cookie: strangers })
  const second = await signInAt(url, { cookie: first.headers.getSetCookie()[0]!.split(';')[0]! })
  const [one, other] = [first, second].map((answer) => answer.headers.getSetCookie()[0]!.split(';')[0]!)
  assert.equal(new Set([strangers, one, other]).size, 3)
  const who = async (cookie: string) => (await ask(url, null, 'GET', '/web/me', undefined, { cookie })).body.data.id
  assert.deepEqual([await who(strangers), await who(one!), await who(other!)], [chand.id, asha.id, asha.id])
})

test('no page sends its URL as referrer, so the token of a link stays private', async () => {
  const before = app.lines.length
  for (const path of ['/join/le-secret-token', '/sign-in?next=/leads', '/']) {
    const page = await fetch(url + path, { headers: { accept: 'text/html' } })
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer', path)
    assert.equal(page.headers.get('cache-control'), 'no-store', path)
    await page.text()
  }
  const logged = app.lines.slice(before)
  assert.ok(logged.some((line) => line.includes('/join/:token')))
  assert.ok(logged.every((line) => !line.includes('le-secret-token')))
})

test('a page cannot be framed, cannot send forms to other sites, and runs only its own scripts', async () => {
  const { headers } = await fetch(`${url}/sign-in`)
  const policy = headers.get('content-security-policy')!
  for (const rule of ["default-src 'self'", "script-src 'self'", "script-src-attr 'none'", "object-src 'none'"])
    assert.ok(policy.split(';').includes(rule), `${rule} in ${policy}`)
  for (const rule of ["base-uri 'self'", "form-action 'self'", "frame-ancestors 'self'"])
    assert.ok(policy.includes(rule))
  assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  // The API reference has styles of its library. Its scripts need the nonce, too.
  const docs = (await fetch(`${url}/docs/`)).headers.get('content-security-policy')!
  assert.match(docs, /script-src 'nonce-[\w-]{22}';/)
})

test('an export is a download, not a page', async () => {
  const browser = await signedIn(app, meena)
  const name = '<script>alert(1)</script>'
  assert.equal((await browser.send('POST', '/web/leads', { name, phone: '98500 00001' })).status, 201)
  const { headers, body } = await browser.send('GET', '/web/leads.csv')
  assert.ok(body.includes(name))
  assert.match(headers.get('content-disposition')!, /^attachment; filename="[\w.-]+"$/)
  assert.match(headers.get('content-type')!, /^text\/csv; charset=utf-8$/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('a request without a session is accepted only from a page of this site, in JSON, and never cached', async () => {
  const before = await owner`select * from password_links`
  const routes = [
    ['/web-public/link', { token: 'unknown' }],
    ['/web-public/join', { token: 'unknown', password }],
    ['/web-public/forgotten', { email: asha.email }],
  ] as const
  for (const [path, body] of routes) {
    for (const origin of ['https://evil.example', 'null', '']) {
      const answer = await ask(url, null, 'POST', path, body, { origin })
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'PERMISSION_DENIED'], path)
    }
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal((await ask(url, null, 'POST', path, 'a=b', { origin: url, 'content-type': type })).status, 415, path)
    const text = await ask(url, null, 'POST', path, JSON.stringify(body), { origin: url, 'content-type': 'text/plain' })
    assert.ok([400, 415].includes(text.status), path)
    assert.equal(text.headers.get('cache-control'), 'no-store')
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const form = await ask(
      url,
      null,
      'POST',
      '/auth/sign-in/email',
      new URLSearchParams({ email: asha.email, password }).toString(),
      {
        origin: url,
        'content-type': type,
      },
    )
    assert.equal(form.status, 415, type)
    assert.deepEqual(form.headers.getSetCookie(), [])
  }
  assert.deepEqual(await owner`select * from password_links`, before)
})

function signInAt(place: string, headers: Record<string, string> = {}, given = password) {
  return ask(
    place,
    null,
    'POST',
    '/auth/sign-in/email',
    { email: asha.email, password: given },
    { origin: place, ...headers },
  )
}

async function setCookieOverTls(): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  const headers = { origin: encrypted.url, 'content-type': 'application/json' }
  request(`${encrypted.url}/auth/sign-in/email`, { method: 'POST', ca, headers }, resolve)
    .on('error', reject)
    .end(JSON.stringify({ email: asha.email, password }))
  const answer = await promise
  answer.resume()
  return answer.headers['set-cookie'] ?? []
}

test('a page that was opened under another URL than BASE_URL is rejected with the reason and what to set', async (t) => {
  const open = await serve(app.database, { HOST: '0.0.0.0' })
  t.after(open.close)
  const opened = `http://127.0.0.1:${open.config.port}`
  const message = `Lead Engine was opened at ${opened}, and BASE_URL is http://0.0.0.0:${open.config.port}. Set BASE_URL to ${opened} and restart the service, or open it at BASE_URL.`
  for (const path of ['/auth/sign-in/email', '/web/leads', '/web-public/forgotten']) {
    const own = await ask(opened, null, 'POST', path, {}, { origin: opened })
    assert.deepEqual([path, own.status, own.body.error], [path, 403, { code: 'PERMISSION_DENIED', message }])
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${open.config.port + 1}`]) {
      const foreign = await ask(opened, null, 'POST', path, {}, { origin })
      const text = 'This request came from a page of another site.'
      assert.deepEqual([foreign.status, foreign.body.error.message], [403, text])
    }
  }
})
