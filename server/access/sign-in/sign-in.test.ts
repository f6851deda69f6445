import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fastify, { type InjectOptions, type LightMyRequestResponse } from 'fastify'
import { testDatabase } from '#test/database.ts'
import { auditOf } from '#test/records.ts'
import { until } from '#test/until.ts'
import { openAsOwner } from '../../platform/database/connect.ts'
import { answerProblems } from '../../platform/http/answer-problems.ts'
import { openRateLimits } from '../../platform/http/rate-limit.ts'
import { endSessions, setPassword } from './credentials.ts'
import { findHolder, makePasswordLink } from './password-links.ts'
import { readSecret } from './secret.ts'
import { findSession, openSignIn, type SignIn, signInRoutes } from './sign-in.ts'
import { slowGuesses } from './slow-guesses.ts'

const { directory, owner, close } = await testDatabase()
after(close)

const baseUrl = 'https://leads.example.com'
const password = 'a long enough password'
const secret = await readSecret(directory)
const rateLimits = await openRateLimits(null, () => {})
const signIn = openSignIn({ directory, baseUrl, secret, report: () => {} })
const app = await appWith(signIn)

const accountId = randomUUID()
await owner`insert into accounts (id, name, created_at) values (${accountId}, 'Sharma Estates', now())`

test('a user signs in with the password, and the session names the user', async () => {
  const asha = await person('Asha')
  const answer = await signsIn(asha)
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(await whoIs(answer), {
    user: {
      id: asha.id,
      account_id: accountId,
      email: asha.email,
      name: 'Asha',
      role: 'Agent',
      team: null,
      two_factor: false,
    },
  })
  assert.equal((await get('/auth/get-session', answer)).json().user.id, asha.id)
})

test('an email is compared without case', async () => {
  const bela = await person('Bela', { email: 'Bela.Rao@Example.com' })
  assert.equal((await signsIn(bela, { email: 'bELA.rAO@example.COM' })).statusCode, 200)
})

test('a wrong password, an unknown email and a deactivated user get the same answer', async () => {
  const chand = await person('Chand')
  const gone = await person('Gone')
  await deactivate(gone.id)
  const rejections = [
    await signsIn(chand, { password: 'not the right one' }),
    await signsIn(chand, { email: 'nobody@example.com' }),
    await signsIn(gone),
    await signsIn(gone, { password: 'not the right one' }),
  ]
  for (const rejection of rejections) {
    assert.equal(rejection.statusCode, 401)
    assert.deepEqual(rejection.json(), {
      error: { code: 'UNAUTHORIZED', message: 'The email or the password is wrong.' },
    })
    assert.equal(rejection.headers['set-cookie'], undefined)
  }
  assert.deepEqual([...(await owner`select from sessions where user_id in (${chand.id}, ${gone.id})`)], [])
})

test('deactivating a user ends their sessions', async () => {
  const deepa = await person('Deepa')
  const session = await signsIn(deepa)
  await deactivate(deepa.id)
  assert.equal(await whoIs(session), null)
  assert.equal((await get('/auth/get-session', session)).json(), null)
  const change = { currentPassword: password, newPassword: 'another good password' }
  assert.equal(
    (await post('/auth/change-password', change, { cookie: cookieOf(session), origin: baseUrl })).statusCode,
    401,
  )
  await owner`update users set deactivated_at = null where id = ${deepa.id}`
  assert.equal((await signsIn(deepa)).statusCode, 200)
})

test('no session is found without a cookie, with a forged one, or after its end', async () => {
  const session = await signsIn(await person('Esha'))
  const [name, value] = cookieOf(session).split('=') as [string, string]
  assert.equal(await findSession(signIn, {}), null)
  assert.equal(await findSession(signIn, { cookie: `${name}=${value.split('.')[0]}` }), null)
  assert.equal(await findSession(signIn, { cookie: `${name}=x${value}` }), null)
  const other = openSignIn({ directory, baseUrl, secret: 'x'.repeat(43), report: () => {} })
  assert.equal(await findSession(other, { cookie: cookieOf(session) }), null)
  await owner`update sessions set expires_at = now() - interval '1 second' where token = ${session.json().token}`
  assert.equal(await whoIs(session), null)
})

test('signing out ends the session, and only that one', async () => {
  const farah = await person('Farah')
  const [phone, laptop] = [await signsIn(farah), await signsIn(farah)]
  assert.equal((await post('/auth/sign-out', {}, { cookie: cookieOf(phone), origin: baseUrl })).statusCode, 200)
  assert.equal(await whoIs(phone), null)
  assert.equal((await whoIs(laptop))?.user.id, farah.id)
})

