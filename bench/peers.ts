/**
 * Lists and creates of the service beside those of PostGraphile and Directus, which also serve rows of PostgreSQL with their
 * exact total: `npm run bench:peers`. All use one database with the same leads, in turn. Installs the two into `dist/peers`.
 *
 * Options: `--leads 300000` in the large account, `--seconds 5` for each of `--rounds 3`. Needs wrk.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fillAccount } from '../operations/demo/fill.ts'
import type { Sql } from '../server/platform/database/sql.ts'
import { freePort } from '../test/app.ts'
import { databaseUrl } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { account, addPlayer, type Player } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { root, startService } from '../test/service.ts'
import { cpuTime } from './throughput/cpu-time.ts'
import { bearer, get, list } from './throughput/lines.ts'
import { type Load, type LoadResult, median, sendLoad } from './throughput/wrk.ts'

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '300000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
})
const leads = Number(values.leads)
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const offset = Math.round(leads * 0.8)

const versions = { postgraphile: '5.1.5', directus: '12.4.0' }
const folder = join(root, 'dist/peers')

type Table = 'small_leads' | 'large_leads'
type Request = Pick<Load, 'request'>

/** A server, with what it is asked. */
interface Server {
  name: string
  url: string
  child: ChildProcess
  list(table: Table, offset: number): Request
  create: Request
}

/** A lead whose email and phone no other request has. */
const newLead =
  `{"name":"Ravi Kumar","email":"n' .. n .. '@example.com","phone":"+919' .. string.format("%09d", n % 1000000000) .. '",
  "company":"Kumar Traders","city":"Pune","source":"Website","notes":"Call after six"}`.replace(/\n */, '')

const json = '["content-type"] = "application/json"'
const withJson = (token: string) => `{ authorization = "Bearer ${token}", ${json} }`

installPeers()
await withTestServer(
  async () => {
    const store = await testDatabase()
    await store.owner.unsafe(`alter database ${store.connection.database} set synchronous_commit = on`)
    const env = { DATABASE_URL: databaseUrl(store.connection), LOG_LEVEL: 'error' }
    const service = await startService(env)
    const children: ChildProcess[] = []
    try {
      const admins = {} as Record<Table, Player>
      for (const [table, count] of [
        ['small_leads', 10_000],
        ['large_leads', leads],
      ] as const) {
        const actor = await account(store.database, table)
        admins[table] = await addPlayer(store.database, service.url, actor, 'Asha', 'Admin', null)
        await fillAccount(store.connection, store.database, actor, { leads: count, days: 25, now: new Date() })
        await copyLeads(store.owner, table, actor.account_id)
      }
      await store.owner`vacuum analyze`
      const postgraphile = await startPostGraphile(env.DATABASE_URL)
      children.push(postgraphile.child)
      const directus = await startDirectus(env.DATABASE_URL)
      children.push(directus.child)
      await compare([leadEngine(service, admins), postgraphile, directus])
    } finally {
      for (const child of children) child.kill()
      await service.end()
      await store.close()
    }
  },
  { durable: true },
)

/** Directus compiles `isolated-vm`, which only its flows use. Without it, no compiler is needed. */
function installPeers(): void {
  mkdirSync(folder, { recursive: true })
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...packages], { stdio: 'inherit' })
  writeFileSync(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {}\n')
}

/** As a table of a program that has one account only, with what lists and uniqueness need. */
async function copyLeads(owner: Sql, table: Table, accountId: string): Promise<void> {
  const columns =
    'name, email, phone, company, city, source, status, priority, tags, deal_value, notes, created_at, updated_at'
  await owner.unsafe(`
    create schema if not exists peers;
    create table peers.${table} (
      id uuid primary key default gen_random_uuid(), name text not null, email text unique, phone text unique, company text,
      city text, source text, status text not null default 'New', priority text not null default 'Medium',
      tags text[] not null default '{}', deal_value numeric, notes text, created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index on peers.${table} (created_at desc);
    insert into peers.${table} (id, ${columns}) select id, ${columns} from leads where account_id = '${accountId}';
  `)
}

function post(path: string, headers: string, body: string): Request {
  return { request: `return wrk.format("POST", "${path}", ${headers}, '${body}')` }
}

function leadEngine({ url, child }: { url: string; child: ChildProcess }, admins: Record<Table, Player>): Server {
  return {
    name: 'Lead Engine',
    url,
    child,
    list: (table, skipped) => list(url, admins[table], `&offset=${skipped}`),
    create: post('/api/v1/leads', withJson(admins.large_leads.key.secret), newLead),
  }
}

