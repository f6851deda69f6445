/**
 * From a missed call to the owner's queue and to the owner's phone, with 200 open pages. Those of the owners show their queues, the others
 * the list of an account with 100,000 leads (`--leads`). 40 calls come (`--calls`), one every 300 ms (`--every`), each of the lead of
 * another user: as a telephone system delivers them to a webhook URL, or as requests to the API (`--api`). Push messages go to a push
 * service of this process. Fails if p95 is over two seconds.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fillAccount } from '../operations/demo/fill.ts'
import type { CallQueue } from '../server/selling/call-queue/contract.ts'
import { testDatabase } from '../test/database.ts'
import { missedCall } from '../test/exotel.ts'
import { account, addPlayer, type Player } from '../test/people.ts'
import { pushServer } from '../test/push-server.ts'
import { withTestServer } from '../test/server.ts'
import { webhookOf } from '../test/webhooks.ts'
import { openPage, signIn } from './live/open-page.ts'
import type { Place } from './missed-calls/service.ts'
import { quantilesOf } from './quantile.ts'

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '40' },
    every: { type: 'string', default: '300' },
    api: { type: 'boolean', default: false },
  },
})
const calls = Number(values.calls)
/** In milliseconds. */
const every = Number(values.every)
const maxMs = 2000
const pages = 200
/** The owners of the other leads. */
const others = { Admin: 5, Manager: 5, Agent: 40 } as const

await withTestServer(async () => {
  const store = await testDatabase()
  const pushes = await pushServer()
  const place: Place = { signIns: store.signIns, pushUrl: pushes.url }
  const service = fork(join(import.meta.dirname, 'missed-calls/service.ts'), [JSON.stringify(place)])
  try {
    const [url] = (await once(service, 'message')) as [string]
    const acme = await account(store.database, 'Acme')
    const players: Player[] = []
    for (const [role, count] of Object.entries(others) as [keyof typeof others, number][]) {
      for (let n = 0; n < count; n++)
        players.push(await addPlayer(store.database, url, acme, `${role}${n}`, role, 'north'))
    }
    console.log(`Filling the account with ${values.leads} leads …`)
    await fillAccount(store.connection, store.database, acme, {
      leads: Number(values.leads),
      days: 90,
      now: new Date(),
    })
    await store.owner`vacuum analyze`

    const sent = new Map<string, number>()
    const answered: number[] = []
    const queued: number[] = []
    const pushed: number[] = []
    const names = new Map<string, string>()
    const owners: Player[] = []
    const phoneOf = (n: number) => `+1 212 555 ${String(1000 + n)}`
    for (let n = 0; n < calls; n++) {
      const owner = await addPlayer(store.database, url, acme, `Owner${n}`, 'Agent', 'south')
      const lead = { name: `Lead ${n}`, phone: phoneOf(n), status: 'Contacted' }
      const { status, body } = await owner.send('POST', '/api/v1/leads', lead)
      if (status !== 201) throw new Error(`the lead was answered ${status}`)
      names.set(lead.name, body.data.id)
      owners.push(owner)
    }
    const open: Awaited<ReturnType<typeof openPage>>[] = []
    const users = [...owners, ...players]
    const cookies: string[] = []
    for (const [n, user] of users.entries()) cookies.push(await signIn({ ...store, url }, user, `198.51.100.${n}`))
    for (let n = 0; n < pages; n++) {
      const seen = new Set<string>()
      const isOwner = n % users.length < calls
      const appeared = (data: CallQueue | object[]) => {
        for (const { id, reason } of 'leads' in data ? data.leads : []) {
          const start = sent.get(id)
          if (reason !== 'missed' || start === undefined || seen.has(id)) continue
          seen.add(id)
          queued.push(performance.now() - start)
        }
      }
      const path = isOwner ? '/web/call-queue' : '/web/leads?limit=50&offset=0'
      open.push(await openPage(url, cookies[n % cookies.length]!, path, appeared))
    }
    for (const { id } of owners) {
      const { endpoint, keys } = pushes.subscribe()
      await store.owner`insert into push_subscriptions values (${acme.account_id}, ${randomUUID()}, ${id}, ${endpoint},
        ${keys.p256dh}, ${keys.auth}, now(), (select id from sessions where user_id = ${id} limit 1))`
    }
    pushes.onReceived(({ message }) => pushed.push(performance.now() - sent.get(names.get(message.body)!)!))
    await sleep(3000)

    const webhook = { ...(await webhookOf({ ...store, url }, acme)), url }
    const reportCall = async (owner: Player, n: number) => {
      if (!values.api) return (await missedCall(webhook, { phone: phoneOf(n), agent: owner.email }).end()).body.data.id
      const call = { call_type: 'Inbound', duration_seconds: 0, outcome: 'Missed' }
      const sent = { ...call, lead_id: names.get(`Lead ${n}`) }
      return (await owner.send('POST', '/api/v1/call-logs', sent)).body.data?.lead_id
    }
    for (const [n, owner] of owners.entries()) {
      const start = performance.now()
      const lead_id = names.get(`Lead ${n}`)!
      sent.set(lead_id, start)
      if ((await reportCall(owner, n)) !== lead_id) throw new Error('the call is not of its lead')
      answered.push(performance.now() - start)
      await sleep(Math.max(0, every - (performance.now() - start)))
    }
    await sleep(10_000)
    console.log(`${pages} pages, ${calls} missed calls, one every ${every} ms`)
    report(values.api ? 'call answered' : 'delivery answered', answered, calls)
    report('lead in the queue of a page', queued, open.filter((_, n) => n % users.length < calls).length)
    report('push message received', pushed, calls)
    const figures = open.map((page) => page.figures())
    const sum = (of: (one: (typeof figures)[number]) => number) => figures.reduce((total, one) => total + of(one), 0)
    console.log(`${sum(({ requests }) => requests)} requests of the pages, ${sum(({ failed }) => failed)} failed`)
    await Promise.all(open.map((page) => page.close()))
  } finally {
    service.disconnect()
    await once(service, 'exit')
    await pushes.close()
    await store.close()
  }
})

function report(what: string, times: number[], expected: number) {
  const quantile = quantilesOf(times)
  const at = (share: number) => Math.round(quantile(share))
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms (${times.length} of ${expected})`)
  if (times.length < expected || !(quantile(0.95) <= maxMs)) process.exitCode = 1
}
