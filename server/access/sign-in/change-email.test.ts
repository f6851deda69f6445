import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { people, signedIn } from '#test/people.ts'
import { visitor } from '#test/visitor.ts'
import { hashPassword } from './password.ts'

let now = new Date('2026-11-22T06:40:00Z')
const server = await mailServer({ rejects: 'rejected@' })
const app = await testApp({ SMTP_URL: server.url, MAIL_FROM: 'leads@example.com' }, () => now)
const withoutMail = await serve(app.database)
after(async () => {
  await Promise.all([withoutMail.close(), server.close()])
  await app.close()
})
const { owner } = app
const { asha, bela, chand, zoya } = await people(app)
const password = 'seven green parrots'
const [admin, agent] = await Promise.all([signedIn(app, asha), signedIn(app, bela)])
await owner`update credentials set password = ${await hashPassword(password)}`

const emailOf = async ({ id }: { id: string }) => (await owner`select email from users where id = ${id}`)[0]!.email
const sentCode = () => /Your code is (\d{8})\./.exec(server.mails.at(-1)!.content)![1]!
const signIn = async (email: string) =>
  (await visitor(app.url).send('POST', '/auth/sign-in/email', { email, password })).status

test('a user changes their email with the password and the code that was sent to the new one', async () => {
  const change = { email: 'Bela.Shah@x.example', password }
  const asked = await agent.send('POST', '/web/me/email', change)
  assert.deepEqual([asked.status, asked.body.data], [200, { email: bela.email, code_sent: true }])
  assert.deepEqual(server.mails.at(-1)!.to, ['Bela.Shah@x.example'])
  assert.equal(await emailOf(bela), bela.email)

  now = new Date(now.getTime() + 29 * 60_000)
  const code = sentCode()
  const done = await agent.send('POST', '/web/me/email', { ...change, code: `${code.slice(0, 4)} ${code.slice(4)}` })
  assert.deepEqual([done.status, done.body.data], [200, { email: 'Bela.Shah@x.example', code_sent: false }])
  assert.deepEqual(
    server.mails.slice(-2).map(({ to }) => to),
    [[bela.email], ['Bela.Shah@x.example']],
  )
  assert.deepEqual([await signIn('bela.shah@x.example'), await signIn(bela.email)], [200, 401])
  const [audit] = await owner`select details from audit_log where subject_id = ${bela.id} and action = 'user.changed'`
  assert.deepEqual(audit!.details, { email: 'Bela.Shah@x.example' })
})

test('a wrong password, a wrong, old or used code, or a code for another email changes nothing', async () => {
  const change = { email: 'bela2@x.example', password }
  await agent.send('POST', '/web/me/email', change)
  const code = sentCode()
  const other = String((Number(code) + 1) % 100_000_000).padStart(8, '0')
  const before = await emailOf(bela)
  const rejected = async (body: object, field: string) => {
    const answer = await agent.send('POST', '/web/me/email', body)
    assert.deepEqual([answer.status, answer.body.error.field], [400, field])
    assert.equal(await emailOf(bela), before)
  }
  await rejected({ ...change, password: 'wrong' }, 'password')
  await rejected({ ...change, password: 'wrong', code }, 'password')
  await rejected({ ...change, code: other }, 'code')
  await rejected({ ...change, email: 'bela3@x.example', code }, 'code')
  now = new Date(now.getTime() + 61 * 60_000)
  await rejected({ ...change, code }, 'code')
})

test('an email of another user, the same email, and one that gets no mail are rejected', async () => {
  const before = await emailOf(asha)
  const rejected = async (change: object, message: RegExp) => {
    const answer = await admin.send('POST', '/web/me/email', { password, ...change })
    assert.deepEqual([answer.status, answer.body.error?.field], [400, 'email'])
    assert.match(answer.body.error.message, message)
    assert.equal(await emailOf(asha), before)
  }
  const email = zoya.email.toUpperCase()
  await admin.send('POST', '/web/me/email', { password, email })
  await rejected({ email, code: sentCode() }, /^Another user already has the email/)
  await rejected({ email: before.toUpperCase() }, /^The new email is the same as the current one\.$/)
  await rejected({ email: 'rejected@x.example' }, /^No code could be sent\. The mail server rejected/)
})

test('at most five codes are sent to a user in an hour', async () => {
  const codes = async () => (await agent.send('POST', '/web/me/email', { email: 'more@x.example', password })).status
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push(await codes())
  assert.equal(statuses.at(-1), 429)
  assert.equal(server.mails.filter(({ to }) => to[0] === 'more@x.example').length <= 5, true)
})

test('an Admin changes the email of another user with their own password, and old links end', async () => {
  const link = await admin.send('POST', `/web/users/${chand.id}/password-link`)
  const path = `/web/users/${chand.id}/email`
  const wrong = await admin.send('POST', path, { email: 'chand.new@x.example', password: 'wrong' })
  assert.deepEqual([wrong.status, wrong.body.error.field], [400, 'password'])
  assert.equal(await emailOf(chand), chand.email)

  const { status, body } = await admin.send('POST', path, { email: 'chand.new@x.example', password })
  assert.deepEqual([status, body.data], [200, { id: chand.id, email: 'chand.new@x.example' }])
  assert.deepEqual(
    server.mails.slice(-2).map(({ to }) => to),
    [[chand.email], ['chand.new@x.example']],
  )
  const token = link.body.data.link.split('/').at(-1)
  assert.equal((await visitor(app.url).send('POST', '/web-public/link', { token })).status, 404)

  const own = await admin.send('POST', `/web/users/${asha.id}/email`, { email: 'a@x.example', password })
  assert.equal(own.status, 400)
  assert.equal(await emailOf(asha), asha.email)
})

test('without a mail server the password is enough', async () => {
  const browser = await signedIn({ directory: app.directory, url: withoutMail.url }, asha)
  await owner`update credentials set password = ${await hashPassword(password)} where subject = ${asha.id}`
  const { status, body } = await browser.send('POST', '/web/me/email', { email: 'asha.rao@x.example', password })
  assert.deepEqual([status, body.data], [200, { email: 'asha.rao@x.example', code_sent: false }])
  assert.equal(await signIn('asha.rao@x.example'), 200)
})