test('the cookie is HttpOnly, SameSite and Secure', async () => {
  const gita = await person('Gita')
  const secure = attributesOf(await signsIn(gita))
  assert.deepEqual(secure, ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax', 'Secure'])

  const plain = await appWith(openSignIn({ directory, baseUrl: 'http://127.0.0.1:8080', secret, report: () => {} }))
  const body = { email: gita.email, password }
  const answer = await post('/auth/sign-in/email', body, { origin: 'http://localhost:8080' }, plain)
  assert.deepEqual(attributesOf(answer), ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'])
})

test('pages of another origin cannot sign in, sign out or change a password', async () => {
  const hari = await person('Hari')
  const origin = 'https://evil.example.com'
  const session = await signsIn(hari)
  const cookie = cookieOf(session)
  const rejections = [
    await post('/auth/sign-in/email', { email: hari.email, password }, { origin }),
    await post('/auth/sign-in/email', { email: hari.email, password }, { origin: 'http://leads.example.com' }),
    await post('/auth/sign-out', {}, { cookie, origin }),
    await post('/auth/sign-out', {}, { cookie }),
    await post(
      '/auth/change-password',
      { currentPassword: password, newPassword: 'evil password' },
      { cookie, origin },
    ),
  ]
  assert.deepEqual(
    rejections.map((rejection) => rejection.statusCode),
    [403, 403, 403, 403, 403],
  )
  assert.equal((await whoIs(session))?.user.id, hari.id)
  assert.equal((await signsIn(hari)).statusCode, 200)
})

test('sign-up and the other routes of better-auth do not exist', async () => {
  const [before] = await owner`select count(*) from users`
  const body = { email: 'new@example.com', name: 'New', password, role: 'Admin' }
  for (const path of ['sign-up/email', 'update-user', 'delete-user', 'change-email', 'sign-in/social', 'link-social']) {
    assert.equal((await post(`/auth/${path}`, body)).statusCode, 404, path)
  }
  await assert.rejects(
    (await signIn.betterAuth()).auth.api.signUpEmail({ body: { email: 'new@example.com', name: 'New', password } }),
  )
  assert.deepEqual([...(await owner`select count(*) from users`)], [before])
})

test('a new password ends all sessions and replaces the old password', async () => {
  const ila = await person('Ila')
  const session = await signsIn(ila)
  await setPassword(directory, ila.id, 'the second password')
  assert.equal(await whoIs(session), null)
  assert.equal((await signsIn(ila)).statusCode, 401)
  assert.equal((await signsIn(ila, { password: 'the second password' })).statusCode, 200)
  assert.equal((await owner`select from credentials where user_id = ${ila.id}`).length, 1)
})

test('a user who changes the password stays signed in only here, and it is in the audit log', async () => {
  const jaya = await person('Jaya')
  const [phone, laptop] = [await signsIn(jaya), await signsIn(jaya)]
  const actor = { account_id: accountId, user_id: null, sees: 'all', via: 'command', via_id: null } as const
  const { token } = await owner.begin((tx) => makePasswordLink(tx, actor, jaya.id, 'reset'))
  const change = { currentPassword: password, newPassword: 'the second password', revokeOtherSessions: false }
  const answer = await post('/auth/change-password', change, { cookie: cookieOf(laptop), origin: baseUrl })
  assert.equal(answer.statusCode, 200)
  assert.equal((await whoIs(answer))?.user.id, jaya.id)
  assert.equal(await whoIs(laptop), null)
  assert.equal(await whoIs(phone), null)
  assert.equal((await signsIn(jaya)).statusCode, 401)
  assert.equal((await signsIn(jaya, { password: 'the second password' })).statusCode, 200)
  assert.equal(await findHolder(directory, token), null, 'an older link is no longer valid')
  const [, entry] = await auditOf(owner, jaya.id)
  assert.deepEqual([entry!.action, entry!.user_id, entry!.via], ['user.password_changed', jaya.id, 'web'])
})

test('sessions can be ended by other code, and expired ones are deleted', async () => {
  const kiran = await person('Kiran')
  const session = await signsIn(kiran)
  await endSessions(directory, kiran.id)
  assert.equal(await whoIs(session), null)
  await signsIn(kiran)
  await owner`update sessions set expires_at = now() - interval '1 day' where user_id = ${kiran.id}`
  await signsIn(kiran)
  assert.equal((await owner`select from sessions where user_id = ${kiran.id}`).length, 1)
})

test('guessing is limited by IP, which cannot be forged', async () => {
  const lata = await person('Lata')
  const guess = (n: number, remoteAddress: string) =>
    post('/auth/sign-in/email', { email: lata.email, password: `guess number ${n}` }, forged(n), app, remoteAddress)
  const forged = (n: number) => ({ 'x-lead-engine-address': `198.51.100.${n}`, 'x-forwarded-for': `198.51.100.${n}` })
  const answers = []
  for (let n = 0; n < 12; n++) answers.push((await guess(n, '203.0.113.7')).statusCode)
  assert.deepEqual(answers, [...Array(10).fill(401), 429, 429])
  const wait = Number((await guess(13, '203.0.113.7')).headers['retry-after'])
  assert.ok(wait >= 1 && wait <= 60, `Retry-After ${wait}`)
  for (const url of ['/auth/sign-in/email/', '/auth/sign-in/emai%6C', '/auth/sign-in/email?guess=15']) {
    const body = { email: lata.email, password: 'guess number 15' }
    assert.equal((await post(url, body, {}, app, '203.0.113.7')).statusCode, 429, url)
  }
  const slowed = await guess(14, '203.0.113.7')
  assert.equal(slowed.json().error.code, 'RATE_LIMITED')
  assert.match(slowed.json().error.message, /^Too many attempts came from this IP address\. Try again in \d+ s\.$/)
  assert.equal((await guess(15, '203.0.113.8')).statusCode, 401)
  for (let n = 0; n < 10; n++) await guess(n, `2001:db8:1:2::${n}`)
  assert.equal((await guess(10, '2001:db8:1:2:3:4:5:6')).statusCode, 429, 'another IP of the same network')
  assert.equal((await guess(11, '2001:db8:1:3::1')).statusCode, 401)
})

test('every rejection has the usual shape, and names the invalid field', async () => {
  const olga = await person('Olga')
  const session = await signsIn(olga)
  const signedIn = { cookie: cookieOf(session), origin: baseUrl }
  const change = (currentPassword: string, newPassword: string) =>
    post('/auth/change-password', { currentPassword, newPassword }, signedIn)
  const signIn = (body: object) => post('/auth/sign-in/email', body, { origin: baseUrl })
  const before = await owner`select * from credentials where user_id = ${olga.id}`
  for (const [answer, status, code, field] of [
    [await change(password, 'too short'), 400, 'INVALID_PARAM', 'newPassword'],
    [await change(password, 'x'.repeat(129)), 400, 'INVALID_PARAM', 'newPassword'],
    [await change('not the right one', 'a good new password'), 400, 'INVALID_PARAM', 'currentPassword'],
    [await post('/auth/change-password', {}, signedIn), 400, 'INVALID_PARAM', 'newPassword'],
    [await post('/auth/change-password', {}, { origin: baseUrl }), 400, 'INVALID_PARAM', 'newPassword'],
    [await post('/auth/two-factor/disable', { password }, { origin: baseUrl }), 401, 'UNAUTHORIZED', undefined],
    [
      await post('/auth/sign-out', {}, { ...signedIn, origin: 'https://x.example' }),
      403,
      'PERMISSION_DENIED',
      undefined,
    ],
    [await signIn({ email: olga.email }), 400, 'INVALID_PARAM', 'password'],
    [await signIn({ email: 'olga', password }), 400, 'INVALID_PARAM', 'email'],
    [await signIn({ email: olga.email, password: 'x'.repeat(129) }), 400, 'INVALID_PARAM', 'password'],
    [await signIn([]), 400, 'INVALID_PARAM', undefined],
    [
      await post('/auth/sign-in/email', '<a/>', { 'content-type': 'text/xml' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      undefined,
    ],
  ] as const) {
    const { error, ...rest } = answer.json()
    assert.deepEqual([answer.statusCode, error.code, error.field], [status, code, field], answer.body)
    assert.match(error.message, /^[A-Za-z][^\n]{5,120}\.$/)
    assert.deepEqual(rest, {})
    assert.match(answer.headers['content-type'] as string, /^application\/json/)
  }
  assert.deepEqual(await owner`select * from credentials where user_id = ${olga.id}`, before)
  assert.equal((await whoIs(session))?.user.id, olga.id)
})

test('an invalid sign-in request answers 4xx, not 5xx', async () => {
  const sent = [
    '{"email":',
    '[]',
    'null',
    '',
    '{"email":7,"password":null}',
    '{"email":"a@b.co\\u0000","password":"x"}',
    JSON.stringify({ email: 'asha@example.com', password: 'x'.repeat(129) }),
  ]
  for (const payload of sent) assert.equal((await post('/auth/sign-in/email', payload)).statusCode, 400, payload)
  const headers = { 'content-type': 'text/xml' }
  assert.equal((await post('/auth/sign-in/email', '<a/>', headers)).statusCode, 415)
  assert.equal((await post('/auth/sign-in/email', 'x'.repeat(20_000))).statusCode, 413)
})

test('an unavailable database is named as the reason', async () => {
  const away = openAsOwner({ host: '127.0.0.1', port: 1, username: 'a', password: 'b', database: 'c' })
  const cutOff = await appWith(openSignIn({ directory: away, baseUrl, secret, report: () => {} }))
  const codes: unknown[] = []
  cutOff.addHook('onError', async (_request, _reply, error) => void codes.push(error.code))
  const session = await signsIn(await person('Mina'))
  await cutOff.inject({ url: '/auth/get-session', headers: { cookie: cookieOf(session) } })
  await post('/auth/sign-in/email', { email: 'mina@example.com', password }, {}, cutOff)
  assert.deepEqual(codes, ['ECONNREFUSED', 'ECONNREFUSED'])
})

test('a query that fails once is the reason, also if the next one would succeed', async () => {
  const session = await signsIn(await person('Rani'))
  const watched = await appWith(signIn)
  const codes: unknown[] = []
  watched.addHook('onError', async (_request, _reply, error) => void codes.push(error.code))
  await owner.begin(async (tx) => {
    await tx`lock table sessions`
    void watched.inject({ url: '/auth/get-session', headers: { cookie: cookieOf(session) } }).then()
    const cancel = () => owner`select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%sessions%'`
    await until(async () => (await cancel()).length > 0, 'the query waits for the table')
  })
  await until(() => codes.length > 0, 'the rejection')
  assert.deepEqual(codes, ['57014'])
})

test('signing in recovers when its connections break', async () => {
  const session = await signsIn(await person('Nila'))
  const ask = () => get('/auth/get-session', session)
  for (let round = 0; round < 3; round++) {
    const asked = Array.from({ length: 10 }, ask)
    await owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename = current_user
        and query like '%sessions%'`
    await Promise.all(asked)
  }
  await setTimeout(100)
  for (let n = 0; n < 8; n++) assert.equal((await ask()).json()?.user.name, 'Nila')
})

test('the tables are as better-auth expects them', async () => {
  const { explicitSchemaCheck } = (await (
    await signIn.betterAuth()
  ).auth.$context) as { explicitSchemaCheck?: () => Promise<unknown> }
  assert.ok(explicitSchemaCheck)
  await explicitSchemaCheck()
})

test('processes that start simultaneously use the same secret', async () => {
  await owner`delete from installation_secrets`
  const secrets = await Promise.all(Array.from({ length: 12 }, () => readSecret(directory)))
  assert.equal(new Set(secrets).size, 1)
  assert.ok(secrets[0]!.length >= 43)
  assert.equal(await readSecret(directory), secrets[0])
})

async function appWith(signIn: SignIn) {
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  // As strict as the service's own: a body that reached it would be rejected.
  app.setValidatorCompiler(() => () => ({ error: new Error('nothing here is validated') }))
  answerProblems(app, new Map(), {
    unwritableBy: () => undefined,
    isAway: () => false,
    isBusy: () => false,
    isLocked: () => false,
  })
  await app.register(signInRoutes(signIn, rateLimits.limit('sign-in', 10), slowGuesses(directory, rateLimits, 100)))
  return app
}

async function person(name: string, { email = `${name.toLowerCase()}@example.com` } = {}) {
  const id = randomUUID()
  await owner`
    insert into users (id, account_id, email, name, role) values (${id}, ${accountId}, ${email}, ${name}, 'Agent')`
  await setPassword(directory, id, password)
  return { id, email }
}

const deactivate = (id: string) => owner`update users set deactivated_at = now() where id = ${id}`

function signsIn(who: { email: string }, given: { email?: string; password?: string } = {}) {
  return post('/auth/sign-in/email', { email: who.email, password, ...given }, { origin: baseUrl })
}

let visitors = 0

/** Each from an IP address of its own, so that no other attempt is slowed. */
const newIp = () => `10.0.0.${++visitors}`

function post(url: string, body: unknown, headers = {}, to = app, remoteAddress = newIp()) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const request: InjectOptions = { method: 'POST', url, payload, remoteAddress }
  return to.inject({ ...request, headers: { 'content-type': 'application/json', ...headers } })
}

const get = (url: string, session: LightMyRequestResponse) =>
  app.inject({ url, headers: { cookie: cookieOf(session) } })

async function whoIs(session: LightMyRequestResponse) {
  const found = await findSession(signIn, { cookie: cookieOf(session) })
  return found && { user: found.user }
}

const setCookie = (answer: LightMyRequestResponse) => [answer.headers['set-cookie'] ?? []].flat()[0] ?? ''

const cookieOf = (answer: LightMyRequestResponse) => setCookie(answer).split(';')[0]!

const attributesOf = (answer: LightMyRequestResponse) => setCookie(answer).split('; ').slice(1).sort()
