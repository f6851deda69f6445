import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { freePort, serve } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { oidcBrowser } from '#test/oidc-browser.ts'
import { type Claims, oidcServer } from '#test/oidc-server.ts'
import { addPlayer, ask, type Player, people, signedIn } from '#test/people.ts'
import { auditOf } from '#test/records.ts'
import { codeOf } from '#test/totp.ts'
import { changeAsActor, forWholeAccount } from '../../platform/database/actor.ts'
import { openRateLimits } from '../../platform/http/rate-limit.ts'
import { findJoined, setPassword } from './credentials.ts'
import { findHolder, makePasswordLink } from './password-links.ts'
import { findSession, openSignIn } from './sign-in.ts'
import { singleSignOnRoutes } from './single-sign-on-routes.ts'

const [port, oidcPort] = [await freePort(), await freePort()]
const baseUrl = `http://127.0.0.1:${port}`
const oidc = await oidcServer({ port: oidcPort, baseUrl })
after(oidc.close)
const env = {
  PORT: String(port),
  OIDC_ISSUER: oidc.issuer,
  OIDC_CLIENT_ID: oidc.clientId,
  OIDC_CLIENT_SECRET: oidc.clientSecret,
  OIDC_ACCOUNT: 'Acme',
}
const store = await testDatabase()
const { owner, directory, database } = store
let service = await serve(database, env)
after(async () => {
  await service.close()
  await store.close()
})
const { acme, asha, meena, bela, chand, zoya } = await people({ database, url: baseUrl })
const password = 'seven green parrots'

