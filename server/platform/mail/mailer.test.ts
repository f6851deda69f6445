import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freePort } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import type { Email } from './email.ts'
import { mailSettings } from './mail-settings.ts'
import { MailFailure, openMailer } from './mailer.ts'

const email: Email = {
  to: 'asha@example.com',
  language: null,
  subject: 'Für Asha',
  before: ['Hello Asha <b>& sons</b>,', 'this is for you:'],
  link: { label: 'Open "it"', url: 'https://leads.example.com/join/abc' },
  after: ['Good-bye.'],
}

const settings = (url: string) => mailSettings(url, 'Leads <leads@example.com>', 'https://leads.example.com')

async function server(t: TestContext, options: Parameters<typeof mailServer>[0] = {}) {
  const started = await mailServer(options)
  t.after(started.close)
  return started
}

test('an email is sent as text and as HTML, with every value escaped in the HTML', async (t) => {
  const { url, mails } = await server(t)
  await (await openMailer(settings(url)))!.send(email)
  const [mail] = mails
  assert.deepEqual([mail!.from, mail!.to], ['leads@example.com', ['asha@example.com']])
  assert.match(mail!.content, /^From: Leads <leads@example\.com>\r\nTo: asha@example\.com\r\nSubject: =\?UTF-8\?/m)
  assert.ok(mail!.content.includes('Hello Asha <b>& sons</b>,\r\n\r\nthis is for you:\r\n\r\nhttps://leads.'))
  assert.ok(mail!.content.includes('<p>Hello Asha &lt;b&gt;&amp; sons&lt;/b&gt;,</p>'))
  assert.ok(mail!.content.includes('<a href="https://leads.example.com/join/abc">Open &quot;it&quot;</a>'))
})

test('user and password come from SMTP_URL, percent-decoded', async (t) => {
  const { port, logins } = await server(t)
  await (await openMailer(settings(`smtp://us%40er:p%3Ass%2Fw@localhost:${port}`)))!.send(email)
  assert.deepEqual(logins, ['\0us@er\0p:ss/w'])
})

test('a password is not sent unencrypted to another machine', async (t) => {
  const { port, logins, mails } = await server(t)
  await assert.rejects((await openMailer(settings(`smtp://user:secret@[::ffff:127.0.0.1]:${port}`)))!.send(email), {
    message: /^No encrypted connection to the mail server could be made/,
  })
  assert.deepEqual([logins, mails], [[], []])
})

test('an email address that parses as two is sent to neither', async (t) => {
  const { url, mails } = await server(t)
  const sent = (await openMailer(settings(url)))!.send({ ...email, to: 'asha@example.com, evil@example.com' })
  await sent.catch((error) => assert.ok(error instanceof MailFailure))
  for (const { to } of mails) assert.ok(!to.includes('asha@example.com') && !to.includes('evil@example.com'))
})

test('a silent mail server is given up after the timeout, and its connection is closed', async (t) => {
  const { url, sockets } = await server(t, { silent: true })
  await assert.rejects((await openMailer(settings(url), 300))!.send(email), {
    message: 'The mail server did not answer in time.',
  })
  while (sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('an error message contains no email address', async (t) => {
  const rejecting = await server(t, { rejects: 'asha@' })
  const noLogin = await server(t, { rejects: 'AUTH' })
  for (const [url, message] of [
    [rejecting.url, 'The mail server rejected the sender or the recipient (550).'],
    [
      `smtp://user:secret-in-here@127.0.0.1:${noLogin.port}`,
      'The mail server rejected the user or the password in SMTP_URL (550).',
    ],
    [`smtp://127.0.0.1:${await freePort()}`, 'The mail server cannot be reached.'],
  ] as const) {
    await assert.rejects((await openMailer(settings(url)))!.send(email), (error: Error) => {
      assert.ok(error instanceof MailFailure)
      assert.equal(error.message, message)
      assert.equal(error.cause, undefined)
      return true
    })
  }
})
