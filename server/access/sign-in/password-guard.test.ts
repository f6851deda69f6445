import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { addPlayer, people, sessionCookie } from '#test/people.ts'
import { visitor } from '#test/visitor.ts'
import { isUserEmail } from '../account/user-email.ts'
import { setPassword } from './credentials.ts'

const app = await testApp({ TRUST_PROXY: '127.0.0.1' })
after(app.close)
const { owner, url, directory } = app
const { acme, asha, meena, bela, chand } = await people(app)
const password = 'a long enough password'
for (const { id } of [meena, bela, chand]) await setPassword(directory, id, password)
const cookie = await sessionCookie(app, asha)

async function signIn(email: string, given: string, remoteAddress: string) {
  const { statusCode, body } = await app.app.inject({
    method: 'POST',
    url: '/auth/sign-in/email',
    remoteAddress: '127.0.0.1',
    headers: { 'content-type': 'application/json', origin: url, 'x-forwarded-for': remoteAddress },
    payload: JSON.stringify({ email, password: given }),
  })
  return [statusCode, body] as const
}

test('guesses from many IPs are limited for known and unknown emails, and the right password is accepted', async () => {
  const known = '198.51.100.1'
  assert.equal((await signIn(bela.email, password, known))[0], 200)
  const guess = async (email: string, network: string) => {
    const first = await Promise.all(
      Array.from({ length: 60 }, (_, n) => signIn(email, `guess ${n}`, `${network}.${n}.1`)),
    )
    assert.ok(
      first.every(([status]) => status === 401),
      email,
    )
    // Each IP has five attempts from here on, not ten a minute.
    const more = await Promise.all(Array.from({ length: 9 }, (_, n) => signIn(email, `guess ${n}`, `${network}.200.1`)))
    const statuses = more.map(([status]) => status).sort()
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429, 429], email)
    assert.match(more.find(([status]) => status === 429)![1], /Too many attempts for this email/)
  }
  await Promise.all([guess(bela.email, '203.0'), guess('nobody@example.com', '192.0')])
  assert.equal((await signIn(bela.email, password, '203.0.250.1'))[0], 200, 'from a new address')
  for (let n = 0; n < 6; n++)
    assert.equal((await signIn(bela.email, `typo ${n}`, known))[0], 401, 'where she is signed in')
  assert.equal((await signIn(bela.email, password, known))[0], 200)
})

test('no input under /auth causes a 5xx', async () => {
  const before = await owner`select token, expires_at from sessions order by token`
  const texts = ['\0', 'a\0b', '\ud800', 'x\udfff', { a: '\0' }, ['\0'], 7, null, true, {}, []]
  const fields: [string, string[]][] = [
    ['POST /auth/sign-in/email', ['email', 'password', 'callbackURL', 'rememberMe']],
    ['POST /auth/sign-out', ['token']],
    ['POST /auth/change-password', ['currentPassword', 'newPassword', 'revokeOtherSessions']],
    ['POST /auth/revoke-session', ['token']],
    ['POST /auth/revoke-other-sessions', ['token']],
    ['POST /auth/two-factor/enable', ['password', 'issuer', 'method']],
    ['POST /auth/two-factor/disable', ['password']],
    ['POST /auth/two-factor/generate-backup-codes', ['password']],
    ['POST /auth/two-factor/verify-totp', ['code', 'trustDevice']],
    ['POST /auth/two-factor/verify-backup-code', ['code', 'trustDevice', 'disableSession']],
  ]
  const valid = {
    email: meena.email,
    password,
    currentPassword: password,
    newPassword: 'another good one',
    code: '123456',
  }
  let address = 0
  const failed: string[] = []
  for (const [route, names] of fields) {
    const [, path] = route.split(' ') as ['POST', string]
    for (const name of names) {
      for (const text of texts) {
        // Signing out and ending sessions would end the one that asks.
        const signedIn = !/sign-out|revoke-other/.test(path)
        const { statusCode } = await app.app.inject({
          method: 'POST',
          url: path,
          headers: {
            ...(signedIn ? { cookie } : {}),
            'content-type': 'application/json',
            origin: url,
            'x-forwarded-for': `10.9.${address >> 8}.${address++ & 255}`,
          },
          payload: JSON.stringify({ ...valid, password: 'wrong password', [name]: text }),
        })
        if (statusCode >= 500) failed.push(`${path} ${name} ${JSON.stringify(text)} ${statusCode}`)
        if (typeof text === 'string') assert.equal(statusCode, 400, `${path} ${name}`)
      }
    }
  }
  for (const query of ['?a=%00', '?disableCookieCache=%00', '?a=%ED%A0%80', '?%00=1', '?a=%', '?a=%FF']) {
    for (const path of ['/auth/get-session', '/auth/list-sessions']) {
      const { statusCode } = await app.app.inject({ url: path + query, headers: { cookie } })
      if (statusCode >= 500) failed.push(`${path}${query} ${statusCode}`)
    }
  }
  for (const value of ['%00.%00', 'a%00b.c', '%ED%A0%80', '.', 'a.b.c']) {
    for (const name of ['session_token', 'two_factor', 'session_data', 'dont_remember']) {
      const headers = { cookie: `lead-engine.${name}=${value}`, origin: url, 'content-type': 'application/json' }
      const got = await app.app.inject({ url: '/auth/get-session', headers })
      const sent = await app.app.inject({
        method: 'POST',
        url: '/auth/two-factor/verify-totp',
        headers,
        payload: '{"code":"123456"}',
      })
      for (const { statusCode } of [got, sent]) if (statusCode >= 500) failed.push(`${name}=${value} ${statusCode}`)
    }
  }
  assert.deepEqual(failed, [])
  assert.deepEqual(await owner`select token, expires_at from sessions order by token`, before)
})