test('an invited user signs in with the provider, and a session is made as for a password', async () => {
  const { token } = await invite(bela)
  assert.deepEqual(await findJoined(directory, [bela.id]), new Set())
  const { urls, me } = await signsIn(
    { sub: 'bela', email: bela.email.toUpperCase(), email_verified: true },
    '/leads?x=1',
  )
  assert.equal(urls.at(-1), `${baseUrl}/sign-in?step=done&next=%2Fleads%3Fx%3D1`)
  assert.equal(me.id, bela.id)
  assert.deepEqual(await findJoined(directory, [bela.id]), new Set([bela.id]))
  const asked = new URL(urls[1]!).searchParams
  assert.equal(asked.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(asked.get(name)!.length > 20, name)
  const [session] = await owner`select ip_address from sessions where user_id = ${bela.id}`
  assert.equal(session!.ip_address, '127.0.0.1')
  assert.equal((await owner`select from sign_ins where user_id = ${bela.id}`).length, 1)
  assert.deepEqual((await actionsOf(bela.id)).slice(-1), ['user.single_sign_on_linked'])
  const [link] = await owner`select * from credentials where user_id = ${bela.id}`
  assert.deepEqual(
    [link!.provider, link!.subject, link!.id_token, link!.access_token],
    ['oidc', `${oidc.issuer} bela`, null, null],
  )
  assert.equal(await findHolder(directory, token), null, 'the invitation has ended')
  assert.equal((await owner`select from verifications`).length, 0)
})

test('signing out ends the session here, and leads nowhere else', async () => {
  const { browser, me } = await signsIn({ sub: 'bela' })
  assert.equal(me.id, bela.id)
  const left = await browser.post(`${baseUrl}/auth/sign-out`, { callbackURL: '/leads' })
  assert.deepEqual([left.status, left.body, left.headers.get('location')], [200, { success: true }, null])
  assert.equal((await whoIs(browser)).status, 401)
})

test('after the first time the subject is the identity, whatever the email is', async () => {
  const links = await linksOf(bela)
  assert.equal((await signsIn({ sub: 'bela', email: asha.email, email_verified: true })).me.id, bela.id)
  assert.equal((await signsIn({ sub: 'bela' })).me.id, bela.id)
  const other = await signsIn({ sub: 'new bela', email: bela.email, email_verified: true })
  assert.equal(other.problem, 'other-identity')
  assert.deepEqual(await linksOf(bela), links)
  assert.deepEqual(await linksOf(asha), [])
  const [user] = await owner`select email from users where id = ${bela.id}`
  assert.equal(user!.email, bela.email)
})

test('an Admin ends a link, and the sessions with it', async () => {
  const { browser } = await signsIn({ sub: 'bela' })
  const admin = await signedIn({ directory, url: baseUrl }, asha)
  const listed = async () =>
    (await admin.send('GET', '/web/users')).body.data.find(({ id }: { id: string }) => id === bela.id).single_sign_on
  assert.equal(await listed(), true)
  const ended = await admin.send('DELETE', `/web/users/${bela.id}/single-sign-on`)
  assert.deepEqual([ended.status, ended.body.data], [200, { id: bela.id, single_sign_on: false }])
  assert.equal(await listed(), false)
  assert.equal((await whoIs(browser)).status, 401)
  assert.deepEqual((await actionsOf(bela.id)).slice(-1), ['user.single_sign_on_unlinked'])
  assert.equal((await signsIn({ sub: 'newer', email: bela.email, email_verified: true })).me.id, bela.id)
})

for (const [who, claims, problem] of [
  ['somebody who was not invited', { email: 'nobody@example.com', email_verified: true }, 'unknown-user'],
  ['a user of another account', { email: zoya.email, email_verified: true }, 'unknown-user'],
  ['a user whose email is not verified', { email: chand.email, email_verified: false }, 'email-not-verified'],
  ['a user whose email may be verified', { email: chand.email }, 'email-not-verified'],
  [
    'a user whose email is verified by no boolean',
    { email: chand.email, email_verified: { toString: 'true' } },
    'email-not-verified',
  ],
  ['somebody without an email', {}, 'no-email'],
  ['somebody with an email that no user can have', { email: 'a b@c', email_verified: true }, 'no-email'],
] as const) {
  test(`${who} is rejected: ${problem}`, async () => {
    const before = await everything()
    const answer = await signsIn({ sub: randomUUID(), ...claims })
    assert.deepEqual([answer.problem, answer.status], [problem, 401])
    assert.deepEqual(await everything(), before)
  })
}

test('a deactivated user is rejected, linked or not', async () => {
  const [linked, invited] = [await newUser('Dev'), await newUser('Dina')]
  await signsIn({ sub: 'dev', email: linked.email, email_verified: true })
  const admin = await signedIn({ directory, url: baseUrl }, asha)
  for (const { id } of [linked, invited]) await admin.send('POST', `/web/users/${id}/deactivation`, {})
  const before = await everything()
  for (const [sub, { email }] of [
    ['dev', linked],
    ['dina', invited],
  ] as const) {
    assert.equal((await signsIn({ sub, email, email_verified: true })).problem, 'deactivated')
  }
  assert.deepEqual(await everything(), before)
})

test('a user who took an email without a check is not linked, until an Admin confirms it', async () => {
  const user = await newUser('Dolly')
  await setPassword(directory, user.id, password)
  const taken = { email: 'boss@example.com', password }
  const page = await signInWith(user.email, password)
  assert.equal((await page.post(`${baseUrl}/web/me/email`, taken)).status, 200)
  const before = await everything()
  const boss = { sub: 'boss', email: 'boss@example.com', email_verified: true }
  assert.equal((await signsIn(boss)).problem, 'email-not-confirmed')
  assert.deepEqual(await everything(), before)

  await setPassword(directory, asha.id, password)
  const admin = await signInWith(asha.email, password)
  assert.equal((await admin.post(`${baseUrl}/web/users/${user.id}/email`, taken)).status, 200)
  assert.equal((await signsIn(boss)).me.id, user.id)
  assert.equal((await admin.post(`${baseUrl}/web/users/${user.id}/email`, taken)).status, 400)
})

test('a user with two-factor is asked for the code', async () => {
  const user = await newUser('Esha')
  await setPassword(directory, user.id, password)
  const { browser } = await signsIn({ sub: 'esha', email: user.email, email_verified: true })
  const { totpURI } = (await browser.post(`${baseUrl}/auth/two-factor/enable`, { password })).body
  assert.equal((await browser.post(`${baseUrl}/auth/two-factor/verify-totp`, { code: codeOf(totpURI) })).status, 200)
  await owner`delete from sign_ins where user_id = ${user.id}`

  const again = await signsIn({ sub: 'esha' }, '/leads')
  assert.equal(again.urls.at(-1), `${baseUrl}/sign-in?step=code&next=%2Fleads`)
  assert.equal(again.status, 401)
  assert.equal((await owner`select from sign_ins where user_id = ${user.id}`).length, 0)
  const next = codeOf(totpURI, Date.now() + 30_000)
  assert.equal((await again.browser.post(`${baseUrl}/auth/two-factor/verify-totp`, { code: next })).status, 200)
  assert.equal((await whoIs(again.browser)).body.data.id, user.id)
})

test('two first sign-ins at once make one link', async () => {
  const user = await newUser('Farah')
  const claims = { sub: 'farah', email: user.email, email_verified: true }
  const answers = await Promise.all([signsIn(claims), signsIn(claims)])
  assert.deepEqual(
    answers.map(({ me }) => me.id),
    [user.id, user.id],
  )
  assert.equal((await linksOf(user)).length, 1)
})

test('who cancels at the provider may try again, and reads no text of the provider', async () => {
  oidc.person = null
  const urls = await oidcBrowser().follow(`${baseUrl}/auth/single-sign-on?next=/leads`)
  assert.equal(urls.at(-1), `${baseUrl}/sign-in?problem=cancelled&next=%2Fleads`)
})

test('a callback works once, and only in the browser that began', async () => {
  const user = await newUser('Gita')
  const claims = { sub: 'gita', email: user.email, email_verified: true }
  oidc.person = claims
  const [began, other] = [oidcBrowser(), oidcBrowser()]
  const callback = (await began.follow(`${baseUrl}/auth/single-sign-on`, isCallback)).at(-1)!
  const before = await everything()
  const problemAt = async (url: string, browser = began) => new URL((await browser.follow(url)).at(-1)!).searchParams
  for (const url of [
    callback,
    callback.replace(/state=[^&]+/, 'state=another'),
    callback.replace(/state=[^&]+&/, ''),
  ]) {
    assert.equal((await problemAt(url, other)).get('problem'), 'expired')
  }
  for (const search of [
    '',
    '?error=access_denied',
    '?code=a&code=b',
    '?state[]=x',
    `?state=${'x'.repeat(2000)}`,
    '?code=%00&state=%ff',
  ]) {
    const problem = (await problemAt(`${baseUrl}/auth/callback/oidc${search}`, other)).get('problem')
    assert.ok(['expired', 'invalid-answer'].includes(problem!), `${search}: ${problem}`)
  }
  assert.equal(
    (await problemAt(callback.replace(/iss=[^&]+/, 'iss=https://evil.example'))).get('problem'),
    'invalid-answer',
  )
  assert.deepEqual(await everything(), before)

  const fresh = (await began.follow(`${baseUrl}/auth/single-sign-on`, isCallback)).at(-1)!
  assert.equal((await problemAt(fresh)).get('step'), 'done')
  assert.equal((await problemAt(fresh)).get('problem'), 'expired')
  assert.equal((await owner`select from sessions where user_id = ${user.id}`).length, 1)
})

test('an answer with another nonce, or to another code challenge, is rejected', async () => {
  oidc.person = { sub: 'gita' }
  const before = await everything()
  for (const [name, value] of [
    ['nonce', 'another-nonce-that-is-long-enough'],
    ['code_challenge', 'jcuXlEe7tj6BlhTYLMdhl81BdLtPCfXEIDCJqZ7DEWI'],
  ] as const) {
    const browser = oidcBrowser()
    const [, asked] = await browser.follow(`${baseUrl}/auth/single-sign-on`, (url) => url.startsWith(oidc.issuer))
    const changed = new URL(asked!)
    changed.searchParams.set(name, value)
    const urls = await browser.follow(changed.href)
    assert.equal(new URL(urls.at(-1)!).searchParams.get('problem'), 'invalid-answer', name)
  }
  assert.deepEqual(await everything(), before)
})

test('every redirect stays on this site, whatever the next page is', async () => {
  oidc.person = { sub: 'gita' }
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    `/${'x'.repeat(3000)}`,
    '%00',
  ]) {
    const urls = await oidcBrowser().follow(`${baseUrl}/auth/single-sign-on?next=${encodeURIComponent(next)}`)
    assert.deepEqual([...new Set(urls.map((url) => new URL(url).origin))], [baseUrl, oidc.issuer])
    assert.equal(new URL(urls.at(-1)!).searchParams.get('step'), 'done')
  }
})

