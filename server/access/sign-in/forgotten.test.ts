import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve, testApp } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { people, signedIn } from '#test/people.ts'
import { auditOf } from '#test/records.ts'
import { until } from '#test/until.ts'
import { visitor } from '#test/visitor.ts'
import { openAsOwner } from '../../platform/database/connect.ts'
import { setPassword } from './credentials.ts'

const server = await mailServer({ rejects: 'chand@' })
const env = { SMTP_URL: server.url, MAIL_FROM: 'leads@example.com', TRUST_PROXY: '127.0.0.1' }
const app = await testApp(env)
const withoutMail = await serve(app.database)
after(async () => {
  await Promise.all([withoutMail.close(), server.close()])
  await app.close()
})
const { owner, url, directory } = app
const { asha, meena, bela, chand, zoya } = await people(app)
const password = 'a long enough password'
for (const { id } of [asha, bela, chand, zoya]) await setPassword(directory, id, password)

const forgot = (email: string, page = visitor(url)) => page.send('POST', '/web-public/forgotten', { email })
const links = () => owner`select user_id, kind, token_hash from password_links
  union all select user_id, 'forgotten', token_hash from forgotten_links order by user_id`

test('the sign-in page knows whether emails are sent', async () => {
  for (const [at, mail] of [
    [url, true],
    [withoutMail.url, false],
  ] as const) {
    const { body } = await visitor(at).send('GET', '/web-public/sign-in-options')
    assert.deepEqual(body, { data: { mail, is_set_up: true, single_sign_on: null } })
  }
})

test('a user who forgot their password gets a link that works once, for an hour', async () => {
  const session = await signedIn(app, bela)
  const { status, body } = await forgot(bela.email.toUpperCase())
  assert.deepEqual([status, body], [200, { data: { mail: true } }])
  const mail = await mailTo(bela.email)
  assert.match(mail.content, /works once and is valid for an hour\./)
  const token = /\/join\/([\w-]{32})/.exec(mail.content)![1]!
  const [{ minutes }] = (await owner`select extract(epoch from expires_at - created_at) / 60 as minutes
    from forgotten_links where user_id = ${bela.id}`) as unknown as [{ minutes: string }]
  assert.equal(Number(minutes), 60)
  const page = visitor(url)
  assert.equal((await page.send('POST', '/web-public/link', { token })).body.data.kind, 'reset')
  const join = () => page.send('POST', '/web-public/join', { token, password: 'the second password' })
  assert.equal((await join()).status, 200)
  assert.equal((await join()).status, 404)
  assert.equal((await session.send('GET', '/web/me')).status, 401)
  const signIn = { email: bela.email, password: 'the second password' }
  assert.equal((await page.send('POST', '/auth/sign-in/email', signIn)).status, 200)
  const audits = (await auditOf(owner, bela.id)).map(({ action, user_id, via }) => [action, user_id, via])
  assert.deepEqual(audits.slice(-2), [
    ['user.password_forgotten', null, 'web'],
    ['user.password_set', bela.id, 'web'],
  ])
})

test('the answer does not reveal whether a user exists, and unknown, deactivated and invited users get nothing', async () => {
  await owner`update users set deactivated_at = now() where id = ${zoya.id}`
  const admin = await signedIn(app, asha)
  const invited = await admin.send('POST', `/web/users/${meena.id}/password-link`)
  assert.equal(invited.status, 200)
  const [before, mails] = [await links(), server.mails.length]
  const known = await forgot(chand.email)
  for (const email of ['nobody@x.example', zoya.email, meena.email]) {
    const { status, body, headers } = await forgot(email)
    assert.deepEqual([status, body], [known.status, known.body])
    assert.deepEqual([...headers.keys()].sort(), [...known.headers.keys()].sort())
  }
  await until(async () => (await links()).some(({ user_id }) => user_id === chand.id))
  await sleep(200)
  assert.deepEqual(
    (await links()).filter(({ user_id }) => user_id !== chand.id),
    [...before],
  )
  assert.equal(server.mails.length, mails)
})

test('the answer does not wait for the email', async () => {
  const lock = openAsOwner(app.connection, { max: 1 })
  await lock`begin`
  await lock`lock table forgotten_links in access exclusive mode`
  // It comes while the email cannot be sent.
  const { status } = await forgot(asha.email)
  await lock`rollback`
  await lock.end()
  assert.equal(status, 200)
  await mailTo(asha.email)
})

test('a failed email is in the log, without the recipient or the link', async () => {
  const said = () => app.lines.filter((line) => line.includes('no mail for a forgotten password'))
  await until(async () => said().length > 0)
  assert.match(said()[0]!, /rejected the sender or the recipient/)
  const tokens = server.mails.flatMap(({ content }) => /\/join\/([\w-]{32})/.exec(content)?.slice(1) ?? [])
  for (const secret of [...tokens, asha.email, bela.email, chand.email]) {
    assert.ok(app.lines.every((line) => !line.includes(secret)))
  }
})

test('a user gets at most three emails an hour, from any IP', async () => {
  const sent = () => server.mails.filter(({ to }) => to.includes(asha.email)).length
  const before = sent()
  for (let time = 0; time < 5; time++) {
    const { status, body } = await forgot(time % 2 ? asha.email : asha.email.toUpperCase())
    assert.deepEqual([status, body], [200, { data: { mail: true } }])
    // A link that a newer one replaces before it is emailed is not.
    await until(async () => sent() === Math.min(before + time + 1, 3))
  }
  await sleep(300)
  assert.equal(sent(), 3)
})

test('requests are limited by IP, and other origins and invalid emails are rejected', async () => {
  const before = await links()
  const page = visitor(url)
  const answers = []
  for (let time = 0; time < 12; time++) answers.push(await forgot(`nobody${time}@x.example`, page))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array(10).fill(200), 429, 429],
  )
  assert.equal(answers[11]!.body.error.code, 'RATE_LIMITED')
  assert.match(answers[11]!.headers.get('retry-after')!, /^\d+$/)
  const elsewhere = await fetch(`${url}/web-public/forgotten`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' },
    body: JSON.stringify({ email: asha.email }),
  })
  assert.equal(elsewhere.status, 403)
  for (const email of ['asha', '', null]) {
    const rejected = await visitor(url).send('POST', '/web-public/forgotten', { email })
    assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'email'])
  }
  assert.deepEqual(await links(), before)
})

test('without a mail server the answer says so, and no link is created', async () => {
  const before = await links()
  const { status, body } = await forgot(bela.email, visitor(withoutMail.url))
  assert.deepEqual([status, body], [200, { data: { mail: false } }])
  await sleep(100)
  assert.deepEqual(await links(), before)
})

async function mailTo(email: string) {
  await until(async () => server.mails.some(({ to }) => to.includes(email)))
  return server.mails.findLast(({ to }) => to.includes(email))!
}
