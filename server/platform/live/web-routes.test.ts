import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as dial } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve, testApp } from '#test/app.ts'
import { ask, people, sessionCookie } from '#test/people.ts'
import { openStream, rejectedStream, type Stream } from '#test/stream.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { connect } from '../database/connect.ts'
import { maxStreams } from './streams.ts'

const app = await testApp()
const other = { database: connect(app.signIns) }
const second = await serve(other.database)
after(async () => {
  await second.close()
  await other.database.close()
  await app.close()
})
const { asha, bela, chand, zoya, acme } = await people(app)
const cookie = await sessionCookie(app, asha)
const belas = await sessionCookie(app, bela)
const strangers = await sessionCookie(app, zoya)
const admin = {
  send: (method: string, path: string, body?: unknown) =>
    ask(app.url, null, method, path, body, { cookie, origin: app.url }),
}

/** Waits for the event of what `work` does, on streams that have been quiet. */
async function eventsOf(streams: Stream[], work: () => Promise<unknown>): Promise<void> {
  await Promise.all(streams.map(untilQuiet))
  const before = streams.map((stream) => stream.events())
  await work()
  await until(() => streams.every((stream, index) => stream.events() > before[index]!), 'an event')
}

async function untilQuiet(stream: Stream) {
  for (let last = -1; last !== stream.events(); await sleep(350)) last = stream.events()
}

test('every change of leads and calls is an event, in every process', async (t) => {
  const here = await openStream(app.url, cookie)
  const there = await openStream(second.url, belas)
  t.after(() => [here, there].map((stream) => stream.close()))
  assert.match(here.headers.get('content-type')!, /^text\/event-stream/)
  assert.equal(here.headers.get('x-accel-buffering'), 'no')
  assert.equal(here.headers.get('cache-control'), 'no-store')
  assert.equal(here.headers.get('x-content-type-options'), 'nosniff')
  assert.match(here.headers.get('x-frame-options')!, /^(SAMEORIGIN|DENY)$/)
  const webhook = await webhookOf(app, acme)
  const lead = { name: 'Deepa', phone: '98500 00002' }
  let id = ''
  let callId = ''
  const changes: Record<string, () => Promise<{ status: number }>> = {
    'created by REST': async () => {
      const created = await chand.send('POST', '/api/v1/leads', lead)
      id = created.body.data.id
      return created
    },
    'merged by REST': () => chand.send('POST', '/api/v1/leads', { ...lead, city: 'Pune' }),
    'a call by REST': async () => {
      const call = { lead_id: id, call_type: 'Inbound', duration_seconds: 1 }
      const made = await chand.send('POST', '/api/v1/call-logs', call)
      callId = made.body.data.id
      return made
    },
    'a webhook': () => webhook.send({ name: 'Meera', phone: '98500 00003' }),
    'an edit': () => admin.send('PATCH', `/web/leads/${id}`, { status: 'Won' }),
    'a new assignee': () => admin.send('PATCH', `/web/leads/${id}`, { assigned_to: bela.email }),
    'a call in the web app': () =>
      admin.send('POST', `/web/leads/${id}/calls`, { call_type: 'Outbound', duration_seconds: 3 }),
    'a deleted call': () => admin.send('DELETE', `/web/calls/${callId}`),
    'a deleted lead': () => asha.send('DELETE', `/api/v1/leads/${id}`),
    'an import': async () => {
      const headers = { cookie, origin: app.url, 'content-type': 'text/csv' }
      return ask(
        app.url,
        null,
        'POST',
        '/web/leads/import?dry_run=false',
        'Name,Phone\r\nGita,98500 00078\r\n',
        headers,
      )
    },
    'a reassignment': () => admin.send('POST', `/web/users/${chand.id}/deactivation`, { reassign_to: [bela.id] }),
  }
  for (const [name, change] of Object.entries(changes)) {
    await eventsOf([here, there], async () => {
      const { status } = await change()
      assert.ok(status < 300, `${name}: ${status}`)
    })
  }
})

