import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { serve, testApp } from '#test/app.ts'
import { enquiredEarlier } from '#test/enquired-earlier.ts'
import { mailServer } from '#test/mail-server.ts'
import { type Answer, ask, people, sessionCookie } from '#test/people.ts'
import { pushServer, signedClaims } from '#test/push-server.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { setPassword } from '../../access/sign-in/credentials.ts'
import { asActor } from '../../platform/database/actor.ts'
import { connect } from '../../platform/database/connect.ts'
import type { Email } from '../../platform/mail/email.ts'
import { mailSettings } from '../../platform/mail/mail-settings.ts'
import { MailFailure, openMailer } from '../../platform/mail/mailer.ts'
import { openPushService } from './push-service.ts'
import { regularEmails } from './regular-emails.ts'
import { sendNotices } from './send-notices.ts'
import { maxBrowsers } from './store.ts'

const service = await pushServer()
const mails = await mailServer()
const app = await testApp({ TRUST_PROXY: '127.0.0.1' })
const { database, owner, url } = app
const { acme, asha, meena, bela, chand, zoya } = await people(app)
// Two processes on one database: each message is sent by one of them.
const second = connect(app.signIns)
let minutesAhead = 0
const clock = () => new Date(Date.now() + minutesAhead * 60_000)
const mailer = await openMailer(mailSettings(mails.url, 'Leads <leads@example.com>', 'https://leads.example.com'))
const push = await openPushService(app.directory, 'https://leads.example.com', service.options)
const errors: unknown[] = []
const surroundings = {
  push,
  mailer,
  baseUrl: 'https://leads.example.com',
  clock,
  onError: (error: unknown) => void errors.push(error),
}
const processes = [database, second].map((one) =>
  sendNotices(one, { ...surroundings, metrics: new Registry() }, regularEmails(one, surroundings)),
)
const pushed = await serve(database, {}, clock)
after(async () => {
  assert.deepEqual(errors, [])
  await Promise.all(processes.map((one) => one.stop()))
  await pushed.close()
  await second.close()
  await app.close()
  await service.close()
  await mails.close()
})

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>
const sends = new Map<string, Send>()
let webhook: Awaited<ReturnType<typeof webhookOf>>
before(async () => {
  // No alerts but in the tests of them, and no quiet hours.
  await owner`update accounts set alert_after = null, work_days = '1234567', work_from = 0, work_until = 1440`
  database.cache.invalidate(null)
  second.cache.invalidate(null)
  for (const person of [asha, meena, bela, chand, zoya]) {
    const cookie = await sessionCookie(app, person)
    sends.set(person.id, (method, path, body) => ask(url, null, method, path, body, { cookie, origin: url }))
  }
  webhook = await webhookOf(app, acme, { default_assignee: bela.id })
})
const as = ({ id }: { id: string }) => sends.get(id)!

/** A subscription that the route would accept from a public push service. */
async function subscribe(person: { id: string; actor: { account_id: string } }) {
  const { endpoint, keys } = service.subscribe()
  await owner`insert into push_subscriptions values (${person.actor.account_id}, gen_random_uuid(), ${person.id},
    ${endpoint}, ${keys.p256dh}, ${keys.auth}, now(), (select id from sessions where user_id = ${person.id} limit 1))`
  service.answersGoTo = new URL(endpoint).pathname
  return service.answersGoTo
}

const to = (path: string) => service.received.filter((one) => one.path === path)
let phone = 9_810_000_000
const lead = (name: string) => ({ name, phone: String(++phone) })
const checkAll = () => Promise.all(processes.map((one) => one.checkAll()))

/** Proves that nothing more comes: what is sent after it has come. */
async function settled(path: string) {
  const before = to(path).length
  await webhook.send(lead('Settled'))
  await until(() => to(path).some(({ message }) => message.body.includes('Settled')), 'the last message')
  service.received.splice(0)
  return before
}

test('a lead that a webhook assigns is pushed to its owner once, encrypted, with its name, product and first answer', async () => {
  const belas = await subscribe(bela)
  const chands = await subscribe(chand)
  const { body } = await webhook.send({
    ...lead('Meera Iyer'),
    email: 'meera@example.com',
    city: 'Pune',
    notes: 'secret',
    project_name: 'Skyline',
    'what_is_your_budget?': '60 lakh',
    visit: 'Sunday',
  })
  await until(() => to(belas).length > 0, 'a push message')
  const [received] = to(belas)
  assert.deepEqual(received!.message, {
    title: 'New lead',
    body: 'Meera Iyer\nSkyline · What is your budget? 60 lakh',
    path: `/leads/${body.data.id}`,
    tag: `assigned ${body.data.id}`,
  })
  assert.equal(received!.body.includes('Meera'), false)
  assert.equal(received!.headers['content-encoding'], 'aes128gcm')
  const claims = signedClaims(String(received!.headers.authorization), push.publicKey)
  assert.deepEqual([claims?.aud, claims?.sub], [service.url, 'https://leads.example.com'])
  assert.equal(await settled(belas), 1)
  assert.deepEqual(to(chands), [])
})

