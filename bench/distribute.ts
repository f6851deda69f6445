/**
 * `lead-engine distribute` under load, from 15 seconds before the command until a minute after it. CITUS_URL names the
 * coordinator of a cluster; `--leads 1000000` by default.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Sql } from 'postgres'
import { type Connection, connect, openAsOwner } from '../server/database/connect.ts'
import { migrate } from '../server/database/migrate.ts'
import { listSignIns } from '../server/database/service-roles.ts'
import { fillAccount } from '../server/demo/fill.ts'
import { dropOnCluster, makeOnCluster } from '../test/cluster.ts'
import { databaseUrl, runCommand } from '../test/command-line.ts'
import { account, addPlayer, ask, sessionCookie } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { webhookOf } from '../test/webhooks.ts'
import { quantilesOf } from './quantile.ts'

const { values } = parseArgs({ options: { leads: { type: 'string', default: '1000000' } } })
/** A request without an answer within this time counts as one that hangs. */
const longest = 60_000

interface Request {
  kind: string
  /** In seconds since the command started. */
  at: number
  ms: number
  status: number
  /** Of a lead that was sent. */
  email: string | null
}

await withTestServer(async () => {
  const server: Connection = JSON.parse(process.env.TEST_SERVER!)
  const connection = { ...server, database: `${process.env.TEST_TEMPLATE}_${randomBytes(4).toString('hex')}` }
  const owner = openAsOwner(connection, { max: 2 })
  try {
    let player: Awaited<ReturnType<typeof filledAccount>> | null = null
    await makeOnCluster(server, connection.database, async () => {
      player = await filledAccount(owner, connection)
    })
    await measure(owner, connection, player!)
  } finally {
    await owner.end()
    await dropOnCluster(server, connection.database)
  }
})

async function filledAccount(owner: Sql, connection: Connection) {
  await migrate(owner)
  const database = connect((await listSignIns(owner, connection))!, { watched: false })
  const actor = await account(database, 'Acme')
  const asha = await addPlayer(database, '', actor, 'Asha', 'Admin', null)
  for (let n = 1; n <= 10; n++) await addPlayer(database, '', actor, `Agent${n}`, 'Agent', 'north')
  const webhook = await webhookOf({ database, url: '' }, actor)
  await fillAccount(connection, database, actor, { leads: Number(values.leads), days: 365, now: new Date() })
  await database.close()
  await owner`vacuum analyze`
  const [lead] = await owner`select id from leads limit 1`
  return { asha, webhook: webhook.path, lead: lead!.id as string }
}

async function measure(
  owner: Sql,
  connection: Connection,
  { asha, webhook, lead }: Awaited<ReturnType<typeof filledAccount>>,
) {
  const env = { DATABASE_URL: databaseUrl(connection) }
  const service = await startService({ ...env, LOG_LEVEL: 'error' })
  const session = { cookie: await sessionCookie({ directory: owner, url: service.url }, asha) }
  const key = { authorization: `Bearer ${asha.key.secret}` }
  const requests: Request[] = []
  let start = performance.now()
  let isOver = false
  const underWay = new Set<Promise<void>>()

  async function send(kind: string, headers: Record<string, string>, path: string, body?: { email: string }) {
    const began = performance.now()
    const answer = ask(service.url, null, body ? 'POST' : 'GET', path, body, headers).then(
      ({ status, headers }) => (status === 503 && !headers.has('retry-after') ? -503 : status),
      () => 0,
    )
    const status = await Promise.race([answer, sleep(longest, -1, { ref: false })])
    const [at, ms] = [(began - start) / 1000, performance.now() - began]
    requests.push({ kind, at, ms, status, email: body?.email ?? null })
  }

  /** Starts a request at a constant rate, however long the others take. */
  async function every(ms: number, request: () => Promise<void>) {
    for (let next = performance.now(); !isOver; next += ms) {
      const sent = request().finally(() => underWay.delete(sent))
      underWay.add(sent)
      await sleep(Math.max(0, next + ms - performance.now()))
    }
  }

  const person = () => ({ name: 'Ravi Kumar', email: `${randomUUID()}@example.com` })
  const load = [
    every(29, () => send('list', key, '/api/v1/leads?limit=50')),
    every(1000, () => send('search', key, '/api/v1/leads?search=ravi&limit=50')),
    every(1000, () => send('lead', session, `/web/leads/${lead}`)),
    every(5000, () => send('overview', session, '/web/overview')),
    every(1500, () => send('create', key, '/api/v1/leads', person())),
    every(2000, () => send('delivery', {}, webhook, person())),
  ]
  try {
    await sleep(15_000)
    const shift = performance.now() - start
    for (const request of requests) request.at -= shift / 1000
    start += shift
    console.log(`${new Date().toISOString()} lead-engine distribute`)
    const { status, out, err } = await runCommand(['distribute'], env)
    const ended = (performance.now() - start) / 1000
    console.log(`${out}${err}exit ${status} after ${ended.toFixed(1)} s`)
    await sleep(60_000)
    isOver = true
    await Promise.all([...load, ...underWay])
    report(requests, ended)
    await reportLost(owner, requests)
  } finally {
    isOver = true
    await Promise.allSettled(load)
    console.log(`the service logged:\n${service.said().slice(-8000)}`)
    await service.end()
  }
}

function report(requests: Request[], ended: number) {
  const last = Math.max(
    ...requests.filter(({ status }) => status >= 300 || status <= 0).map(({ at, ms }) => at + ms / 1000),
  )
  console.log(`the last answer other than 200 or 201 came ${(last - ended).toFixed(1)} s after the end of the command`)
  const parts = { before: [-100, 0], 'until the end': [0, ended], 'after it': [ended, 10_000] } as const
  console.log('0: no answer; -1: none within a minute; -503: without Retry-After\n')
  for (const [part, [from, until]] of Object.entries(parts))
    for (const kind of new Set(requests.map((request) => request.kind))) {
      const some = requests.filter((request) => request.kind === kind && request.at >= from && request.at < until)
      for (const status of new Set(some.map((request) => request.status))) {
        const times = some.filter((request) => request.status === status).map(({ ms }) => ms)
        const quantile = quantilesOf(times)
        const at = (share: number) => quantile(share).toFixed(0)
        console.log(
          `${part.padEnd(15)} ${kind.padEnd(9)} ${status}  ${String(times.length).padStart(6)} answers, ${at(0.5)} ms in the median, ${at(0.99)} at p99, ${at(1)} at most`,
        )
      }
    }
}

async function reportLost(owner: Sql, requests: Request[]) {
  const saved = new Set(
    (await owner`select email from leads where email like '%@example.com'`).map(({ email }) => email),
  )
  for (const kind of ['create', 'delivery']) {
    const sent = requests.filter((request) => request.kind === kind)
    const acknowledged = sent.filter(({ status }) => status === 200 || status === 201)
    const lost = acknowledged.filter(({ email }) => !saved.has(email))
    const others = sent.filter(({ status, email }) => status >= 300 && saved.has(email))
    console.log(
      `${kind}: ${acknowledged.length} acknowledged, ${lost.length} of them lost; ${others.length} saved of those answered otherwise`,
    )
  }
  const [row] = await owner`select (select count(*) from leads) as leads, (select sum(n) from lead_totals) as counted`
  console.log(`${row!.leads} leads, ${row!.counted} counted`)
}
