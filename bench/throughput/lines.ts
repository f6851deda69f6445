import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillAccount } from '../../operations/demo/fill.ts'
import type { Role } from '../../server/access/account/contract.ts'
import { cleanUp } from '../../server/cleanup.ts'
import type { Actor } from '../../server/platform/database/actor.ts'
import { freePort } from '../../test/app.ts'
import type { testDatabase } from '../../test/database.ts'
import { account, addPlayer, type Player } from '../../test/people.ts'
import { webhookOf } from '../../test/webhooks.ts'
import type { Load } from './wrk.ts'

/** What is measured, and against what. */
export interface Line {
  name: string
  load: Load
  /** Another line, or what pgbench does. */
  of?: string
  /** The ratio that is required, and the one that is aimed at. */
  atLeast?: number
  reach?: number
}

type Store = Awaited<ReturnType<typeof testDatabase>>

/** The service, one that rejects by its rate limit, and Fastify alone. */
interface Urls {
  url: string
  limited: string
  bare: string
}

interface Size {
  leads: number
  /** By the beginning of their names. */
  isChosen(prefix: string): boolean
}

const writers = 32
const known = 50
const day = 86_400_000

/** Fills the accounts that the chosen lines need. */
export async function linesOf(store: Store, urls: Urls, { leads, isChosen }: Size) {
  const { url } = urls
  const admin = async (actor: Actor) => addPlayer(store.database, url, actor, 'Asha', 'Admin', null)
  const fill = (actor: Actor, count: number, days: number) =>
    fillAccount(store.connection, store.database, actor, { leads: count, days, now: new Date() })

  const small = await account(store.database, 'Small')
  const smallAdmin = await admin(small)
  await fill(small, 10_000, 25)
  const accounts = await Promise.all(Array.from({ length: writers }, (_, n) => account(store.database, `Writer ${n}`)))
  const players = await Promise.all(accounts.map(admin))
  const secrets = players.map(({ key }) => key.secret)
  const webhooks = await Promise.all(accounts.map((actor) => webhookOf({ database: store.database, url }, actor)))
  const leadIds = await leadsToChange(players)
  const lines = [
    ...lists(url, smallAdmin),
    ...writes({ url, secrets, leadIds, webhooks: webhooks.map(({ path }) => path) }),
    ...rejections(urls, smallAdmin, await readOnlyKey(store, small)),
  ]

  for (const { prefix, days, listsOf } of [
    { prefix: 'large:', days: 25, listsOf: largeLists },
    { prefix: 'one day:', days: 1, listsOf: oneDayLists },
  ]) {
    if (!isChosen(prefix)) continue
    const people = await fillLarge(store, url, prefix, (actor) => fill(actor, leads, days))
    lines.push(...listsOf(url, people, leads))
  }
  await cleanAll(store)
  await store.owner`vacuum analyze`
  return { lines, smallAccount: small.account_id }
}

async function cleanAll({ database }: Store) {
  await cleanUp(database, 365, new Date(), {
    removed: () => {},
    failed: (error) => {
      throw error
    },
    progress: () => {},
    signal: new AbortController().signal,
  })
}

/** Leads of the writing accounts, with emails p1@example.com and so on in each, that merges and calls find. */
async function leadsToChange(players: Player[]): Promise<string[]> {
  const ids: string[] = []
  for (const player of players) {
    const emails = Array.from({ length: known }, (_, n) => `p${n + 1}@example.com`)
    const answers = await Promise.all(
      emails.map((email) => player.send('POST', '/api/v1/leads', { name: 'Ravi', email })),
    )
    ids.push(...answers.map(({ body }) => body.data.id))
  }
  return ids
}

export const get = (path: string, headers: string) => `return wrk.format("GET", ${JSON.stringify(path)}, ${headers})`
export const bearer = (secret: string) => `{ authorization = "Bearer ${secret}" }`

/** The window holds every lead of the bench. */
const window = () =>
  `from_date=${new Date(Date.now() - 28 * day).toISOString().slice(0, 10)}&to_date=${new Date(Date.now() + day).toISOString().slice(0, 10)}`

