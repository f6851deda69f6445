/**
 * Noisy neighbours: one account disturbs the service in every way it can, alone and all at once, while the list and the
 * create of another account are measured. The service, the disturbance and the measurement are three processes.
 * Words after the command choose disturbances by name.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { asActor } from '../server/database/actor.ts'
import { addRule } from '../server/distribution/store.ts'
import { addressOf } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { account, addPlayer, sessionCookie } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { webhookOf } from '../test/webhooks.ts'
import { disturbances, type Noise } from './disturbances.ts'

const seconds = 15
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

await withTestServer(async () => {
  const store = await testDatabase()
  const service = await startService({
    DATABASE_URL: addressOf(store.connection),
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
    for (const name of chosen) figures.push(...(await measureBeside([name], name, noise, quiet)))
    figures.push(...(await measureBeside(chosen, 'all at once', noise, quiet)))
    report(figures)
  } finally {
    await service.end()
    await store.close()
  }
})

type Store = Awaited<ReturnType<typeof testDatabase>>
type Player = Awaited<ReturnType<typeof addPlayer>>

/** What the disturbances need: an account with webhooks, a rule in turn, rejected deliveries, people with many leads. */
async function noisyAccount(store: Store, url: string): Promise<Noise> {
  const { database, owner } = store
  const actor = await account(database, 'Noisy')
  const admin = await addPlayer(database, url, actor, 'Asha', 'Admin', null)
  const agents: string[] = []
  for (const name of ['Bela', 'Chand', 'Dev'])
    agents.push((await addPlayer(database, url, actor, name, 'Agent', null)).id)
  const leavers: string[] = []
  for (const name of ['Leaver1', 'Leaver2']) {
    const { id } = await addPlayer(database, url, actor, name, 'Agent', null)
    leavers.push(id)
    await manyLeads(owner, actor.account_id, id)
  }
  const webhook = await webhookOf({ database, url }, actor)
  const flooded = await webhookOf({ database, url }, actor)
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
    ...{ url, cookie, key: admin.key.secret, leavers, heir: agents[0]! },
    ...{ webhook: { id: webhook.id, path: webhook.path }, flooded: flooded.path },
  }
}

async function manyLeads(owner: Store['owner'], account_id: string, person: string) {
  await owner`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, assigned_to, created_at,
      updated_at)
    select ${account_id}, gen_random_uuid(), 'Many', n::text, ${person} || n, 'IVR ' || n % 7, 'New', 'Low', ${person},
      now() - n % 400 * interval '1 day', now() from generate_series(1, 50000) n`
  await owner`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    select account_id, id, assigned_to, now(), 'created', 'Created', '{}' from leads where assigned_to = ${person}`
  await owner`insert into lead_counts select account_id, (created_at at time zone interval '05:30')::date, status, source,
      priority, assigned_to, 0, count(*) from leads where assigned_to = ${person} group by 1, 2, 3, 4, 5, 6`
  await owner`insert into lead_day_counts select account_id, (created_at at time zone interval '05:30')::date, assigned_to,
      0, count(*) from leads where assigned_to = ${person} group by 1, 2, 3`
}

async function measureBeside(names: string[], label: string, noise: Noise, quiet: Player): Promise<Figures[]> {
  const disturber = fork(new URL('./disturbances.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    disturber.send({ names, noise })
    await once(disturber, 'message')
    await sleep(1000)
    return await measure(label, quiet)
  } finally {
    const gone = once(disturber, 'exit')
    disturber.kill('SIGKILL')
    await gone
    // What is under way ends, so that the next is measured alone.
    await sleep(3000)
  }
}

/** Two who list and one who creates, each as soon as the last is answered, with a short pause. */
async function measure(disturbance: string, quiet: Player): Promise<Figures[]> {
  const until = performance.now() + seconds * 1000
  const times: Record<Figures['request'], number[]> = { list: [], create: [] }
  const failed: Record<Figures['request'], number> = { list: 0, create: 0 }
  const repeat = async (request: Figures['request']) => {
    while (performance.now() < until) {
      const started = performance.now()
      const answer = await (request === 'list'
        ? quiet.send('GET', '/api/v1/leads')
        : quiet.send('POST', '/api/v1/leads', { name: 'Quiet', phone: String(phone++) }))
      times[request].push(performance.now() - started)
      if (answer.status >= 300) failed[request]++
      await sleep(20)
    }
  }
  await Promise.all([repeat('list'), repeat('list'), repeat('create')])
  return (['list', 'create'] as const).map((request) => {
    const sorted = times[request].sort((one, other) => one - other)
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
    const figures = { n: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1), failed: failed[request] }
    console.log(`${disturbance}: ${request} ${JSON.stringify(figures)}`)
    return { disturbance, request, ...figures }
  })
}

function report(figures: Figures[]) {
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
  console.log(JSON.stringify({ targets, seconds, figures }))
}

function isChosen(name: string): boolean {
  const words = process.argv.slice(2)
  return words.length === 0 || words.some((word) => name.includes(word))
}