async function startPostGraphile(databaseUrl: string): Promise<Server> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const options = ['-P', 'postgraphile/presets/amber', '-c', databaseUrl, '-s', 'peers', '-n', '127.0.0.1', '-p', port]
  const program = 'node_modules/postgraphile/dist/cli-run.js'
  const child = await start([program, ...options], { GRAPHILE_ENV: 'production' }, `${url}/graphql?query={__typename}`)
  const headers = `{ ${json} }`
  const fields = 'rowId name email phone company city source status priority tags dealValue notes createdAt updatedAt'
  const names = { small_leads: 'allSmallLeads', large_leads: 'allLargeLeads' }
  return {
    name: `PostGraphile ${versions.postgraphile}`,
    url,
    child,
    list(table, skipped) {
      const list = `${names[table]}(first: 50, offset: ${skipped}, orderBy: CREATED_AT_DESC)`
      return post('/graphql', headers, JSON.stringify({ query: `{ ${list} { totalCount nodes { ${fields} } } }` }))
    },
    create: post(
      '/graphql',
      headers,
      `{"query":"mutation($lead: LargeLeadInput!) { createLargeLead(input: { largeLead: $lead }) { largeLead { ${fields} } } }",` +
        `"variables":{"lead":${newLead}}}`,
    ),
  }
}

async function startDirectus(databaseUrl: string): Promise<Server> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const token = 'a-token-of-the-bench'
  const env = {
    ...{
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: databaseUrl,
      DB_SEARCH_PATH: 'array:peers',
      SECRET: 'a-secret-of-the-bench',
    },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a-password-of-the-bench', ADMIN_TOKEN: token },
    ...{ HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'error', TELEMETRY: 'false' },
    // It would answer some requests 503.
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  const program = 'node_modules/directus/cli.js'
  execFileSync(process.execPath, [program, 'bootstrap'], { cwd: folder, env: { ...process.env, ...env } })
  const child = await start([program, 'start'], env, `${url}/server/ping`)
  return {
    name: `Directus ${versions.directus}`,
    url,
    child,
    list: (table, skipped) => ({
      request: get(`/items/${table}?limit=50&offset=${skipped}&sort=-created_at&meta=filter_count`, bearer(token)),
    }),
    create: post('/items/large_leads', withJson(token), newLead),
  }
}

async function start(args: string[], env: Record<string, string>, answers: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' })
  for (let waited = 0; waited < 120; waited++) {
    const answer = await fetch(answers, { headers: { accept: 'application/json' } }).catch(() => null)
    if (answer) return child
    await sleep(500)
  }
  throw new Error(`${args[0]} did not start`)
}

async function compare(servers: Server[]): Promise<void> {
  const lines: [string, (server: Server) => Request][] = [
    ['list of 50 of 10,000 leads', (server) => server.list('small_leads', 0)],
    [`list of 50 of ${leads.toLocaleString('en')} leads`, (server) => server.list('large_leads', 0)],
    [`the same at offset ${offset.toLocaleString('en')}`, (server) => server.list('large_leads', offset)],
    [`create beside ${leads.toLocaleString('en')} leads`, (server) => server.create],
  ]
  console.log(`${'requests'.padEnd(34)}${'server'.padEnd(22)}      /s    p50    p99 ms  CPU µs of the server`)
  for (const [name, requestOf] of lines) {
    const results = new Map(servers.map((server) => [server, [] as (LoadResult & { micros: number })[]]))
    // The first round compiles the code, and prepares statements.
    for (let round = 0; round <= rounds; round++) {
      for (const [server, measured] of results) {
        const before = cpuTime([server.child.pid!])
        const load = { url: server.url, connections: 16, ...requestOf(server) }
        const result = await sendLoad(load, seconds)
        const micros = (cpuTime([server.child.pid!]) - before) / (result.perSecond * seconds)
        if (round > 0) measured.push({ ...result, micros })
      }
    }
    for (const [server, measured] of results) {
      const medianOf = (field: keyof (typeof measured)[number]) => median(measured, field)
      const cells = [medianOf('perSecond').toFixed(0).padStart(8), medianOf('p50').toFixed(1).padStart(7)]
      cells.push(medianOf('p99').toFixed(1).padStart(10), medianOf('micros').toFixed(0).padStart(8))
      console.log(name.padEnd(34) + server.name.padEnd(22) + cells.join(''))
    }
  }
}
