/**
 * Noisy neighbours: one account disturbs the service in every way it can, alone and all at once, while the list and the
 * create of another account are measured. The service, the disturbance and the measurement are three processes.
 * Words after the command choose disturbances by name.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { addRule } from '../server/crm/distribution/store.ts'
import { asActor } from '../server/platform/database/actor.ts'
import { databaseUrl } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { account, addPlayer, sessionCookie } from '../test/people.ts'
import { countAllRows } from '../test/records.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { webhookOf } from '../test/webhooks.ts'
import { disturbances, type Noise, whole } from './disturbances.ts'
import { quantilesOf } from './quantile.ts'

const seconds = { atLeast: 15, atMost: 400 }
const targets = { alone: 250, together: 1000 }
let phone = 9_840_000_000

interface Figures {
  disturbance: string
  request: 'list' | 'create'
  n: number
  p50: number
  p99: number
  max: number
  failed: number
}

/** How much of each disturbance was done, or is left: a disturbance that does nothing measures nothing. */
type Work = Record<string, number>

await withTestServer(async () => {
  const store = await testDatabase()
  const service = await startService({
    DATABASE_URL: databaseUrl(store.connection),
    LOG_LEVEL: 'error',
    WEBHOOK_LIMIT_PER_MINUTE: '1000000',
  })
  try {
    const noise = await noisyAccount(store, service.url)
    const quiet = await addPlayer(
      store.database,
      service.url,
      await account(store.database, 'Quiet'),
      'Zoya',
      'Admin',
      null,
    )
    for (let n = 0; n < 200; n++)
      await quiet.send('POST', '/api/v1/leads', { name: 'Before', phone: `98300${10_000 + n}` })
    const chosen = Object.keys(disturbances).filter(isChosen)
    const figures = await measure('none', quiet)
    const work: Record<string, Work> = {}
    const beside = async (names: string[], label: string) => {
      await restOf(store)
      const before = await workOf(store, noise)
      const isAtWork = async () => {
        const now = await workOf(store, noise)
        return names.every((name) => now[name]! > before[name]!)
      }
      const isWhole = async () => {
        const now = await workOf(store, noise)
        return names.every((name) => now[name]! - before[name]! >= (whole[name] ?? 0))
      }
      figures.push(...(await measureBeside(names, label, await withLeads(store, noise), quiet, { isAtWork, isWhole })))
      const after = await workOf(store, noise)
      work[label] = Object.fromEntries(names.map((name) => [name, after[name]! - before[name]!]))
    }
    for (const name of chosen) await beside([name], name)
    await beside(chosen, 'all at once')
    report(figures, work)
  } finally {
    await service.end()
    await store.close()
  }
})

/** Waits until reassigning and bulk changes have ended, so that the next disturbance is measured alone. */
async function restOf({ owner }: Store) {
  while (
    (
      await owner`select 1 from lead_reassignments where state = 'running'
        union all select 1 from bulk_changes where state = 'running'`
    ).length > 0
  )
    await sleep(500)
}

/** Reassigns from the user who has the leads to the other one. */
async function withLeads({ owner }: Store, noise: Noise): Promise<Noise> {
  const some = await owner`select 1 from leads where assigned_to = ${noise.from} limit 1`
  return some.length > 0 ? noise : { ...noise, from: noise.to, to: noise.from }
}

async function workOf({ owner }: Store, { webhook, flooded, slowed }: Noise): Promise<Work> {
  const deliveriesAt = (
    path: string,
  ) => owner`(select count(*) from deliveries join webhooks on webhooks.id = webhook_id
    where token = ${path.split('/').at(-1)!})::int`
  const [row] = await owner`select ${deliveriesAt(flooded)} as flood, ${deliveriesAt(slowed)} as "slowBodies",
    (select count(*) from leads where source like 'Slow upload %')::int as "slowUploads",
    (select count(*) from deliveries where webhook_id = ${webhook.id} and replayed_at is not null)::int
      + (select count(*) from audit_log where action = 'delivery.replayed')::int as replay,
    (select count(*) from leads where source = 'CSV import')::int as import,
    (select count(*) from leads where source = 'Command')::int as "importCommand",
    (select coalesce(sum(moved), 0) from lead_reassignments)::int as reassign,
    (select coalesce(sum(changed), 0) from bulk_changes)::int as "bulkChange",
    (select count(*) from audit_log where action = 'lead.merged')::int as merge,
    (select count(*) from leads where source = 'Rule')::int as "roundRobin"`
  return row as unknown as Work
}

type Store = Awaited<ReturnType<typeof testDatabase>>
type Player = Awaited<ReturnType<typeof addPlayer>>

