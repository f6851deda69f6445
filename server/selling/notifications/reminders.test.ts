import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Registry } from 'prom-client'
import { testApp } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { people, signedIn } from '#test/people.ts'
import { pushServer } from '#test/push-server.ts'
import { until } from '#test/until.ts'
import { connect } from '../../platform/database/connect.ts'
import { mailSettings } from '../../platform/mail/mail-settings.ts'
import { openMailer } from '../../platform/mail/mailer.ts'
import { openPushService } from './push-service.ts'
import { sendNotices } from './send-notices.ts'

/** 10:30 in India, on a Saturday. */
let now = new Date('2026-11-21T05:00:00Z')
const minutes = (n: number) => {
  now = new Date(now.getTime() + n * 60_000)
}
const inMinutes = (n: number) => new Date(now.getTime() + n * 60_000).toISOString()

const service = await pushServer()
const mails = await mailServer()
const app = await testApp({}, () => now)
const { owner } = app
const { asha, bela, chand, acme } = await people(app)
const [admin, agent, other] = await Promise.all([asha, bela, chand].map(async (user) => (await signedIn(app, user))!))
// Two processes on one database.
const second = connect(app.signIns)
const push = await openPushService(app.directory, 'https://leads.example.com', service.options)
const mailer = await openMailer(mailSettings(mails.url, 'Leads <leads@example.com>', 'https://leads.example.com'))
const errors: unknown[] = []
const start = (database: typeof second) =>
  sendNotices(
    database,
    {
      push,
      mailer,
      baseUrl: 'https://leads.example.com',
      clock: () => now,
      metrics: new Registry(),
      onError: (error) => void errors.push(error),
    },
    async function* () {},
  )
let processes = [app.database, second].map(start)
after(async () => {
  assert.deepEqual(errors, [])
  await Promise.all(processes.map((one) => one.stop()))
  await second.close()
  await app.close()
  await service.close()
  await mails.close()
})

async function subscribe(user: { id: string }) {
  const { endpoint, keys } = service.subscribe()
  await owner`insert into push_subscriptions values (${acme.account_id}, gen_random_uuid(), ${user.id},
    ${endpoint}, ${keys.p256dh}, ${keys.auth}, now(), (select id from sessions where user_id = ${user.id} limit 1))`
  return new URL(endpoint).pathname
}
const [belas, chands, ashas] = [await subscribe(bela), await subscribe(chand), await subscribe(asha)]
const to = (path: string) => service.received.filter((one) => one.path === path).map(({ message }) => message)