test('a lead is pushed when somebody assigns it, and not to users who assign it to themselves', async () => {
  const belas = await subscribe(bela)
  const ashas = await subscribe(asha)
  const made = await as(asha)('POST', '/web/leads', { ...lead('Own'), assigned_to: asha.email })
  assert.equal(made.status, 201)
  const changed = await as(asha)('PATCH', `/web/leads/${made.body.data.id}`, { assigned_to: bela.email })
  assert.equal(changed.status, 200)
  await until(() => to(belas).length > 0, 'a push message')
  assert.equal(to(belas)[0]!.message.body, 'Own')
  await settled(belas)
  assert.deepEqual(to(ashas), [])
})

test('a subscription that is gone is deleted, and a push service that fails is tried again', async () => {
  await owner`delete from push_subscriptions`
  const gone = await subscribe(bela)
  service.answers.push(410)
  await webhook.send(lead('Gone'))
  await until(async () => (await owner`select from push_subscriptions`).length === 0, 'the subscription is deleted')
  assert.deepEqual(to(gone), [])
  const failing = await subscribe(bela)
  service.answers.push(503, 429)
  await webhook.send(lead('Again'))
  await until(() => to(failing).length > 0, 'the third attempt')
  // A redirect may lead to a private network.
  const redirecting = await settled(failing)
  assert.equal(redirecting, 1)
  service.answers.push(307)
  await webhook.send(lead('Elsewhere'))
  await until(() => service.answers.length === 0, 'the answer')
  assert.equal(await settled(failing), 0)
})

test('keys that nothing can be encrypted for are rejected, and stored ones of one user keep no message from others', async () => {
  await owner`delete from push_subscriptions`
  const malformed = { p256dh: 'A'.repeat(84), auth: 'A'.repeat(22) }
  const offCurve = { p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64)]).toString('base64url') }
  const endpoint = 'https://fcm.googleapis.com/fcm/send/x'
  const { keys } = service.subscribe()
  for (const other of [{ p256dh: malformed.p256dh }, offCurve, { auth: 'A'.repeat(24) }, { auth: 'A'.repeat(21) }]) {
    const sent = { endpoint, keys: { ...keys, ...other } }
    const { status, body } = await as(bela)('POST', '/web/notifications/subscriptions', sent)
    assert.deepEqual([status, body.error.field], [400, 'keys'])
  }
  assert.equal((await owner`select from push_subscriptions`).length, 0)
  await owner`insert into push_subscriptions select ${acme.account_id}, gen_random_uuid(), ${bela.id},
    ${service.url} || '/' || n, ${malformed.p256dh}, ${malformed.auth}, now(), sessions.id
    from sessions cross join generate_series(1, 10) as n where user_id = ${bela.id}`
  const belas = await subscribe(bela)
  await as(bela)('PATCH', '/web/notifications', { by_mail: true })
  await webhook.send(lead('Malformed'))
  await until(() => to(belas).length > 0, 'the message to the other browser')
  const mailed = () => mails.mails.filter(({ content }) => /^Subject: New lead: Malformed/m.test(content))
  await until(() => mailed().length > 0, 'the email')
  await until(async () => (await owner`select from push_subscriptions`).length === 1, 'malformed ones are deleted')
  await as(bela)('PATCH', '/web/notifications', { by_mail: false })
})

test('a push service that never answers delays no email, is skipped, and gets its messages later', async () => {
  await owner`delete from push_subscriptions`
  await as(bela)('PATCH', '/web/notifications', { by_mail: true })
  // A host of its own, because it is skipped for a minute.
  const silent = await pushServer({ isSilent: true })
  const other = await openPushService(app.directory, 'https://leads.example.com', silent.options)
  const { endpoint, keys } = silent.subscribe()
  const [one, another] = [
    { endpoint, ...keys },
    { ...keys, endpoint: silent.subscribe().endpoint },
  ]
  const message = { title: 'New lead', body: 'Silent', path: '/leads', tag: 'x' }
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => other.send(one, message))), ['failed', 'failed', 'failed'])
  assert.equal(await other.send(another, message), 'failed')
  assert.equal(silent.asked.length, 3)
  await silent.close()

  const belas = await subscribe(bela)
  service.answers.push('none')
  await webhook.send(lead('Silent'))
  await until(() => mails.mails.some(({ content }) => content.includes('New lead: Silent')), 'the email')
  assert.equal(
    to(belas).some(({ message }) => message.body === 'Silent'),
    false,
    'the push service is silent',
  )
  await until(() => to(belas).some(({ message }) => message.body === 'Silent'), 'the second attempt')
  await as(bela)('PATCH', '/web/notifications', { by_mail: false })
})

