/**
 * Soak: measures the peak of a mixed load, then runs 60% of it and prints memory, file descriptors, connections and response
 * times of each minute, and their trend at the end. `--minutes 15` by default.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { databaseUrl } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { account, addPlayer, ask } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { webhookOf } from '../test/webhooks.ts'
import { quantilesOf } from './quantile.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '15' } } })
const minutes = Number(values.minutes)
const share = 0.6
const peakClients = 24
const peakSeconds = 20
/** Requests that may be under way at 60%; a machine that is busy with other things starts no more. */
const maxRunning = 400

type Answer = Awaited<ReturnType<typeof ask>>

/** Returns null where it succeeded, otherwise what was sent and answered: `POST /api/v1/leads: 503 overloaded`. */
type Operation = () => Promise<string | null>

await withTestServer(
  async () => {
    const store = await testDatabase()
    await store.owner.unsafe(`alter database ${store.connection.database} set synchronous_commit = on`)
    const service = await startService({
      DATABASE_URL: databaseUrl(store.connection),
      LOG_LEVEL: 'error',
      WEBHOOK_LIMIT_PER_MINUTE: '1000000',
    })
    try {
      const operations: Operation[] = []
      for (const name of ['One', 'Two', 'Three']) {
        const actor = await account(store.database, name)
        const player = await addPlayer(store.database, service.url, actor, 'Asha', 'Admin', null)
        operations.push(
          ...mixedLoad(service.url, player, (await webhookOf({ ...store, url: service.url }, actor)).path),
        )
      }
      const peak = await measurePeak(operations)
      const rate = peak * share
      console.log(
        `peak: ${peak.toFixed(0)} requests/s with ${peakClients} clients; soak: ${rate.toFixed(0)} requests/s`,
      )
      console.log(
        'minute  RSS MB  heap MB  files  connections  requests   p50      p99  longest ms  failed  not started',
      )
      const rows: Minute[] = []
      for (let minute = 1; minute <= minutes; minute++) {
        const figures = { ...(await soakMinute(operations, rate)), ...(await stateOf(service, store)) }
        rows.push(figures)
        const { rss, heap, files, connections, requests, p50, p99, max, failures, notStarted } = figures
        const columns = [minute, rss, heap, files, connections, requests, p50, p99, max, failures.length, notStarted]
        const widths = [6, 8, 9, 7, 13, 10, 6, 9, 12, 8, 13]
        console.log(columns.map((value, column) => String(Math.round(value)).padStart(widths[column]!)).join(''))
      }
      reportTrends(rows)
    } finally {
      await service.end()
      await store.close()
    }
  },
  { durable: true },
)

interface Minute {
  rss: number
  heap: number
  files: number
  connections: number
  requests: number
  p50: number
  p99: number
  max: number
  failures: string[]
  notStarted: number
}

/** 20 operations in the proportion of a day: 8 lists, 4 creates, 3 merges, 3 calls, 2 deliveries. */
function mixedLoad(url: string, player: Awaited<ReturnType<typeof addPlayer>>, webhook: string): Operation[] {
  const ids: string[] = []
  const known: string[] = []
  const person = () => ({ name: 'Ravi Kumar', email: `${randomUUID()}@example.com`, city: 'Pune' })
  const failure = (request: string, { status, body }: Answer) =>
    status < 300 ? null : `${request}: ${status} ${body?.error?.code ?? ''}`
  const send = async (method: string, path: string, body?: object) =>
    failure(`${method} ${path}`, await player.send(method, path, body))
  const one = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)]
  const list = () => send('GET', '/api/v1/leads?limit=50')
  const create = async () => {
    const lead = person()
    const answer = await player.send('POST', '/api/v1/leads', lead)
    if (answer.status === 201) {
      // The newest thousand.
      if (known.push(lead.email) > 1000) known.shift()
      if (ids.push(answer.body.data.id) > 1000) ids.shift()
    }
    return failure('POST /api/v1/leads', answer)
  }
  const merge = () => {
    const email = one(known)
    return email ? send('POST', '/api/v1/leads', { name: 'Ravi', email, status: 'Contacted' }) : create()
  }
  const call = () => {
    const lead_id = one(ids)
    const body = { lead_id, call_type: 'Inbound', duration_seconds: 30 }
    return lead_id ? send('POST', '/api/v1/call-logs', body) : create()
  }
  const deliver = async () =>
    failure('POST webhook', await ask(url, null, 'POST', webhook, { ...person(), message: 'Call me' }))
  const times = (n: number, operation: Operation) => Array.from({ length: n }, () => operation)
  return [...times(8, list), ...times(4, create), ...times(3, merge), ...times(3, call), ...times(2, deliver)]
}