test('the discovery document is read when users sign in for the first time, and not again', () =>
  assert.equal(oidc.discoveries, 2))

test('nothing of a person is in the log', () => {
  assert.ok(service.lines.some((line) => line.includes('No user has the email.')))
  const known = [bela.email, 'nobody@example.com', 'gita', oidc.clientSecret, 'code=']
  assert.deepEqual(
    service.lines.filter((line) => known.some((text) => line.toLowerCase().includes(text.toLowerCase()))),
    [],
  )
})

test('with a claim for roles, the provider adds users and says their roles', async () => {
  await reconfigure({ OIDC_ROLE_CLAIM: 'roles', OIDC_ROLES: 'boss=Admin, sales=Agent, lead=Manager' })
  const hari = { sub: 'hari', email: 'hari@example.com', email_verified: true, name: 'Hari\n Das' }
  const before = await everything()
  for (const roles of [[], ['guest'], ['Admin']]) assert.equal((await signsIn({ ...hari, roles })).problem, 'no-role')
  assert.equal((await signsIn({ ...hari, roles: ['sales'], email_verified: false })).problem, 'email-not-verified')
  assert.equal((await signsIn({ ...hari, roles: ['sales'], email: zoya.email })).problem, 'unknown-user')
  assert.deepEqual(await everything(), before)

  const [first, second] = await Promise.all([
    signsIn({ ...hari, roles: ['guest', 'sales'] }),
    signsIn({ ...hari, roles: ['guest', 'sales'] }),
  ])
  assert.equal(first.me.id, second.me.id)
  const { id } = first.me
  assert.deepEqual(
    [first.me.name, first.me.email, first.me.role, first.me.account.name, first.me.has_password],
    ['Hari Das', 'hari@example.com', 'Agent', 'Acme', false],
  )
  assert.deepEqual(await actionsOf(id), ['user.created', 'user.single_sign_on_linked'])

  assert.equal((await signsIn({ ...hari, roles: ['sales', 'lead'] })).me.role, 'Manager')
  assert.equal((await whoIs(first.browser)).body.data.role, 'Manager', 'also in sessions that go on')
  const [entry] = (await auditOf(owner, id)).slice(-1)
  assert.deepEqual([entry!.action, entry!.user_id, entry!.details], ['user.changed', null, { role: 'Manager' }])
  assert.equal((await signsIn({ ...hari, roles: [] })).problem, 'no-role')
  assert.equal((await whoIs(first.browser)).body.data.role, 'Manager')
})