/** Creates what the disturbances need: webhooks, a round robin rule, rejected deliveries, and users with many leads. */
async function noisyAccount(store: Store, url: string): Promise<Noise> {
  const { database, owner } = store
  const actor = await account(database, 'Noisy')
  const admin = await addPlayer(database, url, actor, 'Asha', 'Admin', null)
  const agents: string[] = []
  for (const name of ['Bela', 'Chand', 'Dev'])
    agents.push((await addPlayer(database, url, actor, name, 'Agent', null)).id)
  const leavers: string[] = []
  for (const name of ['Leaver1', 'Leaver2'])
    leavers.push((await addPlayer(database, url, actor, name, 'Agent', null)).id)
  await manyLeads(owner, actor.account_id, leavers[0]!)
  const webhook = await webhookOf({ database, url }, actor)
  const [flooded, slowed] = [await webhookOf({ database, url }, actor), await webhookOf({ database, url }, actor)]
  const people = agents.map((user_id) => ({ user_id, weight: 1 }))
  const rule = { name: 'In turn', sources: ['Rule'], cities: [], tags: [], webhook_ids: [], people }
  await asActor(database, actor, (tx) => addRule(tx, actor, rule, null))
  for (let n = 0; n < 1000; n += 20) {
    const some = Array.from({ length: 20 }, (_, k) => webhook.send({ full_name: `No contact ${n + k}`, city: 'Pune' }))
    await Promise.all(some)
  }
  await owner`vacuum analyze`
  const cookie = await sessionCookie({ directory: store.directory, url }, admin)
  return {
    url,
    databaseUrl: databaseUrl(store.connection),
    cookie,
    key: admin.key.secret,
    from: leavers[0]!,
    to: leavers[1]!,
    webhook: { id: webhook.id, path: webhook.path },
    flooded: flooded.path,
    slowed: slowed.path,
  }
}

async function manyLeads(owner: Store['owner'], account_id: string, person: string) {
  await owner`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, assigned_to, created_at,
      updated_at)
    select ${account_id}, gen_random_uuid(), 'Many', n::text, ${person} || n, 'IVR ' || n % 7, 'New', 'Low', ${person},
      now() - n % 400 * interval '1 day', now() from generate_series(1, 50000) n`
  await owner`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    select account_id, id, assigned_to, now(), 'created', 'Created', '{}' from leads where assigned_to = ${person}`
  await countAllRows(owner)
}

async function measureBeside(
  names: string[],
  label: string,
  noise: Noise,
  quiet: Player,
  { isAtWork, isWhole }: Record<'isAtWork' | 'isWhole', () => Promise<boolean>>,
): Promise<Figures[]> {
  const disturber = fork(new URL('./disturbances.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    disturber.send({ names, noise })
    await once(disturber, 'message')
    // A large file is read for a while before its first row is saved.
    for (let n = 0; n < 20 && !(await isAtWork()); n++) await sleep(1000)
    await sleep(1000)
    return await measure(label, quiet, isWhole)
  } finally {
    const gone = once(disturber, 'exit')
    disturber.kill('SIGTERM')
    await gone
    // Running requests end, so that the next disturbance is measured alone.
    await sleep(3000)
  }
}

/**
 * Measures two clients that list and one that creates, each a short pause after its last answer, until the disturbance is
 * complete.
 */
async function measure(
  disturbance: string,
  quiet: Player,
  isWhole: () => Promise<boolean> = async () => true,
): Promise<Figures[]> {
  const start = performance.now()
  let isOver = false
  const times: Record<Figures['request'], number[]> = { list: [], create: [] }
  const failed: Record<Figures['request'], number> = { list: 0, create: 0 }
  const repeat = async (request: Figures['request']) => {
    while (!isOver) {
      const started = performance.now()
      const answer = await (request === 'list'
        ? quiet.send('GET', '/api/v1/leads')
        : quiet.send('POST', '/api/v1/leads', { name: 'Quiet', phone: String(phone++) }))
      times[request].push(performance.now() - started)
      if (answer.status >= 300) failed[request]++
      await sleep(20)
    }
  }
  const watch = async () => {
    await sleep(seconds.atLeast * 1000)
    while (!(await isWhole()) && performance.now() - start < seconds.atMost * 1000) await sleep(5000)
    isOver = true
  }
  await Promise.all([watch(), repeat('list'), repeat('list'), repeat('create')])
  const lasted = Math.round((performance.now() - start) / 1000)
  return (['list', 'create'] as const).map((request) => {
    const quantile = quantilesOf(times[request])
    const at = (share: number) => Math.round(quantile(share))
    const figures = { n: times[request].length, p50: at(0.5), p99: at(0.99), max: at(1), failed: failed[request] }
    console.log(`${disturbance} (${lasted} s): ${request} ${JSON.stringify(figures)}`)
    return { disturbance, request, ...figures }
  })
}

function report(figures: Figures[], work: Record<string, Work>) {
  const within = ({ disturbance, p99, failed }: Figures) =>
    failed === 0 && p99 < (disturbance === 'all at once' ? targets.together : targets.alone)
  console.log(`\n${'disturbance'.padEnd(16)}request      n    p50    p99    max ms  failed`)
  for (const one of figures) {
    const { disturbance, request, n, p50, p99, max, failed } = one
    const numbers = [n, p50, p99, max].map((number) => String(number).padStart(6)).join(' ')
    console.log(
      `${disturbance.padEnd(16)}${request.padEnd(7)}${numbers}   ${String(failed).padStart(7)}${within(one) ? '' : '  ← MISSED'}`,
    )
  }
  for (const [label, done] of Object.entries(work)) console.log(`done by ${label}: ${JSON.stringify(done)}`)
  const idle = Object.entries(work).filter(([, done]) => Object.values(done).includes(0))
  if (idle.length > 0) {
    console.log(`Not measured, because a disturbance did nothing: ${idle.map(([label]) => label).join(', ')}`)
    process.exitCode = 1
  }
  console.log(JSON.stringify({ targets, seconds, work, figures }))
}

function isChosen(name: string): boolean {
  const words = process.argv.slice(2)
  return words.length === 0 || words.some((word) => name.includes(word))
}
