import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { addPlayer, people } from '#test/people.ts'
import { auditOf } from '#test/records.ts'
import { codeOf, wrongCodeOf } from '#test/totp.ts'
import { visitor } from '#test/visitor.ts'
import type { NewBackupCodes, SignInAnswer, TwoFactorSetup } from './contract.ts'
import { setPassword } from './credentials.ts'

const app = await testApp({ TRUST_PROXY: '127.0.0.1' })
after(app.close)
const { owner, url, directory } = app
const { acme, asha, meena, zoya } = await people(app)
const password = 'a long enough password'
const [admin, manager, stranger] = await Promise.all([asha, meena, zoya].map(signedIn))

test('switching it on requires the password, and takes effect after the first correct code', async () => {
  const [anu, page] = await newUser('Anu')
  const rejected = await page.send('POST', '/auth/two-factor/enable', { password: 'not the right one' })
  assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'password'])
  assert.equal((await stateOf(anu)).kept, 0)

  const setup = await enable(page)
  assert.match(setup.totpURI, /^otpauth:\/\/totp\/Lead%20Engine:.*&issuer=Lead\+Engine&digits=6&period=30$/)
  assert.equal(new Set(setup.backupCodes).size, 10)
  assert.deepEqual(await stateOf(anu), { on: false, kept: 1, verified: false })
  assert.equal((await signIn(anu)).answer.body.twoFactorRedirect, undefined)

  const wrong = await page.send('POST', '/auth/two-factor/verify-totp', { code: wrongCodeOf(setup.totpURI) })
  assert.deepEqual([wrong.status, wrong.body.error.code, wrong.body.error.field], [400, 'INVALID_PARAM', 'code'])
  assert.deepEqual(await stateOf(anu), { on: false, kept: 1, verified: false })

  const second = await enable(page)
  const old = await page.send('POST', '/auth/two-factor/verify-totp', { code: codeOf(setup.totpURI) })
  assert.equal(old.status, 400)
  const right = await page.send('POST', '/auth/two-factor/verify-totp', { code: codeOf(second.totpURI) })
  assert.equal(right.status, 200)
  assert.deepEqual(await stateOf(anu), { on: true, kept: 1, verified: true })
  assert.equal((await page.send('GET', '/web/me')).body.data.two_factor, true)
  assert.deepEqual(await actionsOf(anu), ['user.created', 'user.two_factor_enabled'])
  assert.equal((await page.send('POST', '/auth/two-factor/enable', { password })).status, 400)
  assert.deepEqual(await stateOf(anu), { on: true, kept: 1, verified: true })
})

test('neither the secret nor a backup code is stored in plain text', async () => {
  const { person, setup } = await withTwoFactor('Arun')
  const kept = JSON.stringify(await owner`select * from two_factors where user_id = ${person.id}`)
  const secret = new URL(setup.totpURI).searchParams.get('secret')!
  for (const plain of [secret, ...setup.backupCodes]) assert.equal(kept.includes(plain), false)
})

test('the password alone does not sign in a user with two-factor sign-in', async () => {
  const { person, setup } = await withTwoFactor('Bina')
  await owner`delete from sign_ins where user_id = ${person.id}`
  await owner`delete from sessions where user_id = ${person.id}`
  const { page, answer } = await signIn(person)
  const wanted: SignInAnswer = { twoFactorRedirect: true, twoFactorMethods: ['totp'] }
  assert.deepEqual([answer.status, answer.body], [200, wanted])
  assert.deepEqual([...page.jar.keys()], ['lead-engine.two_factor'])
  // What is signed for the one cookie is no session in the other.
  for (const name of ['lead-engine.two_factor', 'lead-engine.session_token']) {
    page.jar.set(name, page.jar.get('lead-engine.two_factor')!)
    for (const [method, path, body] of [
      ['GET', '/web/me'],
      ['GET', '/web/leads'],
      ['PATCH', '/web/me', { name: 'Mine' }],
      ['GET', '/auth/list-sessions'],
      ['POST', '/auth/change-password', { currentPassword: password, newPassword: 'another good password' }],
      ['POST', '/auth/two-factor/disable', { password }],
      ['POST', '/auth/two-factor/enable', { password }],
      ['POST', '/auth/two-factor/generate-backup-codes', { password }],
    ] as const) {
      const rejected = await page.send(method, path, body)
      assert.deepEqual([rejected.status, rejected.body.error.code], [401, 'UNAUTHORIZED'], path)
    }
  }
  assert.equal((await page.send('GET', '/auth/get-session')).body, 'null')
  assert.equal((await owner`select from sessions where user_id = ${person.id}`).length, 0)
  assert.equal((await owner`select from sign_ins where user_id = ${person.id}`).length, 0)
  assert.deepEqual(await stateOf(person), { on: true, kept: 1, verified: true })

  const fresh = await signIn(person)
  assert.equal((await verify(fresh.page, codeOf(setup.totpURI))).status, 200)
  assert.equal((await fresh.page.send('GET', '/web/me')).body.data.id, person.id)
  assert.equal((await owner`select from sign_ins where user_id = ${person.id}`).length, 1)
})