test('an event of changes by one page of the web app names it', async (t) => {
  const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Deepa', phone: '98500 00005' })
  const streams = [cookie, cookie, belas]
  const opened = await Promise.all(streams.map((one, at) => openStream(at === 1 ? second.url : app.url, one)))
  t.after(() => opened.map((stream) => stream.close()))
  const named = () => opened.map(({ text }) => /data: \d+ ?(.*)\n\n$/.exec(text)?.[1])
  const change = (status: string, headers: object) =>
    ask(app.url, null, 'PATCH', `/web/leads/${body.data.id}`, { status }, { cookie, origin: app.url, ...headers })
  await eventsOf(opened, () => change('Won', { 'x-page': 'abcd1234' }))
  assert.deepEqual(named(), Array(3).fill('abcd1234'))
  for (const wrong of ['', 'a b c d e f g', 'x'.repeat(41)]) {
    await eventsOf(opened, () => change(wrong ? 'New' : 'Lost', { 'x-page': wrong }))
    assert.deepEqual(named(), Array(3).fill(''), wrong)
  }
  // Her API key is a program.
  await eventsOf(opened, () => asha.send('POST', '/api/v1/leads', { name: 'Deepa', phone: '98500 00006' }))
  assert.deepEqual(named(), Array(3).fill(''))
})

test('an event has no data of the lead, and other accounts get none', async (t) => {
  const own = await openStream(app.url, cookie)
  const foreign = await openStream(app.url, strangers)
  t.after(() => [own, foreign].map((stream) => stream.close()))
  await untilQuiet(foreign)
  const before = foreign.text
  await eventsOf([own], () => asha.send('POST', '/api/v1/leads', { name: 'Farhan Sheikh', phone: '98500 00009' }))
  await untilQuiet(own)
  assert.equal(foreign.text, before)
  assert.match(own.text, /^retry: \d+\nevent: alive\ndata: 0\n\n(event: changed\ndata: \d+\n\n)+$/)
})

test('a call that rings is an event for its users alone, at once and in every process, and many are few events', async (t) => {
  const rung = [await openStream(app.url, belas), await openStream(second.url, belas)]
  const others = [await openStream(app.url, cookie), await openStream(app.url, strangers)]
  t.after(() => [...rung, ...others].map((stream) => stream.close()))
  for (let n = 0; n < 20; n++) app.database.announceToUsers(acme.account_id, [bela.id])
  // Nor is the user of another account notified.
  other.database.announceToUsers(acme.account_id, [zoya.id])
  other.database.announceToUsers(acme.account_id, [bela.id])
  await until(() => rung.every((stream) => stream.events('ringing') > 0), 'an event')
  for (const stream of [...rung, ...others]) await untilQuiet(stream)
  const counts = rung.map((stream) => stream.events('ringing'))
  assert.ok(Math.max(...counts) <= 3, `${counts} events`)
  assert.deepEqual(
    others.map((stream) => stream.events('ringing')),
    [0, 0],
  )
})

test('who no longer has a lead gets an event at once, however it was reassigned', async (t) => {
  const stream = await openStream(app.url, belas)
  const other = await openStream(app.url, strangers)
  t.after(() => [stream, other].map((one) => one.close()))
  const { body } = await asha.send('POST', '/api/v1/leads', {
    name: 'Deepa',
    phone: '98500 00012',
    assigned_to: bela.email,
  })
  const path = `/web/leads/${body.data.id}`
  await untilQuiet(stream)
  const [before, ofOther] = [stream, other].map((one) => one.events('ringing')) as [number, number]
  assert.equal((await admin.send('PATCH', path, { assigned_to: asha.email })).status, 200)
  await until(() => stream.events('ringing') > before, 'an event')
  assert.equal((await admin.send('PATCH', path, { assigned_to: bela.email })).status, 200)
  await untilQuiet(stream)
  const again = stream.events('ringing')
  const change = { ids: [body.data.id], change: { assign_to: [{ email: asha.email, weight: 1 }] } }
  const started = await admin.send('POST', '/web/bulk-changes', change)
  assert.equal(started.status, 201, JSON.stringify(started.body))
  await until(() => stream.events('ringing') > again, 'an event')
  assert.equal(other.events('ringing'), ofOther)
})