test('the last Admin stays Admin, whatever the provider says', async () => {
  await reconfigure({ OIDC_ROLE_CLAIM: 'roles' })
  const claims = { sub: 'asha', email: asha.email, email_verified: true }
  assert.equal((await signsIn({ ...claims, roles: ['Agent'] })).me.role, 'Admin')
  const second = await addPlayer(database, baseUrl, acme, 'Second', 'Admin', null)
  assert.equal((await signsIn({ ...claims, roles: ['Agent'] })).me.role, 'Agent')
  assert.equal((await signsIn({ ...claims, roles: ['Admin'] })).me.role, 'Admin')
  await owner`update users set deactivated_at = now() where id = ${second.id}`
})

test('the email and the role are also read from the userinfo endpoint, and the secret is sent in the body', async () => {
  const port = await freePort()
  const other = await oidcServer({ port, baseUrl, inIdToken: false, secretInBody: true })
  await reconfigure({ OIDC_ISSUER: other.issuer, OIDC_ROLE_CLAIM: 'roles' })
  other.person = { sub: 'bela', email: bela.email, email_verified: true, roles: ['Manager'] }
  const urls = await oidcBrowser().follow(`${baseUrl}/auth/single-sign-on`)
  assert.equal(new URL(urls.at(-1)!).searchParams.get('step'), 'done')
  // The link with the provider before is replaced.
  assert.deepEqual(await linksOf(bela), [`${other.issuer} bela`])
  await other.close()
})