test('a challenge ends after one correct code, after five wrong ones, and without its cookie', async () => {
  const { person, setup } = await withTwoFactor('Chitra')
  const { page } = await signIn(person)
  const challenge = new Map(page.jar)
  assert.equal((await verify(page, codeOf(setup.totpURI))).status, 200)
  const again = visitor(url)
  for (const [name, value] of challenge) again.jar.set(name, value)
  assert.equal((await verify(again, codeOf(setup.totpURI))).status, 401)
  assert.equal((await verify(visitor(url), codeOf(setup.totpURI))).status, 401)

  const guesser = await signIn(person)
  const guesses = []
  for (let n = 0; n < 5; n++) guesses.push(await verify(guesser.page, wrongCodeOf(setup.totpURI)))
  assert.deepEqual(
    guesses.map(({ status }) => status),
    Array(5).fill(400),
  )
  const rejected = await verify(guesser.page, codeOf(setup.totpURI))
  assert.deepEqual([rejected.status, rejected.body.error.code], [401, 'UNAUTHORIZED'])
  assert.equal((await guesser.page.send('GET', '/web/me')).status, 401)
})

test('a code works once, also if it is used twice simultaneously', async () => {
  const { person, setup } = await withTwoFactor('Chetan')
  const code = codeOf(setup.totpURI)
  const pages = await Promise.all(Array.from({ length: 4 }, async () => (await signIn(person)).page))
  const answers = await Promise.all(pages.map((page) => verify(page, code)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  const [session] = await owner`select count(*)::int as of from sessions where user_id = ${person.id}`
  assert.equal(session!.of, 2, 'the one from before, and the one that came first')
  const later = (await signIn(person)).page
  const rejected = await verify(later, code)
  assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'code'])
  assert.match(rejected.body.error.message, /used before/)
  assert.equal((await later.send('GET', '/web/me')).status, 401)
  const next = codeOf(setup.totpURI, Date.now() + 30_000)
  assert.equal((await verify((await signIn(person)).page, next)).status, 200)
  assert.equal((await verify((await signIn(person)).page, code)).status, 400, 'nor after another one was used')
})

test('switching it on ends the sessions that started with only a password', async () => {
  const [person, page] = await newUser('Charu')
  const other = (await signIn(person)).page
  const setup = await enable(page)
  assert.equal((await other.send('GET', '/web/me')).status, 200)
  assert.equal((await verify(page, codeOf(setup.totpURI))).status, 200)
  assert.equal((await page.send('GET', '/web/me')).status, 200)
  assert.equal((await other.send('GET', '/web/me')).status, 401)
  assert.equal((await owner`select from sessions where user_id = ${person.id}`).length, 1)
})

test('at most five simultaneous guesses are checked, and ten wrong ones lock the codes for a while', async () => {
  const { person, setup } = await withTwoFactor('Deepak')
  const tries = []
  for (let round = 0; round < 6; round++) {
    const { page } = await signIn(person)
    tries.push(...(await Promise.all(Array.from({ length: 3 }, () => verify(page, wrongCodeOf(setup.totpURI))))))
    const { failed } = await failuresOf(person)
    if (failed >= 10) break
    for (let n = 0; n < 2; n++) tries.push(await verify(page, wrongCodeOf(setup.totpURI)))
  }
  assert.ok(tries.every(({ status }) => [400, 401, 429].includes(status)))
  while ((await failuresOf(person)).failed < 10) await verify((await signIn(person)).page, wrongCodeOf(setup.totpURI))
  const { page } = await signIn(person)
  for (const [path, code] of [
    ['verify-totp', codeOf(setup.totpURI)],
    ['verify-backup-code', setup.backupCodes[0]],
  ] as const) {
    const locked = await page.send('POST', `/auth/two-factor/${path}`, { code })
    assert.deepEqual([locked.status, locked.body.error.code], [429, 'RATE_LIMITED'], path)
    assert.equal(locked.headers.get('retry-after'), '900')
  }
  assert.equal((await page.send('GET', '/web/me')).status, 401)
  await owner`update two_factors set locked_until = now() - interval '1 second' where user_id = ${person.id}`
  assert.equal((await verify((await signIn(person)).page, codeOf(setup.totpURI))).status, 200)
  assert.equal((await failuresOf(person)).failed, 0)
})