test('a page of another site is rejected in the usual shape, and logs nothing', async () => {
  const before = app.lines.filter((line) => /"level":[456]0/.test(line)).length
  for (let n = 0; n < 30; n++) {
    for (const origin of ['https://evil.example', 'null', '\u00ff', '']) {
      const headers = { cookie, origin, 'content-type': 'application/json' }
      const { statusCode, body } = await app.app.inject({
        method: 'POST',
        url: '/auth/revoke-other-sessions',
        headers,
        payload: '{}',
      })
      assert.deepEqual([statusCode, JSON.parse(body).error.code], [403, 'PERMISSION_DENIED'], origin)
    }
  }
  assert.equal(app.lines.filter((line) => /"level":[456]0/.test(line)).length, before)
})

test('a weak password is rejected when it is set and when it is changed', async () => {
  const admin = { cookie, origin: url, 'content-type': 'application/json' }
  const made = await app.app.inject({
    method: 'POST',
    url: `/web/users/${chand.id}/password-link`,
    headers: admin,
    payload: '{}',
  })
  const token = made.json().data.link.split('/').pop()
  const page = visitor(url)
  for (const weak of ['aaaaaaaaaa', '          ', chand.email, 'Password@123']) {
    const rejected = await page.send('POST', '/web-public/join', { token, password: weak })
    assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'password'], weak)
  }
  assert.equal((await page.send('POST', '/auth/sign-in/email', { email: chand.email, password })).status, 200)
  for (const weak of ['aaaaaaaaaa', chand.email, 'qwertyuiop']) {
    const change = { currentPassword: password, newPassword: weak }
    const rejected = await page.send('POST', '/auth/change-password', change)
    assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'newPassword'], weak)
  }
  assert.equal((await page.send('POST', '/web-public/join', { token, password: 'seven green parrots' })).status, 200)
})

test('a user who can be invited can sign in, and any other invitation is rejected with what to do', async () => {
  const admin = { cookie, origin: url, 'content-type': 'application/json' }
  const invite = (email: string) =>
    app.app.inject({
      method: 'POST',
      url: '/web/users',
      headers: admin,
      payload: JSON.stringify({ email, name: 'New', role: 'Agent' }),
    })
  const users = await owner`select count(*) from users`
  for (const email of [
    'o&m@example.com',
    'आशा@example.com',
    'asha@उदाहरण.भारत',
    'a..b@example.com',
    '.a@example.com',
    'a@b',
  ]) {
    const rejected = (await invite(email)).json().error
    assert.deepEqual([rejected.code, rejected.field], ['INVALID_PARAM', 'email'], email)
    assert.match(rejected.message, /unaccented letters/)
    assert.equal(isUserEmail(email), false)
  }
  assert.deepEqual(await owner`select count(*) from users`, users)
  for (const [n, email] of ['new.person+crm@example.co.in', "o'neil_x@example.com", 'A-B@sub.example.com'].entries()) {
    assert.equal((await invite(email)).statusCode, 201, email)
    assert.equal((await signIn(email, password, `10.8.0.${n}`))[0], 401, `${email}: wrong, but no bad email`)
  }
})

test('a stranger’s request for a new password does not end the link of an Admin', async () => {
  const { makePasswordLink, findHolder, setPasswordByLink } = await import('./password-links.ts')
  const divya = await addPlayer(app.database, url, acme, 'Divya', 'Agent', null)
  const make = (purpose: 'reset' | 'forgotten') => owner.begin((tx) => makePasswordLink(tx, acme, divya.id, purpose))
  const [byAdmin, byStranger] = [await make('reset'), await make('forgotten')]
  assert.equal((await findHolder(directory, byAdmin.token))?.user_id, divya.id)
  assert.equal((await findHolder(directory, byStranger.token))?.kind, 'reset')
  const second = await make('forgotten')
  assert.equal(await findHolder(directory, byStranger.token), null, 'one of a kind')
  assert.ok(await setPasswordByLink(directory, byAdmin.token, 'seven green parrots'))
  assert.equal(await findHolder(directory, second.token), null, 'a new password ends them all')
})
