import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { serve, testApp } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { people, signedIn } from '#test/people.ts'
import { visitor } from '#test/visitor.ts'

const server = await mailServer({ rejects: 'rejected@' })
const env = { SMTP_URL: server.url, MAIL_FROM: 'leads@example.com' }
const app = await testApp(env)
const silent = await mailServer({ silent: true })
const [withoutMail, unanswered] = await Promise.all([
  serve(app.database),
  serve(app.database, { ...env, SMTP_URL: silent.url }),
])
after(async () => {
  await Promise.all([withoutMail.close(), unanswered.close(), server.close(), silent.close()])
  await app.close()
})
const { owner } = app
const { asha, bela } = await people(app)
const admin = await signedIn(app, asha)
const person = (email: string, name = 'New <b>Person</b>') => ({ email, name, role: 'Agent' })

test('an invitation is sent by email and answered, and the link of the email works', async () => {
  const { status, body } = await admin.send('POST', '/web/users', person('new@x.example'))
  assert.equal(status, 201)
  const { link, mailed, mail_error } = body.data
  assert.deepEqual([mailed, mail_error], [true, undefined])
  const mail = server.mails.at(-1)!
  assert.deepEqual([mail.from, mail.to], ['leads@example.com', ['new@x.example']])
  assert.ok(mail.content.includes(`\r\n\r\n${link}\r\n\r\n`))
  assert.ok(mail.content.includes(`<a href="${link}">`))
  assert.ok(mail.content.includes('New &lt;b&gt;Person&lt;/b&gt;'))
  assert.match(mail.content, /invited to Acme on Lead Engine/)
  assert.match(mail.content, /works once and is valid for 7 days\./)
  const token = link.split('/').at(-1)
  const joined = await visitor(app.url).send('POST', '/web-public/join', { token, password: 'a long password' })
  assert.equal(joined.status, 200)
})

test('a new link is sent to its user by email, and says how long it works', async () => {
  const { body } = await admin.send('POST', `/web/users/${bela.id}/password-link`)
  assert.equal(body.data.mailed, true)
  const mail = server.mails.at(-1)!
  assert.deepEqual(mail.to, [bela.email])
  assert.ok(mail.content.includes(body.data.link))
})

test('an invitation is in the language of the user who invites, until the new user chooses one', async () => {
  await admin.send('PUT', '/web/me/language', { language: 'hi' })
  const { body } = await admin.send('POST', '/web/users', person('naya@x.example', 'Naya'))
  const mail = server.mails.at(-1)!
  assert.deepEqual(mail.to, ['naya@x.example'])
  assert.match(mail.content, /^नमस्ते Naya,\r$/m)
  assert.ok(mail.content.includes('Lead Engine पर Acme में बुलाया गया है।'))
  assert.ok(mail.content.includes('एक बार काम करता है और 7 दिन तक मान्य है।'))
  await owner`update users set language = 'en' where id = ${body.data.user_id}`
  await admin.send('POST', `/web/users/${body.data.user_id}/password-link`)
  assert.match(server.mails.at(-1)!.content, /^Hello Naya,\r$/m)
  await admin.send('PUT', '/web/me/language', { language: 'en' })
})

test('an invitation whose email fails stays valid, and the Admin sees why', async () => {
  const { status, body } = await admin.send('POST', '/web/users', person('rejected@x.example'))
  assert.equal(status, 201)
  const { user_id, link, mailed, mail_error } = body.data
  assert.deepEqual([mailed, mail_error], [false, 'The mail server rejected the sender or the recipient (550).'])
  assert.equal((await owner`select from users where id = ${user_id}`).length, 1)
  const token = link.split('/').at(-1)
  assert.equal((await visitor(app.url).send('POST', '/web-public/link', { token })).status, 200)
})

test('a rejected invitation sends no email', async () => {
  const before = server.mails.length
  assert.equal((await admin.send('POST', '/web/users', person(asha.email))).status, 400)
  const unknown = '/web/users/00000000-0000-0000-0000-000000000000/password-link'
  assert.equal((await admin.send('POST', unknown)).status, 404)
  assert.equal(server.mails.length, before)
})

test('without a mail server the link is only answered', async () => {
  const page = await signedIn({ ...app, url: withoutMail.url }, asha)
  const { status, body } = await page.send('POST', '/web/users', person('alone@x.example'))
  assert.deepEqual([status, body.data.mailed, 'mail_error' in body.data], [201, false, false])
  assert.match(body.data.link, /\/join\/.{32}$/)
})

test('a silent mail server delays the request by ten seconds, and holds no transaction', async (t) => {
  const page = await signedIn({ ...app, url: unanswered.url }, asha)
  const timeouts: number[] = []
  const timeout = new AbortController()
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    timeouts.push(ms)
    return timeout.signal
  })
  const asked = page.send('POST', '/web/users', person('silent@x.example'))
  while (silent.sockets.size === 0) await setImmediate()
  assert.equal((await owner`select from users where email = 'silent@x.example'`).length, 1)
  const open = await owner`select from pg_stat_activity where datname = current_database()
    and state like 'idle in transaction%'`
  assert.equal(open.length, 0)
  timeout.abort()
  const { status, body } = await asked
  assert.deepEqual([status, body.data.mail_error], [201, 'The mail server did not answer in time.'])
  assert.deepEqual(timeouts, [10_000])
})