test('an email that fails is sent again, and one that is rejected is not', async () => {
  const sent: Email[] = []
  const failures = [new MailFailure('ETIMEDOUT', undefined), new MailFailure('EENVELOPE', 451)]
  const flaky = async (email: Email) => {
    const failure = email.to === 'gone@example.com' ? new MailFailure('EENVELOPE', 550) : failures.shift()
    sent.push(email)
    if (failure) throw failure
  }
  const failed: unknown[] = []
  const notices = sendNotices(
    database,
    {
      ...surroundings,
      mailer: { send: flaky, verify: async () => {} },
      retryAfter: [1, 1],
      metrics: new Registry(),
      onError: (error) => void failed.push(error),
    },
    async function* (id) {
      if (id !== acme.account_id) return
      for (const to of ['asha@example.com', 'gone@example.com'])
        yield { to, language: null, subject: 'x', before: [], after: [] }
    },
  )
  await notices.checkAll()
  await notices.stop()
  assert.deepEqual(sent.map(({ to }) => to).sort(), [...Array(3).fill('asha@example.com'), 'gone@example.com'])
  assert.equal(failed.length, 3)
})

test('a lost phone gets no message after its session ended, however it ended, and other devices do', async () => {
  const password = 'the password of Bela'
  let signIns = 0
  const signIn = async () => {
    // Attempts from one IP address are limited.
    const from = { origin: url, 'x-forwarded-for': `198.51.100.${++signIns}` }
    const { headers } = await ask(url, null, 'POST', '/auth/sign-in/email', { email: bela.email, password }, from)
    const cookie = headers.getSetCookie().map((line) => line.split(';')[0])
    return ((method, path, body) =>
      ask(url, null, method, path, body, { cookie: cookie.join('; '), origin: url })) as Send
  }
  const subscribeOn = async (device: Send) => {
    const { endpoint, keys } = service.subscribe()
    const sent = { endpoint: `https://fcm.googleapis.com${new URL(endpoint).pathname}`, keys }
    assert.equal((await device('POST', '/web/notifications/subscriptions', sent)).status, 200)
    // This test's push service has no public IP address.
    await owner`update push_subscriptions set endpoint = ${endpoint} where endpoint = ${sent.endpoint}`
    return new URL(endpoint).pathname
  }
  const browsersOf = async (device: Send) => (await device('GET', '/web/notifications')).body.data.browsers
  const ends: Record<string, (laptop: Send, phone: Send) => Promise<unknown>> = {
    'sign-out': (_laptop, phone) => phone('POST', '/auth/sign-out'),
    'End session': async (laptop, phone) => {
      const { body } = await phone('GET', '/auth/get-session')
      return laptop('POST', '/auth/revoke-session', { token: body.session.token })
    },
    'End all others': (laptop) => laptop('POST', '/auth/revoke-other-sessions'),
    expiry: async (_laptop, phone) => {
      const { body } = await phone('GET', '/auth/get-session')
      await owner`update sessions set expires_at = now() where id = ${body.session.id}`
    },
  }
  for (const [name, end] of Object.entries(ends)) {
    await setPassword(app.directory, bela.id, password)
    await owner`delete from push_subscriptions`
    service.received.splice(0)
    const [laptop, phone] = [await signIn(), await signIn()]
    const [kept, lost] = [await subscribeOn(laptop), await subscribeOn(phone)]
    assert.equal(await browsersOf(laptop), 2, name)
    await end(laptop, phone)
    await webhook.send(lead(name))
    await until(() => to(kept).length > 0, `the message after ${name}`)
    assert.deepEqual([to(lost).length, await browsersOf(laptop)], [0, 1], name)
    assert.equal((await owner`select from push_subscriptions`).length, 1, name)
  }

  // These end the session of the laptop too, or give it another.
  const [laptop, phone] = [await signIn(), await signIn()]
  await owner`delete from push_subscriptions`
  const lost = await subscribeOn(phone)
  const change = { currentPassword: password, newPassword: 'another password of Bela' }
  assert.equal((await laptop('POST', '/auth/change-password', change)).status, 200)
  await webhook.send(lead('New password'))
  await until(async () => (await owner`select from push_subscriptions`).length === 0, 'the phone is deleted')
  assert.deepEqual(to(lost), [])
  // Signs the user of the other tests in again.
  const cookie = await sessionCookie(app, bela)
  sends.set(bela.id, (method, path, body) => ask(url, null, method, path, body, { cookie, origin: url }))
})