let phone = 9_820_000_000
async function lead(name: string): Promise<string> {
  const { body: answer } = await agent!.send('POST', '/web/leads', { name, phone: String(++phone) })
  assert.ok(answer.data.id, JSON.stringify(answer))
  return answer.data.id
}
async function change(id: string, body: object, browser = agent!) {
  const answer = await browser.send('PATCH', `/web/leads/${id}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
async function promised(name: string, minutesAhead: number) {
  const id = await lead(name)
  await change(id, { call_again_at: inMinutes(minutesAhead) })
  return id
}
/** Takes what is due. What is sent of it may arrive later. */
async function check() {
  await Promise.all(processes.map((one) => one.checkAll()))
  await until(async () => (await owner`select from leads where remind_at <= ${now}`).length === 0, 'all are taken')
}
/** Takes what is due, and returns the messages of Bela since the last call: another reminder comes after them. */
async function reminded() {
  await check()
  const marker = await promised('Marker', 1)
  minutes(1)
  await check()
  await until(() => to(belas).some(({ body }) => body === 'Marker'), 'the marker')
  await change(marker, { call_again_at: null })
  const messages = to(belas).filter(({ body }) => body !== 'Marker')
  const own = messages.map(({ title, body }) => `${title}: ${body}`)
  service.received.splice(0)
  return own
}
const onPages = async (browser = agent!) => {
  const { body } = await browser.send('GET', '/web/today/due')
  return body.data as { calls: { name: string; is_overdue: boolean }[]; changes_in: number | null; count: number }
}

test('a promised call is due at its time on pages and devices, and once more after 15 minutes', async () => {
  const id = await promised('Meera Iyer', 60)
  minutes(50)
  assert.deepEqual(await reminded(), [])
  assert.deepEqual(await onPages(), { calls: [], count: 0, changes_in: 9 * 60 })
  minutes(9)
  await check()
  await until(() => to(belas).length > 0, 'a push message')
  const [message] = to(belas)
  assert.deepEqual(message, {
    title: 'Call due',
    body: 'Meera Iyer',
    path: `/leads/${id}`,
    tag: `call_due ${id}`,
  })
  const { calls, changes_in } = await onPages()
  assert.deepEqual(
    [calls.map(({ name, is_overdue }) => [name, is_overdue]), changes_in],
    [[['Meera Iyer', false]], 900],
  )
  assert.deepEqual(await onPages(admin!), { calls: [], count: 0, changes_in: null })
  service.received.splice(0)
  minutes(10)
  assert.deepEqual(await reminded(), [])
  minutes(4)
  assert.deepEqual(await reminded(), ['Call overdue: Meera Iyer'])
  assert.equal((await onPages()).calls[0]!.is_overdue, true)
  minutes(30)
  assert.deepEqual(await reminded(), [])
  await change(id, { call_again_at: null })
})

test('nothing is due of leads that were called, moved, closed or reassigned meanwhile', async () => {
  const called = await promised('Called', 60)
  const early = await promised('Early', 60)
  const planned = await lead('Planned')
  const moved = await promised('Moved', 60)
  const closed = await promised('Closed', 60)
  const reopened = await promised('Reopened', 60)
  await change(moved, { call_again_at: inMinutes(300) })
  await change(closed, { status: 'Lost' })
  await change(reopened, { status: 'Won' })
  // As its undo does.
  await change(reopened, { status: 'Qualified', call_again_at: inMinutes(60) })
  const reassigned = await promised('Reassigned', 60)
  await change(reassigned, { assigned_to: chand.email }, admin!)
  service.received.splice(0)
  minutes(50)
  const call = (id: string, more: object) =>
    agent!.send('POST', `/web/leads/${id}/calls`, {
      call_type: 'Outbound',
      outcome: 'No Answer',
      duration_seconds: 0,
      ...more,
    })
  // The promise of a call is kept, though it is within 15 minutes.
  assert.equal((await call(planned, { call_again_at: inMinutes(10), called_at: inMinutes(-2) })).status, 201)
  const answer = await call(early, { outcome: 'Completed', duration_seconds: 30, called_at: inMinutes(0) })
  assert.ok(answer.body.previous.call_again_at, JSON.stringify(answer.body))
  minutes(10)
  assert.equal((await call(called, {})).status, 201)
  const messages = (await reminded()).join()
  assert.match(messages, /Reopened|Planned/)
  assert.doesNotMatch(messages, /Called|Early|Moved|Closed|Reassigned/)
  minutes(20)
  await check()
  const rows = await owner`select name from leads where reminded_at is not null and name <> 'Meera Iyer' order by name`
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => name !== 'Marker'),
    ['Planned', 'Reassigned', 'Reopened'],
  )
  assert.equal(
    (await owner`select from leads where id = ${closed} and reminded_at is null and remind_at is null`).length,
    1,
  )
  await owner`update leads set call_again_at = null, remind_at = null`
})

test('the new owner of a lead is reminded, and Admins of a lead without an active owner', async () => {
  const theirs = await promised('Theirs', 10)
  const nobodys = await promised('No owner', 10)
  await change(theirs, { assigned_to: chand.email }, admin!)
  await change(nobodys, { assigned_to: null }, admin!)
  minutes(10)
  service.received.splice(0)
  await check()
  await until(() => to(chands).length > 0 && to(ashas).length > 0, 'both messages')
  assert.deepEqual(
    [to(chands), to(ashas)].map((all) => all.map(({ title, body }) => `${title}: ${body}`)),
    [['Call due: Theirs'], ['Call due: No owner']],
  )
  assert.deepEqual(
    (await onPages(other!)).calls.map(({ name }) => name),
    ['Theirs'],
  )
  await owner`update leads set call_again_at = null, remind_at = null`
})

test('quiet hours postpone reminders, several are one message and one email, and a service that was stopped sends them', async () => {
  service.received.splice(0)
  const settings = { by_mail: true, quiet_from: 0, quiet_until: 1439 }
  assert.equal((await agent!.send('PATCH', '/web/notifications', settings)).status, 200)
  await promised('First', 10)
  await promised('Second', 10)
  minutes(10)
  await check()
  assert.equal((await owner`select from leads where remind_at > ${now} and reminded_at is null`).length, 2)
  await Promise.all(processes.map((one) => one.stop()))
  const [{ at }] = (await owner`select max(remind_at) as at from leads`) as unknown as [{ at: Date }]
  await agent!.send('PATCH', '/web/notifications', { quiet_from: null, quiet_until: null })
  now = at
  processes = [start(second)]
  await check()
  await until(() => to(belas).length > 0, 'one message')
  const mailed = () => mails.mails.filter(({ content }) => /^Subject: 2 calls due/m.test(content))
  await until(() => mailed().length > 0, 'one email')
  const [{ title, body, path } = { title: '', body: '', path: '' }, ...more] = to(belas)
  assert.deepEqual([title, path, more.length, mailed().length], ['2 calls due', '/today', 0, 1])
  assert.match(body, /^(First|Second) and 1 more$/)
  assert.match(mailed()[0]!.content, /https:\/\/leads\.example\.com\/today/)
})