function anyOf(operations: Operation[]): Operation {
  return operations[Math.floor(Math.random() * operations.length)]!
}

/** Returns the requests that are answered in a second while each client sends the next one at once. */
async function measurePeak(operations: Operation[]): Promise<number> {
  let answered = 0
  let isOver = false
  const client = async () => {
    while (!isOver) if ((await anyOf(operations)()) === null) answered++
  }
  const clients = Array.from({ length: peakClients }, client)
  // The first seconds compile the code.
  await sleep(5000)
  const [before, start] = [answered, performance.now()]
  await sleep(peakSeconds * 1000)
  const peak = (answered - before) / ((performance.now() - start) / 1000)
  isOver = true
  await Promise.all(clients)
  return peak
}

/** Starts requests at a constant rate, however fast they are answered. */
async function soakMinute(operations: Operation[], rate: number) {
  const times: number[] = []
  const failures: string[] = []
  let [notStarted, started, running] = [0, 0, 0]
  const send = async () => {
    running++
    const start = performance.now()
    const failure = await anyOf(operations)().catch((error: Error) => `no answer: ${error.cause ?? error.message}`)
    times.push(performance.now() - start)
    if (failure !== null) failures.push(failure)
    running--
  }
  const start = performance.now()
  for (let now = 0; now < 60; now = (performance.now() - start) / 1000) {
    for (; started < now * rate; started++) {
      if (running < maxRunning) void send()
      else notStarted++
    }
    await sleep(5)
  }
  while (running > 0) await sleep(5)
  const at = quantilesOf(times)
  return { requests: times.length, p50: at(0.5), p99: at(0.99), max: at(1), failures, notStarted }
}

async function stateOf(
  { child, url }: Awaited<ReturnType<typeof startService>>,
  { owner }: Awaited<ReturnType<typeof testDatabase>>,
) {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const [row] = await owner`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = 'lead-engine'`
  return {
    rss: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
    heap: metric('nodejs_heap_size_used_bytes') / 1024 / 1024,
    files: readdirSync(`/proc/${child.pid}/fd`).length,
    connections: row!.n,
  }
}

/** Prints how much each figure changes in ten minutes, by linear regression without the first three minutes. */
function reportTrends(rows: Minute[]) {
  const measured = rows.slice(Math.min(3, rows.length - 2))
  console.log('\ntrend in ten minutes, after the first three')
  for (const name of ['rss', 'heap', 'files', 'connections', 'p50', 'p99'] as const) {
    const values = measured.map((row) => row[name])
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const middle = (values.length - 1) / 2
    const [covariance, variance] = values.reduce(
      ([c, v], value, n) => [c + (n - middle) * (value - mean), v + (n - middle) ** 2],
      [0, 0],
    )
    const change = (10 * covariance) / variance
    console.log(
      `${name.padEnd(12)} mean ${mean.toFixed(1).padStart(8)}   ${change >= 0 ? '+' : ''}${change.toFixed(1)} (${((100 * change) / mean).toFixed(0)}%)`,
    )
  }
  const total = rows.reduce((sum, { requests }) => sum + requests, 0)
  const failures = rows.flatMap((row) => row.failures)
  console.log(`${total} requests, ${failures.length} failed`)
  for (const failure of new Set(failures)) {
    console.log(`${String(failures.filter((other) => other === failure).length).padStart(6)} ${failure}`)
  }
}