test('with OIDC_ONLY, only Admins sign in with a password', async () => {
  await reconfigure({ OIDC_ONLY: 'true', OIDC_NAME: 'Acme ID' })
  const options = await ask(baseUrl, null, 'GET', '/web-public/sign-in-options')
  assert.deepEqual(options.body.data.single_sign_on, { name: 'Acme ID', only: true })
  for (const [user, status] of [
    [asha, 200],
    [zoya, 200],
    [meena, 403],
    [chand, 403],
  ] as const) {
    const { id, email } = user
    await setPassword(directory, id, password)
    const answer = await byPassword(email, password)
    assert.equal(answer.status, status, email)
    if (status === 403) assert.match(answer.body.error.message, /asks for single sign-on/)
    assert.equal((await owner`select from sessions where user_id = ${id}`).length, status === 200 ? 1 : 0)
    const { token } = await invite(user)
    const link = await ask(baseUrl, null, 'POST', '/web-public/link', { token }, { origin: baseUrl })
    assert.equal(link.body.data.may_use_password, status === 200)
    // A wrong password says nothing of this.
    assert.equal((await byPassword(email, 'not the right one')).status, 401)
  }
})

test('with several accounts and none named, or an unknown one, nobody signs in with the provider', async () => {
  for (const OIDC_ACCOUNT of ['', 'Nobody']) {
    await reconfigure({ OIDC_ACCOUNT, OIDC_ONLY: 'true' })
    assert.equal((await signsIn({ sub: 'gita' })).problem, 'not-set-up')
    assert.equal((await byPassword(chand.email, password)).status, 200, 'nobody is locked out')
  }
})

test('an account that is named like the id of another one does not become it', async () => {
  const { account_id } = asha.actor
  await reconfigure({ OIDC_ACCOUNT: account_id, OIDC_ONLY: 'true' })
  const admin = await signedIn({ directory, url: baseUrl }, zoya)
  const renamed = await admin.send('PATCH', '/web/account', { name: account_id.toUpperCase() })
  assert.equal(renamed.status, 200)
  assert.equal((await signsIn({ sub: 'gita' })).status, 200)
  assert.equal((await byPassword(chand.email, password)).status, 403)
  await owner`update accounts set name = 'Zenith' where id = ${zoya.actor.account_id}`
})

test('a wrong client secret is an invalid answer, and the log says why', async () => {
  await reconfigure({ OIDC_CLIENT_SECRET: 'wrong' })
  const before = await everything()
  // What strangers send is not logged, and does not keep the reason out of the log.
  await oidcBrowser().follow(`${baseUrl}/auth/callback/oidc?error=Ravi%20Kumar`)
  const body = { email: chand.email, password, callbackURL: 'https://ravi.example' }
  await ask(baseUrl, null, 'POST', '/auth/sign-in/email', body, { origin: baseUrl })
  assert.equal((await signsIn({ sub: 'gita' })).problem, 'invalid-answer')
  assert.deepEqual(await everything(), before)
  for (const text of ['State not found', 'Invalid callbackURL', 'invalid_client'])
    assert.ok(
      service.lines.some((line) => line.includes(text)),
      text,
    )
  assert.deepEqual(
    service.lines.filter((line) => /ravi/i.test(line)),
    [],
  )
})