test('quiet hours postpone messages to their end, and several become one', async (t) => {
  t.after(async () => {
    minutesAhead = 0
    await as(bela)('PATCH', '/web/notifications', { quiet_from: null, quiet_until: null })
  })
  await owner`delete from push_subscriptions`
  const belas = await subscribe(bela)
  const minute = Math.floor((Date.now() / 60_000 + 330) % 1440)
  const quiet = { quiet_from: (minute + 1439) % 1440, quiet_until: (minute + 60) % 1440 }
  assert.equal((await as(bela)('PATCH', '/web/notifications', quiet)).status, 200)
  const empty = await as(bela)('PATCH', '/web/notifications', { quiet_from: quiet.quiet_until })
  assert.deepEqual([empty.status, empty.body.error.field], [400, 'quiet_until'])
  assert.equal((await as(bela)('GET', '/web/notifications')).body.data.quiet_from, quiet.quiet_from)
  await webhook.send(lead('First'))
  await webhook.send(lead('Second'))
  await until(
    async () => (await owner`select from notices where state = 'new' and notify_at > now()`).length === 2,
    'both are postponed',
  )
  assert.deepEqual(to(belas), [])
  minutesAhead += 62
  // Two processes at the same moment may take one assignment each.
  await processes[0]!.checkAll()
  await until(() => to(belas).length > 0, 'one message')
  assert.equal(to(belas)[0]!.message.title, '2 new leads')
  assert.match(to(belas)[0]!.message.body, /^(First|Second) and 1 more$/)
})

test('the owner is notified when a colleague enters the customer; without an owner, the Admins', async () => {
  await owner`delete from push_subscriptions`
  const { body } = await webhook.send(lead('Vikram Shah'))
  await until(async () => (await owner`select from notices where notify_at is not null`).length === 0, 'taken')
  const [belas, chands, ashas] = [await subscribe(bela), await subscribe(chand), await subscribe(asha)]
  const { data: before } = (await as(bela)('GET', '/web/notices')).body
  const customer = { name: 'Walk-in', phone: String(phone) }
  const sent = await as(chand)('POST', '/web/leads', { ...customer, notes: 'Wants a demo' })
  assert.deepEqual([sent.status, sent.body.data.hidden, sent.body.data.owner], [200, true, 'Bela'])
  await until(() => to(belas).length > 0, 'a push message')
  assert.deepEqual(to(belas)[0]!.message, {
    title: 'New note from a colleague',
    body: 'Vikram Shah',
    path: `/leads/${body.data.id}`,
    tag: `submission ${body.data.id}`,
  })
  const { data } = (await as(bela)('GET', `/web/notices?after=${before.newest}`)).body
  assert.deepEqual(
    data.notices.map((one: { name: string; user: string }) => [one.name, one.user]),
    [['Vikram Shah', 'Chand']],
  )
  // Not what API keys send, nor what the owner or an Admin, who see the lead, enter.
  await chand.send('POST', '/api/v1/leads', customer)
  for (const user of [bela, asha]) await as(user)('POST', '/web/leads', customer)
  assert.equal((await owner`select from notices where kind = 'submission'`).length, 1)
  await owner`update leads set assigned_to = null where id = ${body.data.id}`
  await as(chand)('POST', '/web/leads', customer)
  await until(() => to(ashas).length > 0, 'a push message to the Admin')
  assert.deepEqual(to(chands), [])
})

const missed = { call_type: 'Inbound', duration_seconds: 0, outcome: 'Missed' }
const logCall = async (lead_id: string, more: object = {}) => {
  const { status, body } = await asha.send('POST', '/api/v1/call-logs', { ...missed, lead_id, ...more })
  assert.equal(status, 201, JSON.stringify(body))
}