export function list(url: string, player: Player, query: string): Load {
  return { url, request: get(`/api/v1/leads?limit=50&${window()}${query}`, bearer(player.key.secret)) }
}

function lists(url: string, player: Player): Line[] {
  return [{ name: smallList, load: list(url, player, ''), of: 'pgbench, select 50', atLeast: 0.35, reach: 0.5 }]
}

const post = (path: string, secret: string, body: string) =>
  `return wrk.format("POST", ${path}, { authorization = "Bearer " .. ${secret}, ["content-type"] = "application/json" }, ${body})`

/** Creates leads with one of these keys at a time. */
function creates(url: string, secrets: string[], connections?: number): Load {
  const lead = `'{"name":"Ravi Kumar","email":"n' .. n .. '@example.com","phone":"+919' .. string.format("%09d", n % 1000000000) ..
    '","company":"Kumar Traders","city":"Pune","source":"Website","notes":"Call after six","tags":["brochure"],"deal_value":45000}'`
  const request = post('"/api/v1/leads"', 'any(secrets)', lead)
  return { url, lists: { secrets }, request, ...(connections ? { connections } : {}) }
}

function writes(given: { url: string; secrets: string[]; leadIds: string[]; webhooks: string[] }): Line[] {
  const { url, secrets, leadIds, webhooks } = given
  const merge = `'{"name":"Ravi Kumar","email":"p' .. math.random(${known}) .. '@example.com","status":"' .. any(statuses) .. '"}'`
  // The leads of one account stand together.
  const ofOneAccount = `local at = math.random(#secrets)
    local lead = leads[(at - 1) * ${known} + math.random(${known})]`
  const call = `'{"lead_id":"' .. lead .. '","call_type":"Outbound","duration_seconds":61,"notes":"Will call back"}'`
  const statuses = ['New', 'Contacted', 'Qualified']
  return [
    {
      name: 'create, 32 accounts',
      load: creates(url, secrets),
      of: 'pgbench, insert',
      atLeast: 0.35,
      reach: 0.5,
    },
    {
      name: 'create, one account',
      load: creates(url, secrets.slice(0, 1)),
      of: 'pgbench, insert',
      atLeast: 0.4,
      reach: 0.8,
    },
    {
      name: 'create, one connection',
      load: creates(url, secrets, 1),
    },
    {
      name: 'webhook delivery that creates',
      load: {
        url,
        lists: { webhooks },
        request: `return wrk.format("POST", any(webhooks), { ["content-type"] = "application/json" },
          '{"full_name":"Ravi Kumar","email":"n' .. n .. '@example.com","phone_number":"+919' .. string.format("%09d", n % 1000000000) .. '","city":"Pune","message":"Call after six"}')`,
      },
      of: 'create, 32 accounts',
      atLeast: 0.7,
      reach: 0.9,
    },
    {
      name: 'merge',
      load: { url, lists: { secrets, statuses }, request: post('"/api/v1/leads"', 'any(secrets)', merge) },
      of: 'create, 32 accounts',
      atLeast: 0.5,
    },
    {
      name: 'call log',
      load: {
        url,
        lists: { secrets, leads: leadIds },
        request: `${ofOneAccount}\n  ${post('"/api/v1/call-logs"', 'secrets[at]', call)}`,
      },
      of: 'create, 32 accounts',
      atLeast: 1,
    },
  ]
}

async function readOnlyKey(store: Store, actor: Actor): Promise<string> {
  const { key } = await addPlayer(store.database, '', actor, 'Rita', 'Agent', null, ['read'])
  return key.secret
}

function rejections({ url, limited, bare }: Urls, { key }: Player, readOnlySecret: string): Line[] {
  const of = 'bare Fastify, 401'
  const lead = `/api/v1/leads/${crypto.randomUUID()}`
  const line = (name: string, method: string, path: string, headers = bearer(key.secret), at = url): Line => ({
    name,
    load: { url: at, request: `return wrk.format("${method}", "${path}", ${headers})`, rejected: true },
    of,
    atLeast: 0.6,
  })
  return [
    { name: of, load: { url: bare, request: get('/', '{}'), rejected: true } },
    line('401, no key', 'GET', '/api/v1/leads', '{}'),
    line('403, key without the permission', 'DELETE', lead, bearer(readOnlySecret)),
    line('404, no such lead', 'DELETE', lead),
    line('404, no such path', 'GET', '/api/v1/nothing'),
    line('429, above the limit', 'GET', '/api/v1/leads', bearer(key.secret), limited),
  ]
}