test('a page that is loading gets the events that came before its stream', async (t) => {
  const before = await openStream(app.url, cookie)
  t.after(() => before.close())
  await eventsOf([before], () => asha.send('POST', '/api/v1/leads', { name: 'Deepa', phone: '98500 00004' }))
  app.database.announceToUsers(acme.account_id, [asha.id])
  await until(() => before.events('ringing') > 0, 'an event')
  const late = await openStream(app.url, cookie, 30_000)
  t.after(() => late.close())
  await until(() => late.events() > 0 && late.events('ringing') > 0, 'the events')
})

test('many changes are few events', async (t) => {
  const stream = await openStream(app.url, cookie)
  t.after(() => stream.close())
  await untilQuiet(stream)
  const before = stream.events()
  for (let n = 10; n < 60; n++) await asha.send('POST', '/api/v1/leads', { name: 'Deepa', phone: `98500 000${n}` })
  await untilQuiet(stream)
  assert.ok(stream.events() - before <= 25, `${stream.events() - before} events of 50 changes`)
})

test('reading announces nothing', async (t) => {
  const stream = await openStream(app.url, cookie)
  t.after(() => stream.close())
  await untilQuiet(stream)
  const before = stream.events()
  for (const path of ['/web/leads', '/web/overview', '/web/leads.csv', '/web/audit', '/readyz'])
    assert.equal((await admin.send('GET', path)).status, 200, path)
  assert.equal((await admin.send('POST', '/web/leads/match', { phone: '98500 00011' })).status, 200)
  await untilQuiet(stream)
  assert.equal(stream.events(), before)
})

test('a stream ends with its session and with its user, in every process', async () => {
  const signedOut = await sessionCookie(app, bela)
  const [one, two] = [await openStream(app.url, signedOut), await openStream(second.url, signedOut)]
  await ask(app.url, null, 'POST', '/auth/sign-out', {}, { cookie: signedOut, origin: app.url })
  await until(() => one.ended && two.ended, 'the streams end after the sign-out')
  assert.equal((await rejectedStream(app.url, signedOut)).status, 401)
  const deactivated = await openStream(second.url, await sessionCookie(app, bela))
  await admin.send('POST', `/web/users/${bela.id}/deactivation`, { reassign_to: null })
  await until(() => deactivated.ended, 'the stream ends after the deactivation')
})

test('without a session, or with too many pages open, there is no stream', async (t) => {
  assert.equal((await rejectedStream(app.url, '')).status, 401)
  const open: Stream[] = []
  t.after(() => open.map((stream) => stream.close()))
  while (open.length < maxStreams.ofSession) open.push(await openStream(app.url, cookie))
  const rejected = await rejectedStream(app.url, cookie)
  assert.deepEqual([rejected.status, rejected.body.error.code], [429, 'RATE_LIMITED'])
  assert.equal(rejected.headers.get('retry-after'), '60')
  open.pop()!.close()
  await until(async () => {
    const again = await openStream(app.url, cookie).catch(() => null)
    if (again) open.push(again)
    return again !== null
  }, 'a page that was closed makes room')
})

test('pages that leave before their stream opens are not counted', async () => {
  const { hostname, port } = new URL(app.url)
  const left = Array.from({ length: 3 * maxStreams.ofSession }, async () => {
    const socket = dial(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`GET /web/live HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`, () => socket.destroy())
    await once(socket, 'close')
  })
  await Promise.all(left)
  await until(async () => {
    const again = await openStream(app.url, cookie).catch(() => null)
    again?.close()
    return again !== null
  }, 'a page opens its stream')
  await until(
    async () => /^lead_engine_live_streams 0$/m.test(await (await fetch(`${app.url}/metrics`)).text()),
    'no stream',
  )
})

test('an open stream holds no connection and is no request under way', async (t) => {
  const stream = await openStream(app.url, cookie)
  t.after(() => stream.close())
  const { read, write } = app.database.shares
  assert.deepEqual([read.figures.running, write.figures.running], [0, 0])
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  assert.match(metrics, /^lead_engine_live_streams 1$/m)
  assert.doesNotMatch(metrics, /route="\/web\/live",status="200"/)
})

test('a service that stops ends its streams at once', async () => {
  const { url, close } = await serve(other.database)
  const stream = await openStream(url, await sessionCookie(app, zoya))
  await close()
  await until(() => stream.ended, 'the stream ends')
})