test('a missed call is pushed to the owner of the lead, and a call that needs no callback is not', async () => {
  await owner`delete from push_subscriptions`
  const { body } = await webhook.send(lead('Asha Rao'))
  const { id } = body.data
  await until(async () => (await owner`select from notices where notify_at is not null`).length === 0, 'taken')
  const [belas, chands, ashas] = [await subscribe(bela), await subscribe(chand), await subscribe(asha)]
  const ago = (minutes: number) => ({ called_at: new Date(Date.now() - minutes * 60_000).toISOString() })
  await logCall(id, { outcome: 'Completed', duration_seconds: 60, ...ago(2) })
  await logCall(id, ago(3))
  await logCall(id, ago(90))
  await logCall(id, { call_type: 'Outbound', outcome: 'No Answer' })
  assert.equal((await as(asha)('POST', `/web/leads/${id}/calls`, missed)).status, 201)
  assert.equal(await settled(belas), 0)
  await logCall(id, { outcome: 'Voicemail' })
  await until(() => to(belas).length > 0, 'a push message')
  assert.deepEqual(to(belas)[0]!.message, {
    title: 'Missed call',
    body: 'Asha Rao',
    path: '/queue',
    tag: `missed_call ${id}`,
  })
  // One message within five minutes, until somebody spoke with the lead.
  await logCall(id)
  await logCall(id)
  assert.equal(await settled(belas), 1)
  await owner`update call_logs set called_at = called_at - interval '10 seconds' where lead_id = ${id}`
  await logCall(id, {
    outcome: 'Completed',
    duration_seconds: 60,
    called_at: new Date(Date.now() - 5000).toISOString(),
  })
  await logCall(id)
  await until(() => to(belas).length > 0, 'a message after a conversation')
  assert.equal(await settled(belas), 1)
  assert.deepEqual([...to(chands), ...to(ashas)], [])
})

test('a lead who enquires again is pushed to its owner by name, once within five minutes', async () => {
  await owner`delete from push_subscriptions`
  const belas = await subscribe(bela)
  const chands = await subscribe(chand)
  const venkat = { ...lead('Venkat'), message: 'Three rooms' }
  const { body } = await webhook.send(venkat)
  await until(() => to(belas).length > 0, 'the new lead')
  await owner`update leads set status = 'Won', assigned_to = ${chand.id} where id = ${body.data.id}`
  await enquiredEarlier(owner)
  for (const message of ['Secret message', 'Another one']) await webhook.send({ ...venkat, message })
  await until(() => to(chands).length > 0, 'a push message')
  assert.deepEqual(to(chands)[0]!.message, {
    title: 'Enquired again',
    body: 'Venkat',
    path: `/leads/${body.data.id}`,
    tag: `enquired_again ${body.data.id}`,
  })
  await until(
    async () =>
      (await owner`select from notices where lead_id = ${body.data.id} and notify_at is not null`).length === 0,
    'all steps',
  )
  assert.equal(to(chands).length, 1)
  await settled(belas)
})

test('a missed call that a telephone system reports of an unknown number is one message', async () => {
  await owner`delete from push_subscriptions`
  const belas = await subscribe(bela)
  const { status } = await webhook.send({
    CallSid: `CA${'7'.repeat(32)}`,
    AccountSid: `AC${'1'.repeat(32)}`,
    From: '+919870099887',
    To: '+918047110044',
    Direction: 'inbound',
    ApiVersion: '2010-04-01',
    CallStatus: 'no-answer',
    CallDuration: '0',
    Timestamp: new Date().toUTCString().replace('GMT', '+0000'),
    SequenceNumber: '1',
  })
  assert.equal(status, 200)
  await until(() => to(belas).length > 0, 'a push message')
  const { title, body, path } = to(belas)[0]!.message
  assert.deepEqual([title, body, path], ['Missed call', 'Caller +91 98700 99887', '/queue'])
  assert.equal(await settled(belas), 1)
})

test('missed calls of quiet hours become one message, without those that were called back', async (t) => {
  t.after(async () => {
    minutesAhead = 0
    await as(bela)('PATCH', '/web/notifications', { quiet_from: null, quiet_until: null })
  })
  await owner`delete from push_subscriptions`
  const belas = await subscribe(bela)
  const minute = Math.floor((Date.now() / 60_000 + 330) % 1440)
  const quiet = { quiet_from: (minute + 1439) % 1440, quiet_until: (minute + 60) % 1440 }
  assert.equal((await as(bela)('PATCH', '/web/notifications', quiet)).status, 200)
  const announced = new Set<string>()
  second.watch?.onRinging((_, userId) => announced.add(userId))
  const ids: string[] = []
  for (const name of ['Twice', 'Once', 'Called back']) {
    const { id } = (await webhook.send(lead(name))).body.data
    ids.push(id)
    await logCall(id)
  }
  const [twice, , calledBack] = ids
  await logCall(twice!)
  await until(
    async () => (await owner`select from notices where state = 'new' and notify_at > now()`).length === 7,
    'three new leads and four missed calls are postponed',
  )
  await until(() => announced.size > 0, 'they are announced to the open pages of their owner')
  assert.deepEqual([...announced], [bela.id])
  const later = new Date(Date.now() + 2000).toISOString()
  await logCall(calledBack!, { outcome: 'Completed', duration_seconds: 9, called_at: later })
  minutesAhead += 62
  await processes[0]!.checkAll()
  await until(() => to(belas).length > 0, 'one message')
  assert.deepEqual(
    to(belas).map(({ message: { title, path } }) => [title, path]),
    [['3 missed calls', '/queue']],
  )
  assert.match(to(belas)[0]!.message.body, /^(Twice|Once) and 1 more$/)
})

