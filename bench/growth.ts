/**
 * `npm run bench:growth`: what frequent requests cost PostgreSQL as an account, or the installation, grows: CPU time of the service's
 * connections, and blocks read from its cache or the disk. Requests are sent one after the other to the real app.
 *
 * Options: `--leads 10000,100000,1000000` of one account, `--accounts 10,1000,10000` with `--leads-each 100`, `--only WORDS` for
 * requests whose names have them, `--requests 500` of each kind, for at most 5 seconds. An empty list leaves a part out.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fillAccount } from '../operations/demo/fill.ts'
import { hashSecret } from '../server/access/api-keys/secret.ts'
import { createKey, findKey } from '../server/access/api-keys/store.ts'
import { cleanUp } from '../server/cleanup.ts'
import { type Actor, accountActor, changeAsActor } from '../server/platform/database/actor.ts'
import { connect } from '../server/platform/database/connect.ts'
import { istDay } from '../server/platform/http/instants.ts'
import { serve } from '../test/app.ts'
import { databaseUrl } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { account, addPlayer, ask, signedIn } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { webhookOf } from '../test/webhooks.ts'
import { cloneAccount } from './growth/clone-account.ts'
import { printTableSizes } from './growth/table-sizes.ts'
import { fillAudit, fillDeliveries } from './large-account.ts'
import { databaseProcesses, exactCpuTime } from './throughput/cpu-time.ts'

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '10000,100000,1000000' },
    accounts: { type: 'string', default: '10,1000,10000' },
    'leads-each': { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    requests: { type: 'string', default: '500' },
  },
})
const numbersIn = (list: string) => list.split(',').filter(Boolean).map(Number)
const requests = Number(values.requests)
const maxMs = 5000
/** Background jobs run twice a minute. */
const idleSeconds = 45
/** Idle connections report their blocks after ten seconds. */
const reportMs = 11_000
/** Few, so that requests that are sent together use them all. */
const poolSize = 4
/** Accounts that requests are sent for, in turn. */
const maxTargets = 100
/** The service allows so many sign-ins a minute from one IP address. */
const maxSignIns = 10
const inWebApp = new Set(['search for a name', 'overview of 30 days'])
/** Leads of an account that are merged into and called. */
const known = 500
const day = 86_400_000
const days = 365
const aYear = `from_date=${istDay(new Date(Date.now() - (days + 1) * day))}`

/** What the cleanup reports to. */
const sink = { removed: () => {}, failed: fail, progress: () => {}, signal: new AbortController().signal }

type Store = Awaited<ReturnType<typeof testDatabase>>
type Target = Awaited<ReturnType<typeof targetOf>>
type Request = (target: Target, n: number) => Promise<{ status: number } | null>

interface Cost {
  micros: number
  blocks: number
}

await withTestServer(async () => {
  await measureSizes('leads in one account', numbersIn(values.leads), async (store, leads) => {
    const actor = await filledAccount(store, leads, 18)
    return { accounts: [actor], leads, each: leads, withJobs: false }
  })
  const each = Number(values['leads-each'])
  await measureSizes(`accounts of ${each} leads`, numbersIn(values.accounts), async (store, count) => {
    const model = await filledAccount(store, each, 3)
    await cloneAccount(store.owner, model.account_id, count - 1)
    const rows = await store.owner`select id from accounts order by id limit ${maxTargets}`
    return { accounts: rows.map(({ id }) => accountActor(id)), leads: each * count, each, withJobs: true }
  })
})

interface Filled {
  accounts: Actor[]
  leads: number
  /** Leads of each account. */
  each: number
  /** Whether the background jobs are measured, which visit every account. */
  withJobs: boolean
}

async function measureSizes(
  what: string,
  sizes: number[],
  fill: (store: Store, size: number) => Promise<Filled>,
): Promise<void> {
  const costs: Map<string, Cost>[] = []
  for (const size of sizes) {
    const store = await testDatabase()
    try {
      const started = performance.now()
      const filled = await fill(store, size)
      const { leads } = filled
      await settle(store)
      console.log(
        `\n${size.toLocaleString('en-IN')} ${what}, filled in ${((performance.now() - started) / 1000).toFixed(0)} s`,
      )
      await printTableSizes(store.owner, leads)
      costs.push(await measure(store, filled))
    } finally {
      await store.close()
    }
  }
  if (costs.length === 0) return
  console.log(`\n${what}: CPU time of PostgreSQL in µs, and blocks, per request`)
  console.log(''.padEnd(34) + sizes.map((size) => size.toLocaleString('en-IN').padStart(24)).join(''))
  for (const name of costs[0]!.keys()) {
    const cells = costs.map((ofSize) => cellOf(ofSize.get(name)!))
    console.log(name.padEnd(34) + cells.join(''))
  }
}