test('codes are limited by IP, for any user', async () => {
  const page = visitor(url)
  const answers = []
  for (let n = 0; n < 12; n++) answers.push(await verify(page, '000000'))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array(10).fill(401), 429, 429],
  )
  assert.equal(answers[11]!.body.error.code, 'RATE_LIMITED')
  assert.match(answers[11]!.headers.get('retry-after')!, /^\d+$/)
})

test('a backup code signs in once, and new ones replace the old ones', async () => {
  const { person, page, setup } = await withTwoFactor('Ela')
  const [one, two] = setup.backupCodes as [string, string]
  const use = async (code: string) => {
    const { page } = await signIn(person)
    const { status } = await page.send('POST', '/auth/two-factor/verify-backup-code', { code })
    return [status, (await page.send('GET', '/web/me')).status]
  }
  assert.deepEqual(await use(one), [200, 200])
  assert.deepEqual(await use(one), [400, 401])
  const both = await Promise.all([1, 2].map(() => use(setup.backupCodes[2]!)))
  assert.equal(both.filter(([, me]) => me === 200).length, 1)
  const rejected = await page.send('POST', '/auth/two-factor/generate-backup-codes', { password: 'not the right one' })
  assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'password'])
  const { body } = await page.send('POST', '/auth/two-factor/generate-backup-codes', { password })
  const { backupCodes } = body as NewBackupCodes
  assert.deepEqual(await use(two), [400, 401])
  assert.deepEqual(await use(backupCodes[0]!), [200, 200])
  assert.deepEqual(await actionsOf(person), ['user.created', 'user.two_factor_enabled', 'user.backup_codes_made'])
})

test('no device is trusted and no code is wasted, even if the request asks for it', async () => {
  const { person, setup } = await withTwoFactor('Firoz')
  const { page } = await signIn(person)
  const body = { code: setup.backupCodes[0], trustDevice: true, disableSession: true }
  assert.equal((await page.send('POST', '/auth/two-factor/verify-backup-code', body)).status, 200)
  assert.equal((await page.send('GET', '/web/me')).status, 200)
  assert.ok([...page.jar.keys()].every((name) => !name.includes('trust')))
  const again = await page.send('POST', '/auth/sign-in/email', { email: person.email, password })
  assert.equal(again.body.twoFactorRedirect, true)
  assert.equal((await page.send('GET', '/web/me')).status, 401)
})

test('switching it off requires the password, and is in the audit log once', async () => {
  const { person, page } = await withTwoFactor('Gauri')
  const rejected = await page.send('POST', '/auth/two-factor/disable', { password: 'not the right one' })
  assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'password'])
  assert.deepEqual(await stateOf(person), { on: true, kept: 1, verified: true })
  for (let time = 0; time < 2; time++) {
    assert.equal((await page.send('POST', '/auth/two-factor/disable', { password })).status, 200)
    assert.deepEqual(await stateOf(person), { on: false, kept: 0, verified: null })
  }
  assert.equal((await page.send('GET', '/web/me')).body.data.two_factor, false)
  assert.equal((await signIn(person)).answer.body.twoFactorRedirect, undefined)
  const audits = await auditOf(owner, person.id)
  assert.deepEqual(
    audits.map(({ action, user_id, via }) => [action, user_id, via]).slice(1),
    ['user.two_factor_enabled', 'user.two_factor_disabled'].map((action) => [action, person.id, 'web']),
  )
})

test('a new password, by link or by the user, keeps two-factor on', async () => {
  const { person, page } = await withTwoFactor('Hina')
  const half = await signIn(person)
  const { body } = await admin!.send('POST', `/web/users/${person.id}/password-link`)
  const token = body.data.link.split('/').at(-1)
  const joined = await visitor(url).send('POST', '/web-public/join', { token, password: 'the second password' })
  assert.equal(joined.status, 200)
  assert.equal((await page.send('GET', '/web/me')).status, 401)
  assert.equal((await verify(half.page, '000000')).status, 401)
  assert.equal((await signIn(person, 'the second password')).answer.body.twoFactorRedirect, true)
  assert.deepEqual(await stateOf(person), { on: true, kept: 1, verified: true })
})