test('a missed call of a lead without an owner is pushed to Admins', async () => {
  await owner`delete from push_subscriptions`
  const [ashas, meenas, belas] = [await subscribe(asha), await subscribe(meena), await subscribe(bela)]
  const { body } = await (await webhookOf(app, acme)).send(lead('Of no one'))
  await logCall(body.data.id)
  await until(() => to(ashas).length > 0, 'a push message')
  assert.equal(to(ashas)[0]!.message.body, 'Of no one')
  await settled(belas)
  assert.deepEqual(to(meenas), [])
})

test('a lead that is not called is reported to its owner, then to the Manager of the team, and a called one is not', async (t) => {
  t.after(async () => {
    minutesAhead = 0
    await as(asha)('PATCH', '/web/account', { alert_after: null })
    second.cache.invalidate(null)
  })
  await owner`delete from push_subscriptions`
  await owner`update notices set notify_at = null`
  const [belas, meenas, chands] = [await subscribe(bela), await subscribe(meena), await subscribe(chand)]
  service.received.splice(0)
  assert.equal((await as(asha)('PATCH', '/web/account', { alert_after: 15 })).status, 200)
  second.cache.invalidate(null)
  const { body: uncalled } = await webhook.send(lead('Uncalled'))
  const { body: called } = await webhook.send(lead('Called'))
  await until(
    async () => (await owner`select from notices where state = 'notified' and notify_at is not null`).length === 2,
    'both are notified',
  )
  await until(() => to(belas).length === 2 || to(belas)[0]?.message.title === '2 new leads', 'the messages')
  const call = { call_type: 'Outbound', duration_seconds: 0 }
  assert.equal((await as(bela)('POST', `/web/leads/${called.data.id}/calls`, call)).status, 201)
  service.received.splice(0)
  minutesAhead += 16
  await checkAll()
  await until(() => to(belas).length > 0, 'an alert')
  assert.deepEqual(
    to(belas).map(({ message }) => [message.title, message.body]),
    [['A lead not called yet', 'Uncalled']],
  )
  assert.deepEqual(to(meenas), [])
  minutesAhead += 16
  await checkAll()
  await until(() => to(meenas).length > 0, 'an alert to the Manager')
  assert.deepEqual(
    to(meenas).map(({ message }) => [message.title, message.path]),
    [['A lead not called yet in your team', `/leads/${uncalled.data.id}`]],
  )
  assert.equal(to(belas).length, 1)
  assert.deepEqual(to(chands), [])
})

test('notifications come by email to those who want it', async () => {
  const inbox = () => mails.mails.filter((mail) => mail.to.includes(chand.email))
  const assign = (name: string) => asha.send('POST', '/api/v1/leads', { ...lead(name), assigned_to: chand.email })
  await assign('Unwanted')
  await until(async () => (await owner`select from notices where notify_at is not null`).length === 0, 'taken')
  await as(chand)('PATCH', '/web/notifications', { by_mail: true })
  await assign('Wanted')
  await until(() => inbox().length > 0, 'an email')
  assert.equal(inbox().length, 1)
  assert.match(inbox()[0]!.content, /^Subject: New lead: Wanted/m)
  assert.match(inbox()[0]!.content, /https:\/\/leads\.example\.com\/leads\/[0-9a-f-]{36}/)
  const [found] = await owner`select id from leads where name = 'Wanted'`
  await logCall(found!.id)
  await until(() => inbox().length > 1, 'an email about the missed call')
  assert.match(inbox()[1]!.content, /^Subject: Missed call: Wanted/m)
  assert.match(inbox()[1]!.content, /https:\/\/leads\.example\.com\/queue/)
})

