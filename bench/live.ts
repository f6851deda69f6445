/**
 * Live pages: memory and processor time of 1,000 open streams, and the time from a webhook delivery to the row on 200 open
 * pages, one of them in a browser. The pages show the leads of an account with 300,000 of them (`--leads`), and 40
 * deliveries come (`--deliveries`), one every five seconds (`--seconds`). Owners get push messages over a push service of this
 * machine, from a process beside the service; each message is sent by one of the two, and only those of the former arrive. With each
 * delivery a call of its lead rings for the user of the browser.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { Registry } from 'prom-client'
import { fillAccount } from '../operations/demo/fill.ts'
import { addRule } from '../server/crm/distribution/store.ts'
import { asActor } from '../server/platform/database/actor.ts'
import { maxStreams } from '../server/platform/live/streams.ts'
import { openPushService } from '../server/selling/notifications/push-service.ts'
import { sendNotices } from '../server/selling/notifications/send-notices.ts'
import { notifyUsersOfCall } from '../server/telephony/ringing/notify-users-of-call.ts'
import { databaseUrl } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { openWindows } from '../test/journey.ts'
import { account, addPlayer, type ask, type Player } from '../test/people.ts'
import { phoneCalls } from '../test/phone-calls.ts'
import { pushServer } from '../test/push-server.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { webhookOf } from '../test/webhooks.ts'
import { openPage, openStream, signIn } from './live/open-page.ts'
import { quantilesOf } from './quantile.ts'

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '300000' },
    deliveries: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '5' },
  },
})
const leads = Number(values.leads)
const deliveries = Number(values.deliveries)
const seconds = Number(values.seconds)
const streams = 1000
const pages = 200
const users = { Admin: 5, Manager: 5, Agent: 90 } as const

await withTestServer(async () => {
  const store = await testDatabase()
  const env = { DATABASE_URL: databaseUrl(store.connection), LOG_LEVEL: 'error', WEBHOOK_LIMIT_PER_MINUTE: '1000000' }
  const service = await startService({ ...env, TRUST_PROXY: '127.0.0.1' })
  const windows = await openWindows(service.url)
  const pushes = await pushServer()
  try {
    const place = { ...store, url: service.url }
    const acme = await account(store.database, 'Acme')
    const players: Player[] = []
    for (const [role, count] of Object.entries(users) as [keyof typeof users, number][]) {
      for (let n = 0; n < count; n++)
        players.push(await addPlayer(store.database, service.url, acme, `${role}${n}`, role, 'north'))
    }
    const cookies: string[] = []
    for (const [n, player] of players.entries()) cookies.push(await signIn(place, player, `198.51.100.${n}`))
    const agents = players.slice(-users.Agent).map(({ id }) => ({ user_id: id, weight: 1 }))
    const rule = { name: 'All', sources: [], cities: [], tags: [], webhook_ids: [], people: agents }
    await asActor(store.database, acme, (tx) => addRule(tx, acme, rule, null))
    const webhook = await webhookOf(place, acme)
    console.log(`Filling the account with ${leads} leads …`)
    await fillAccount(store.connection, store.database, acme, { leads, days: 90, now: new Date() })
    await store.owner`vacuum analyze`

    const send = () => webhook.send({ name: 'Meera Iyer', email: `${randomUUID()}@example.com`, message: 'Call me' })
    await send()
    await measureStreams(service.child.pid!, service.url, cookies, send)
    for (const { id } of players) {
      const { endpoint, keys } = pushes.subscribe()
      await store.owner`insert into push_subscriptions values (${acme.account_id}, ${randomUUID()}, ${id}, ${endpoint},
        ${keys.p256dh}, ${keys.auth}, now(), (select id from sessions where user_id = ${id} limit 1))`
    }
    const push = await openPushService(store.directory, 'https://leads.example.com', pushes.options)
    const surroundings = { push, mailer: null, baseUrl: service.url, clock: () => new Date(), metrics: new Registry() }
    const notices = sendNotices(store.database, { ...surroundings, onError: console.error }, async function* () {})
    const browser = await listInBrowser(windows, service.url, cookies[0]!)
    const calls = phoneCalls(store.owner, acme, webhook)
    const ring = async (lead_id: string, number: string) => {
      const call = { lead_id, call_type: 'Inbound', assigned_to: players[0]!.id, user_ids: [] } as const
      await calls.add({ ...call, phone: number })
      const start = performance.now()
      await notifyUsersOfCall(store.database, acme.account_id, call)
      await browser.getByRole('article').getByText(number).waitFor()
      return performance.now() - start
    }
    await measurePages(service.url, cookies, send, browser, pushes.received, ring)
    await notices.stop()
  } finally {
    await windows.close()
    await pushes.close()
    await service.end()
    await store.close()
  }
})

type Send = () => ReturnType<typeof ask>

async function measureStreams(pid: number, url: string, cookies: string[], send: Send) {
  await sleep(5000)
  const before = stateOf(pid)
  const open: IncomingMessage[] = []
  for (let n = 0; n < Math.min(streams, cookies.length * maxStreams.ofSession, maxStreams.ofAccount); n++)
    open.push(await openStream(url, cookies[n % cookies.length]!, () => {}))
  await sleep(5000)
  const opened = stateOf(pid)
  console.log(`${open.length} streams: ${before.rss} MB without, ${opened.rss} MB with them`)
  console.log(`quiet: ${await processorShare(pid)}% of one core`)
  const timer = setInterval(() => void send(), 250)
  console.log(`4 deliveries a second: ${await processorShare(pid)}% of one core, with the deliveries`)
  clearInterval(timer)
  for (const stream of open) stream.destroy()
  await sleep(2000)
}

async function processorShare(pid: number, seconds = 20): Promise<number> {
  const [before, start] = [stateOf(pid).ticks, performance.now()]
  await sleep(seconds * 1000)
  // A tick is a hundredth of a second.
  return Math.round((stateOf(pid).ticks - before) / ((performance.now() - start) / 1000))
}

function stateOf(pid: number) {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return { rss: Math.round((pages * 4096) / 1024 / 1024), ticks: Number(fields[11]) + Number(fields[12]) }
}

async function listInBrowser(
  windows: Awaited<ReturnType<typeof openWindows>>,
  url: string,
  cookie: string,
): Promise<Page> {
  const page = await windows.page()
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  await page.context().addCookies([{ name, value, url }])
  await page.goto('/leads')
  await page.locator('[data-row]').first().waitFor()
  return page
}

type Pushes = Awaited<ReturnType<typeof pushServer>>['received']

async function measurePages(
  url: string,
  cookies: string[],
  send: Send,
  browser: Page,
  pushes: Pushes,
  ring: (leadId: string, number: string) => Promise<number>,
) {
  const sent = new Map<string, number>()
  const onPages: number[] = []
  const open: Awaited<ReturnType<typeof openPage>>[] = []
  for (let n = 1; n < pages; n++) {
    const seen = new Set<string>()
    const appeared = (id: string) => {
      const start = sent.get(id)
      if (start === undefined || seen.has(id)) return
      seen.add(id)
      onPages.push(performance.now() - start)
    }
    const path = '/web/leads?limit=50&offset=0'
    const answered = (leads: { id: string }[]) => {
      for (const { id } of leads) appeared(id)
    }
    open.push(await openPage(url, cookies[n % cookies.length]!, path, answered))
  }
  await sleep(2000)
  const answered: number[] = []
  const starts: number[] = []
  const rings: Promise<number>[] = []
  const over = new AbortController()
  const counting = watchCount(browser, over.signal)
  const pushing = watchPushes(pushes, over.signal)
  for (let n = 1; n <= deliveries; n++) {
    const start = performance.now()
    starts.push(start)
    const { status, body } = await send()
    if (status !== 200) throw new Error(`the delivery was answered ${status}`)
    sent.set(body.data.id, start)
    answered.push(performance.now() - start)
    rings.push(ring(body.data.id, `+91 98100 ${String(n).padStart(5, '0')}`))
    await sleep(Math.max(0, seconds * 1000 - (performance.now() - start)))
  }
  await sleep(10_000)
  const all = open.map((page) => page.figures())
  console.log(`${pages} pages, ${deliveries} deliveries, one every ${seconds} s`)
  report('delivery answered', answered)
  report('row in the list of a page', onPages)
  report('card of a call in the browser', await Promise.all(rings))
  over.abort()
  // The list has 50 leads, and counts as many new ones.
  report(
    'row counted in the browser',
    (await counting).map((time, n) => time - starts[n]!),
  )
  const pushed = [...(await pushing)].flatMap(([id, time]) => (sent.has(id) ? [time - sent.get(id)!] : []))
  if (pushed.length > 0) report('push message received', pushed)
  const [requests, failed] = [sum(all.map((page) => page.requests)), sum(all.map((page) => page.failed))]
  console.log(`${requests} requests of the pages, ${failed} failed`)
  await Promise.all(open.map((page) => page.close()))
}

/** Notes when the page counts its first, second, … new lead, until `signal`. */
async function watchCount(page: Page, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  for (; !signal.aborted; await sleep(50)) {
    const [text = '0'] = await page.locator('[role=status] button').allTextContents()
    while (times.length < Number.parseInt(text, 10)) times.push(performance.now())
  }
  return times
}

/** Notes when the message of each lead came, until `signal`. */
async function watchPushes(pushes: Pushes, signal: AbortSignal): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (; !signal.aborted; await sleep(20)) {
    for (const { message } of pushes.splice(0)) times.set(message.path.replace('/leads/', ''), performance.now())
  }
  return times
}

function sum(all: number[]): number {
  return all.reduce((total, one) => total + one, 0)
}

function report(what: string, times: number[]) {
  const quantile = quantilesOf(times)
  const at = (share: number) => Math.round(quantile(share))
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms (${times.length})`)
}