test('a user who is deactivated between the two steps is not signed in', async () => {
  const { person, setup } = await withTwoFactor('Isha')
  const { page } = await signIn(person)
  await admin!.send('POST', `/web/users/${person.id}/deactivation`, {})
  assert.equal((await verify(page, codeOf(setup.totpURI))).status, 401)
  assert.equal((await owner`select from sessions where user_id = ${person.id}`).length, 0)
})

test('an Admin sees who uses two-factor and can switch it off for a user, which ends their sessions', async () => {
  const { person, page } = await withTwoFactor('Jai')
  const listed = async () =>
    (await admin!.send('GET', '/web/users')).body.data.find(({ id }: { id: string }) => id === person.id).two_factor
  assert.equal(await listed(), true)
  const reset = `/web/users/${person.id}/two-factor-reset`
  for (const [who, path, status] of [
    [manager, reset, 403],
    [page, reset, 403],
    [stranger, reset, 404],
    [admin, `/web/users/${asha.id}/two-factor-reset`, 400],
    [admin, `/web/users/${meena.id}/two-factor-reset`, 400],
    [admin, '/web/users/00000000-0000-0000-0000-000000000000/two-factor-reset', 404],
  ] as const) {
    const audits = await owner`select count(*) from audit_log`
    assert.equal((await who!.send('POST', path)).status, status)
    assert.deepEqual(await stateOf(person), { on: true, kept: 1, verified: true })
    assert.deepEqual(await owner`select count(*) from audit_log`, audits)
  }
  const done = await admin!.send('POST', reset)
  assert.deepEqual([done.status, done.body], [200, { data: { id: person.id, two_factor: false } }])
  assert.equal(await listed(), false)
  assert.deepEqual(await stateOf(person), { on: false, kept: 0, verified: null })
  assert.equal((await page.send('GET', '/web/me')).status, 401)
  assert.equal((await signIn(person)).answer.body.twoFactorRedirect, undefined)
  const last = (await auditOf(owner, person.id)).at(-1)!
  assert.deepEqual([last.action, last.user_id, last.via], ['user.two_factor_reset', asha.id, 'web'])
})

test('the other two-factor routes of better-auth do not exist', async () => {
  const page = await signedIn(asha)
  for (const path of ['send-otp', 'verify-otp', 'get-totp-uri', 'view-backup-codes', 'generate-totp']) {
    assert.equal((await page.send('POST', `/auth/two-factor/${path}`, { password })).status, 404, path)
  }
  const other = await page.send('POST', '/auth/two-factor/enable', { password, method: 'otp', issuer: 'Evil' })
  assert.match(other.body.totpURI, /issuer=Lead\+Engine/)
  assert.equal((await stateOf(asha)).on, false)
})

interface Someone {
  id: string
  email: string
}

type Page = ReturnType<typeof visitor>

async function newUser(name: string): Promise<[Someone, Page]> {
  const person = await addPlayer(app.database, url, acme, name, 'Agent', null)
  app.database.cache.invalidate(acme.account_id)
  return [person, await signedIn(person)]
}

async function withTwoFactor(name: string) {
  const [person, page] = await newUser(name)
  const setup = await enable(page)
  assert.equal((await verify(page, codeOf(setup.totpURI))).status, 200)
  await twoMinutesPass(person)
  return { person, page, setup }
}

async function signedIn(person: Someone): Promise<Page> {
  await setPassword(directory, person.id, password)
  return (await signIn(person)).page
}

async function signIn({ email }: Someone, given = password) {
  const page = visitor(url)
  return { page, answer: await page.send('POST', '/auth/sign-in/email', { email, password: given }) }
}

async function enable(page: Page): Promise<TwoFactorSetup> {
  const { status, body } = await page.send('POST', '/auth/two-factor/enable', { password })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** For the codes of this person, which can be used once while they are valid. */
const twoMinutesPass = ({ id }: Someone) => owner`update two_factors set used_codes = '{}' where user_id = ${id}`

const verify = (page: Page, code: string) => page.send('POST', '/auth/two-factor/verify-totp', { code })

async function stateOf({ id }: Someone) {
  const [state] = await owner`select two_factor_enabled as on, count(two_factors.id)::int as kept,
      bool_and(verified) as verified
    from users left join two_factors on user_id = users.id where users.id = ${id} group by users.id`
  return { ...state } as { on: boolean; kept: number; verified: boolean | null }
}

async function failuresOf({ id }: Someone) {
  const [row] = await owner`select failed_verification_count as failed from two_factors where user_id = ${id}`
  return row as unknown as { failed: number }
}

const actionsOf = async ({ id }: Someone) => (await auditOf(owner, id)).map(({ action }) => action)