test('notifications come in the language of the user, by push and by email', async () => {
  await owner`delete from push_subscriptions`
  await as(bela)('PATCH', '/web/notifications', { by_mail: true })
  assert.equal((await as(bela)('PUT', '/web/me/language', { language: 'hi' })).body.data.language, 'hi')
  const belas = await subscribe(bela)
  const { body } = await webhook.send(lead('Meera {0} \\u0041'))
  await until(() => to(belas).length > 0, 'a push message')
  assert.deepEqual(to(belas)[0]!.message, {
    title: 'नई लीड',
    body: 'Meera {0} \\u0041',
    path: `/leads/${body.data.id}`,
    tag: `assigned ${body.data.id}`,
  })
  const mailed = () => mails.mails.find(({ content }) => content.includes('नई लीड: Meera {0} \\u0041।'))
  await until(() => mailed() !== undefined, 'the email')
  assert.match(mailed()!.content, /^नमस्ते Bela,\r$/m)
  assert.match(mailed()!.content, /<html lang="hi">/)
  await as(bela)('PUT', '/web/me/language', { language: 'en' })
  await webhook.send(lead('In English'))
  await until(() => to(belas).some(({ message }) => message.title === 'New lead'), 'a push message in English')
  await as(bela)('PATCH', '/web/notifications', { by_mail: false })
})

test('Admins get one email about a webhook that rejects', async () => {
  for (let n = 0; n < 3; n++) assert.equal((await webhook.send({ city: `Pune ${n}` })).status, 400)
  mails.mails.splice(0)
  minutesAhead = 90
  await checkAll()
  await checkAll()
  const about = mails.mails.filter(({ content }) => /^Subject: Rejected deliveries/m.test(content))
  assert.deepEqual(
    about.map((mail) => mail.to[0]),
    [asha.email],
  )
  minutesAhead = 0
})

test('Managers and Admins get a digest of their leads once a day, unless they do not want it', async () => {
  await as(asha)('PATCH', '/web/notifications', { digest: false })
  await owner`delete from call_logs where account_id = ${acme.account_id}`
  const { body } = await webhook.send(lead('Missed'))
  for (const duration_seconds of [0, 4300]) {
    await logCall(body.data.id, { duration_seconds, outcome: duration_seconds === 0 ? 'Missed' : 'Completed' })
  }
  // Tomorrow's may have been sent by the test before, if it is late in the evening.
  minutesAhead = 48 * 60
  const dayBefore = new Date(clock().getTime() - 24 * 60 * 60_000)
  await owner`update leads set created_at = ${dayBefore} where account_id = ${acme.account_id}`
  await owner`update call_logs set called_at = ${dayBefore} where account_id = ${acme.account_id}`
  await owner`update call_logs set called_by = ${chand.id} where duration_seconds > 0`
  mails.mails.splice(0)
  await checkAll()
  await checkAll()
  const digests = mails.mails.filter(({ content }) => /not called yet/.test(content))
  assert.deepEqual(
    digests.map((mail) => mail.to[0]),
    [meena.email],
  )
  const lines = digests[0]!.content.split(/\r?\n/)
  assert.match(lines.find((line) => line.startsWith('New leads:'))!, /^New leads: \d+, not called yet: \d+$/)
  assert.match(lines.find((line) => line.startsWith('Bela:'))!, /^Bela: \d+ new, \d+ not called$/)
  const calls = lines.indexOf('Calls: 2, missed: 1')
  // Who called counts, and not who owns the lead: Chand is of another team.
  assert.deepEqual(lines.slice(calls, calls + 5), [
    'Calls: 2, missed: 1',
    'Chand: 1 call, 1 connected, talk time 1 h 12 min',
    '',
    'Missed calls by owner:',
    'Bela: 1 missed, 1 not called back',
  ])
  assert.doesNotMatch(digests[0]!.content, /Chand: \d+ new/)

  await as(meena)('PUT', '/web/me/language', { language: 'hi' })
  await owner`delete from sent_notices`
  mails.mails.splice(0)
  const restarted = sendNotices(
    database,
    { ...surroundings, metrics: new Registry() },
    regularEmails(database, surroundings),
  )
  await restarted.checkAll()
  await restarted.stop()
  const inHindi = mails.mails.find((mail) => mail.to.includes(meena.email))!.content
  const date = new Intl.DateTimeFormat('hi-IN', { dateStyle: 'long', timeZone: 'Asia/Kolkata' }).format(dayBefore)
  assert.ok(inHindi.includes(`ये ${date} की लीड और कॉल हैं।`), inHindi)
  assert.ok(inHindi.includes('Chand: 1 कॉल, 1 में बात हुई, बातचीत का समय 1 घंटा 12 मिनट'), inHindi)
  minutesAhead = 0
})