function cellOf({ micros, blocks }: Cost): string {
  return `${micros.toFixed(0)} µs${blocks.toFixed(0).padStart(9)}`.padStart(24)
}

/** An account with leads and calls of a year, and as many deliveries and audit entries as leads. */
async function filledAccount(store: Store, leads: number, agents: number): Promise<Actor> {
  const actor = await account(store.database, 'Model')
  for (let n = 0; n < agents; n++) await addPlayer(store.database, '', actor, `Agent${n}`, 'Agent', 'north')
  store.database.cache.invalidate(actor.account_id)
  await fillAccount(store.connection, store.database, actor, { leads, days, now: new Date() })
  const webhook = await webhookOf({ database: store.database, url: '' }, actor)
  await fillDeliveries(store.owner, actor, [webhook.id], leads)
  await fillAudit(store.owner, actor, [webhook.id], leads)
  return actor
}

/** Nothing else reads or writes the tables while requests are measured. */
async function settle({ owner }: Store): Promise<void> {
  await owner`vacuum analyze`
  const tables =
    await owner`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  for (const { name } of tables) await owner.unsafe(`alter table ${name} set (autovacuum_enabled = off)`)
  await owner`checkpoint`
}

async function targetOf(store: Store, url: string, actor: Actor, signsIn: boolean) {
  const asha = await addPlayer(store.database, url, actor, 'Asha', 'Admin', null)
  const [agent] = await store.owner<{ id: string }[]>`
    select id from users where account_id = ${actor.account_id} and role = 'Agent' order by id limit 1`
  const ofAgent = { user_id: agent!.id, name: 'Agent', permissions: ['read' as const], ip_whitelist: [] }
  const { secret } = await changeAsActor(store.database, actor, (tx) => createKey(tx, actor, ofAgent))
  const leads = await store.owner<{ id: string; phone: string }[]>`
    select id, phone from leads where account_id = ${actor.account_id} and phone is not null order by md5(id::text) limit ${known}`
  return {
    asha,
    listOfAgent: (query: string) => ask(url, secret, 'GET', `/api/v1/leads?${query}`),
    web: signsIn ? await signedIn({ directory: store.directory, url }, asha) : null,
    webhook: await webhookOf({ database: store.database, url }, actor),
    leads,
  }
}

function requestsOf(store: Store, leads: number): Record<string, Request> {
  const contact = (n: number) => ({ email: `n${n}@example.com`, phone: `+919${String(n).padStart(9, '0')}` })
  const statuses = ['New', 'Contacted', 'Qualified']
  const leadOf = ({ leads }: Target, n: number) => leads[n % leads.length]!
  return {
    'list, first page': ({ asha }) => asha.send('GET', '/api/v1/leads?limit=50'),
    'list of a year': ({ asha }) => asha.send('GET', `/api/v1/leads?limit=50&${aYear}`),
    'list of a year, three filters': ({ asha }) =>
      asha.send('GET', `/api/v1/leads?limit=50&${aYear}&status=Won&source=Website&priority=High`),
    'list of a year, middle page': ({ asha }) =>
      asha.send('GET', `/api/v1/leads?limit=50&${aYear}&offset=${leads / 2}`),
    'list of a year, of an Agent': ({ listOfAgent }) => listOfAgent(`limit=50&${aYear}`),
    'search for a name': ({ web }) => web!.send('GET', '/web/leads?limit=50&search=asha'),
    'overview of 30 days': ({ web }) => web!.send('GET', '/web/overview?days=30'),
    'check of an API key': async ({ asha }) => {
      await findKey(store.database.lookup, hashSecret(asha.key.secret))
      return null
    },
    create: ({ asha }, n) => asha.send('POST', '/api/v1/leads', { name: 'Ravi Kumar', city: 'Pune', ...contact(n) }),
    'merge by phone': (target, n) =>
      target.asha.send('POST', '/api/v1/leads', {
        name: 'Ravi Kumar',
        phone: leadOf(target, n).phone,
        status: statuses[n % 3],
        city: `City ${n}`,
      }),
    'call log': (target, n) =>
      target.asha.send('POST', '/api/v1/call-logs', {
        lead_id: leadOf(target, n).id,
        call_type: 'Outbound',
        duration_seconds: 61,
      }),
    'webhook delivery that creates': ({ webhook }, n) =>
      webhook.send({ full_name: 'Ravi Kumar', city: 'Pune', message: 'Call after six', ...contact(n) }),
  }
}

async function measure(store: Store, { accounts, each, withJobs }: Filled): Promise<Map<string, Cost>> {
  // In this process and without background jobs, whose work would be counted with that of requests.
  const database = connect(store.signIns, { poolSize })
  const service = await serve(database, { LOG_LEVEL: 'error', WEBHOOK_LIMIT_PER_MINUTE: '1000000' })
  try {
    const targets: Target[] = []
    for (const actor of accounts) targets.push(await targetOf(store, service.url, actor, targets.length < maxSignIns))
    const costs = new Map<string, Cost>()
    const add = (name: string, cost: Cost) => {
      costs.set(name, cost)
      console.log(`${name.padEnd(34)}${cellOf(cost)}`)
    }
    let n = 1_000_000
    for (const [name, request] of Object.entries(requestsOf(store, each))) {
      if (!name.includes(values.only)) continue
      const among = inWebApp.has(name) ? targets.filter(({ web }) => web) : targets
      const send = async () => {
        n++
        const answer = await request(among[n % among.length]!, Math.floor(n / among.length) + n)
        if (answer && answer.status > 201) throw new Error(`${name} was answered with ${answer.status}`)
      }
      add(name, await costOf(store, send, among.length))
    }
    if (withJobs) {
      add('a second without requests', await costOfIdleSecond(store))
      const clean = () => cleanUp(store.database, 30, new Date(), sink)
      // The first one has more to do.
      await clean()
      add('hourly cleanup', await costOfJob(store, 1, clean))
    }
    return costs
  } finally {
    await service.close()
    await database.close()
  }
}

/** With the service in a process of its own, before its first cleanup, which comes after a minute. */
async function costOfIdleSecond(store: Store): Promise<Cost> {
  const service = await startService({ DATABASE_URL: databaseUrl(store.connection), LOG_LEVEL: 'error' })
  try {
    return await costOfJob(store, idleSeconds, () => sleep(idleSeconds * 1000 - reportMs))
  } finally {
    await service.end()
  }
}

function fail(error: unknown): never {
  throw error
}

async function costOfJob({ owner }: Store, parts: number, work: () => Promise<unknown>): Promise<Cost> {
  const [micros, blocks] = [exactCpuTime(await databaseProcesses(owner)), await blocksOf(owner)]
  await work()
  await sleep(reportMs)
  // Also of the connections that were opened meanwhile.
  const used = exactCpuTime(await databaseProcesses(owner)) - micros
  return { micros: used / parts, blocks: ((await blocksOf(owner)) - blocks) / parts }
}

async function costOf({ owner }: Store, send: () => Promise<void>, targets: number): Promise<Cost> {
  // Fills the caches of the service, and prepares the statements of the connections.
  for (let n = 0; n < Math.max(20, targets); n++) await send()
  await flush(send)
  const pids = await databaseProcesses(owner)
  const [micros, blocks] = [exactCpuTime(pids), await blocksOf(owner)]
  const started = performance.now()
  let sent = 0
  for (; sent < requests && performance.now() - started < maxMs; sent++) await send()
  const used = exactCpuTime(pids) - micros
  const flushed = await flush(send)
  return { micros: used / sent, blocks: ((await blocksOf(owner)) - blocks) / (sent + flushed) }
}

async function blocksOf(owner: Store['owner']): Promise<number> {
  const [row] = await owner`
    select blks_hit + blks_read as blocks from pg_stat_database where datname = current_database()`
  return Number(row!.blocks)
}

/** A connection reports its blocks with the first transaction that ends more than a second after the last report. */
async function flush(send: () => Promise<void>): Promise<number> {
  await sleep(1100)
  await Promise.all(Array.from({ length: poolSize }, send))
  await sleep(100)
  return poolSize
}