for (const [what, code, line] of [
  ['an unexpected error', '22012', 'unexpected'],
  ['an unavailable database', '57P03', 'the database is away'],
] as const)
  test(`${what} leads back to the sign-in page, and the log says why`, async () => {
    await reconfigure({})
    await owner.unsafe(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'broken for the test' using errcode = '${code}'; end $$;
      create trigger fail before insert on sessions for each row execute function fail()`)
    try {
      const before = await everything()
      const { problem, status } = await signsIn({ sub: 'gita' })
      assert.deepEqual([problem, status], ['service-failed', 401])
      assert.deepEqual(await everything(), before)
      assert.ok(service.lines.some((one) => one.includes(line) && one.includes(code)))
      assert.equal(
        (await byPassword(chand.email, password)).body.error.code,
        code === '57P03' ? 'UNAVAILABLE' : 'INTERNAL_ERROR',
      )
    } finally {
      await owner`drop function fail cascade`
    }
    assert.equal((await signsIn({ sub: 'gita' })).status, 200)
  })

test('while the provider is down, passwords work, and single sign-on does once it is back', async () => {
  const port = await freePort()
  await reconfigure({ OIDC_ISSUER: `http://127.0.0.1:${port}` })
  assert.equal((await byPassword(chand.email, password)).status, 200)
  const urls = await oidcBrowser().follow(`${baseUrl}/auth/single-sign-on?next=/leads`)
  assert.deepEqual(urls.slice(1), [`${baseUrl}/sign-in?problem=unreachable&next=%2Fleads`])
  const back = await oidcServer({ port, baseUrl })
  back.person = { sub: 'gita', email: 'gita@example.com', email_verified: true }
  const again = await oidcBrowser().follow(`${baseUrl}/auth/single-sign-on`)
  assert.equal(new URL(again.at(-1)!).searchParams.get('problem'), 'unknown-user')
  await back.close()
})

test('nobody waits long for a provider that does not answer, and signing in with a password not at all', async () => {
  const connections = new Set<Socket>()
  const silent = createServer((socket) => connections.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const singleSignOn = { ...service.config.singleSignOn!, issuer }
  const signIn = openSignIn({ directory, baseUrl, secret: 'a secret of the tests', singleSignOn, report: () => {} })
  const limits = await openRateLimits(null, () => {})
  const alone = fastify()
  await alone.register(singleSignOnRoutes({ signIn, limit: limits.limit('few', 2), timeoutMs: 200 }))
  const start = () => alone.inject({ url: '/auth/single-sign-on' })
  const waiting = start()
  await once(silent, 'connection')
  assert.equal(await findSession(signIn, { cookie: 'lead-engine.session_token=none' }), null)
  for (const [answer, problem] of [
    [await waiting, 'unreachable'],
    [await start(), 'unreachable'],
    [await start(), 'too-many'],
  ] as const) {
    assert.deepEqual([answer.statusCode, answer.headers.location], [302, `${baseUrl}/sign-in?problem=${problem}`])
  }
  silent.close()
  for (const connection of connections) connection.destroy()
  await alone.close()
})

test('without its variables there is no single sign-on', async () => {
  const served = await serve(database, {})
  for (const path of ['/auth/single-sign-on', '/auth/callback/oidc', '/auth/sign-in/social'])
    assert.equal((await ask(served.url, null, 'GET', path)).status, 404, path)
  const options = await ask(served.url, null, 'GET', '/web-public/sign-in-options')
  assert.equal(options.body.data.single_sign_on, null)
  await served.close()
})

/** Restarts the service with other variables. */
async function reconfigure(changed: Record<string, string>) {
  await service.close()
  service = await serve(database, { ...env, ...changed })
}

function isCallback(url: string) {
  return url.includes('/auth/callback/')
}

async function signsIn(person: Claims, next = '') {
  oidc.person = person
  const browser = oidcBrowser()
  const urls = await browser.follow(`${baseUrl}/auth/single-sign-on${next && `?next=${encodeURIComponent(next)}`}`)
  const { status, body } = await whoIs(browser)
  const problem = new URL(urls.at(-1)!).searchParams.get('problem')
  return { browser, urls, problem, status, me: body.data }
}

function whoIs(browser: ReturnType<typeof oidcBrowser>) {
  return browser.get(`${baseUrl}/web/me`)
}

function byPassword(email: string, secret: string) {
  return ask(baseUrl, null, 'POST', '/auth/sign-in/email', { email, password: secret }, { origin: baseUrl })
}

async function signInWith(email: string, secret: string) {
  const browser = oidcBrowser()
  await browser.post(`${baseUrl}/auth/sign-in/email`, { email, password: secret })
  return browser
}

function newUser(name: string) {
  return addPlayer(database, baseUrl, acme, name, 'Agent', null)
}

function invite({ id, actor }: Pick<Player, 'id' | 'actor'>) {
  const admin = forWholeAccount(actor)
  return changeAsActor(database, admin, (tx) => makePasswordLink(tx, admin, id, 'invitation'))
}

async function actionsOf(id: string) {
  return (await auditOf(owner, id)).map(({ action }) => action)
}

async function linksOf({ id }: { id: string }) {
  return (await owner`select subject from credentials where user_id = ${id} and provider = 'oidc'`).map(
    ({ subject }) => subject,
  )
}

async function everything() {
  return [
    ...(await owner`select id, email, role, deactivated_at from users order by id`),
    ...(await owner`select user_id, provider, subject from credentials order by id`),
    ...(await owner`select id from sessions order by id`),
    ...(await owner`select count(*) from audit_log`),
  ]
}