test('the page asks what came since it was opened, and sees only its own', async () => {
  const { body: first } = await as(bela)('GET', '/web/notices')
  assert.deepEqual(first.data.notices, [])
  const { body } = await webhook.send(lead('Since'))
  const { body: since } = await as(bela)('GET', `/web/notices?after=${first.data.newest}`)
  assert.deepEqual(
    since.data.notices.map(({ lead_id, name }: { lead_id: string; name: string }) => [lead_id, name]),
    [[body.data.id, 'Since']],
  )
  assert.ok(since.data.newest > first.data.newest)
  for (const other of [asha, chand, zoya])
    assert.deepEqual(
      (await as(other)('GET', '/web/notices?after=0')).body.data.notices.filter(
        (one: { name: string }) => one.name === 'Since',
      ),
      [],
    )
})

test('only public push services are accepted, and a user has at most ten browsers', async () => {
  const { keys } = service.subscribe()
  const subscribing = (endpoint: string, other: object = {}) =>
    as(zoya)('POST', '/web/notifications/subscriptions', { endpoint, keys: { ...keys, ...other } })
  for (const endpoint of [
    'http://fcm.googleapis.com/fcm/send/x',
    'https://127.0.0.1/push',
    'https://[::1]/push',
    'https://localhost/push',
    'https://database.internal/push',
    'https://user:password@push.example.com/x',
    'https://push.services.mozilla.com:8443/x',
    'ftp://push.example.com/x',
    'push.example.com/something',
  ]) {
    const { status, body } = await subscribing(endpoint)
    assert.deepEqual([endpoint, status, body.error.field], [endpoint, 400, 'endpoint'])
  }
  assert.equal((await subscribing('https://fcm.googleapis.com/fcm/send/x', { auth: 'short' })).status, 400)
  assert.equal((await owner`select from push_subscriptions where user_id = ${zoya.id}`).length, 0)
  for (let n = 0; n <= maxBrowsers; n++)
    assert.equal((await subscribing(`https://fcm.googleapis.com/fcm/send/${n}`)).status, 200)
  const kept = await owner`select endpoint from push_subscriptions where user_id = ${zoya.id}`
  assert.equal(kept.length, maxBrowsers)
  const removed = await as(zoya)(
    'DELETE',
    `/web/notifications/subscriptions?endpoint=${encodeURIComponent(kept[0]!.endpoint)}`,
  )
  assert.deepEqual([removed.status, removed.body.data.browsers], [200, maxBrowsers - 1])
})

test('a lead that is deleted leaves nothing to notify', async () => {
  const { body } = await webhook.send(lead('Deleted'))
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)).status, 200)
  assert.equal((await owner`select from notices where lead_id = ${body.data.id}`).length, 0)
  await asActor(database, acme, (tx) => tx`select 1`)
})

test('a test goes to the device that asks for it, and says what the push service answered', async () => {
  // Not Bela: a message about the lead of the test before may be on its way to her.
  await owner`delete from push_subscriptions`
  Object.assign(app.app.push, push)
  const path = await subscribe(chand)
  const endpoint = service.url + path
  const id = randomUUID()
  const sendTest = async (person: { id: string }) => {
    const { status, body } = await as(person)('POST', '/web/notifications/test', { endpoint, id })
    return [status, body.data?.outcome]
  }
  const isKnown = async () =>
    (await as(chand)('GET', `/web/notifications?endpoint=${encodeURIComponent(endpoint)}`)).body.data.has_endpoint

  assert.deepEqual(await sendTest(bela), [200, 'none'])
  assert.deepEqual(await sendTest(zoya), [200, 'none'])
  assert.deepEqual(to(path), [])
  assert.deepEqual(await sendTest(chand), [200, 'sent'])
  assert.deepEqual(
    to(path).map(({ message }) => [message.title, message.test]),
    [['Test notification', id]],
  )
  for (const [answer, outcome] of [
    [503, 'failed'],
    [403, 'rejected'],
  ] as const) {
    service.answers.push(answer)
    assert.deepEqual(await sendTest(chand), [200, outcome])
    assert.equal(await isKnown(), true)
  }
  service.answers.push(410)
  assert.deepEqual(await sendTest(chand), [200, 'gone'])
  assert.equal(await isKnown(), false)
  assert.deepEqual(await sendTest(chand), [200, 'none'])
  assert.equal(to(path).length, 1)
})