interface LargeAccount {
  admin: Player
  manager: Player
  agent: Player
}

/** 50 people, a team of 20 among them. The last Agent has 300 leads. */
async function fillLarge(store: Store, url: string, name: string, fill: (actor: Actor) => Promise<unknown>) {
  const actor = await account(store.database, name)
  const add = (person: string, role: Role, team: string | null) =>
    addPlayer(store.database, url, actor, person, role, team)
  const admin = await add('Asha', 'Admin', null)
  const manager = await add('Meena', 'Manager', 'north')
  for (let n = 1; n <= 47; n++) await add(`Agent${n}`, 'Agent', n < 20 ? 'north' : 'south')
  store.database.cache.invalidate(actor.account_id)
  await fill(actor)
  const agent = await add('Bela', 'Agent', 'south')
  store.database.cache.invalidate(actor.account_id)
  for (let n = 0; n < 300; n++)
    await admin.send('POST', '/api/v1/leads', { name: 'Ravi', email: `b${n}@example.com`, assigned_to: agent.email })
  return { admin, manager, agent }
}

const smallList = 'list of 50, 10,000 leads'
const filters = {
  status: 'status=Contacted',
  source: 'source=Meta',
  priority: 'priority=High',
  'three filters': 'status=Contacted&source=Meta&priority=High',
}

function largeLists(url: string, { admin, manager, agent }: LargeAccount, leads: number): Line[] {
  const name = 'large: list'
  const line =
    (of: string, atLeast: number) =>
    (suffix: string, query: string, player = admin): Line => ({
      name: `${name}${suffix}`,
      load: list(url, player, query),
      of,
      atLeast,
    })
  const besideSmall = line(smallList, 0.8)
  const besideFirst = line(name, 0.6)
  const besideAdmin = line(name, 0.7)
  const deep = Math.round(leads * 0.8)
  return [
    besideSmall('', ''),
    ...Object.entries({ ...filters, assignee: `assigned_to=${encodeURIComponent(manager.email)}` }).map(([by, query]) =>
      besideSmall(` by ${by}`, `&${query}`),
    ),
    besideFirst(`, offset ${deep}`, `&offset=${deep}`),
    // 54% of the leads.
    besideFirst(` by priority, offset ${deep >> 1}`, `&priority=Medium&offset=${deep >> 1}`),
    besideAdmin(' of a Manager', '', manager),
    besideAdmin(' of an Agent', '', agent),
    // A create may cost 1.3 times as much.
    { name: 'large: create', load: creates(url, [admin.key.secret]), of: 'create, one account', atLeast: 0.77 },
  ]
}

function oneDayLists(url: string, { admin }: LargeAccount, leads: number): Line[] {
  const name = 'one day: list'
  const deep = Math.round(leads * 0.8)
  return [
    { name, load: list(url, admin, ''), of: smallList, atLeast: 0.8 },
    { name: `${name}, offset ${deep}`, load: list(url, admin, `&offset=${deep}`), of: name, atLeast: 0.6 },
    {
      name: `${name} by priority, offset ${deep >> 1}`,
      load: list(url, admin, `&priority=Medium&offset=${deep >> 1}`),
      of: name,
      atLeast: 0.6,
    },
  ]
}

/** A service that only answers 401, as a process of its own. */
export async function startBareFastify() {
  const port = await freePort()
  const program = `
    import { fastify } from 'fastify'
    const app = fastify()
    app.get('/', (request, reply) => reply.code(401).send({ error: { code: 'UNAUTHORIZED', message: 'No API key.' } }))
    await app.listen({ port: ${port}, host: '127.0.0.1' })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(25)
  return { url, pid: child.pid!, stop: () => void child.kill() }
}
