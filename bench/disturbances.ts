/** The disturbances of a noisy account, in a process of its own that `bench/neighbours.ts` starts and kills. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { plainEnv, root } from '../test/service.ts'

export interface Noise {
  url: string
  databaseUrl: string
  cookie: string
  key: string
  /** A webhook with 1,000 rejected deliveries. */
  webhook: { id: string; path: string }
  flooded: string
  /** The path of a webhook whose bodies arrive slowly. */
  slowed: string
  /** A user with 50,000 leads, and the new owner. */
  from: string
  to: string
}

const asAdmin = ({ cookie, url }: Noise) => ({ cookie, origin: url, 'content-type': 'application/json' })
const asKey = ({ key }: Noise) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

/** Counts of answers by disturbance and status: a rejected request disturbs no one. */
const answered: Record<string, Record<string, number>> = {}

function count(url: string, what: string | number) {
  const kind = new URL(url).pathname.replace(/[0-9a-f-]{36}/, ':id').replace(/(\/webhook\/).*/, '$1:token')
  const statuses = answered[kind] ?? {}
  answered[kind] = { ...statuses, [what]: (statuses[what] ?? 0) + 1 }
}

async function send(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  count(url, response.status)
  const text = await response.text().catch((error) => {
    count(url, String(error))
    throw error
  })
  return text
}

/** Runs `work` endlessly, `concurrency` times at once. */
const forever = (concurrency: number, work: (n: number) => Promise<unknown>) => {
  let n = 0
  const one = async () => {
    for (;;)
      await work(n++).catch((error) => {
        count(`http://failed/${error.cause?.code ?? 'error'}`, 'thrown')
        return sleep(50)
      })
  }
  return Promise.all(Array.from({ length: concurrency }, one))
}

const post = (noise: Noise, lead: object) =>
  send(`${noise.url}/api/v1/leads`, { method: 'POST', headers: asKey(noise), body: JSON.stringify(lead) })

/** Sends 20 KB after each pause, which is just enough not to be cut off. */
function sendSlowly(url: string, headers: Record<string, string>, text: string, pauseMs: number) {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 20_000) {
      await sleep(pauseMs)
      yield bytes.subarray(at, at + 20_000)
    }
  }
  return send(url, { method: 'POST', headers, body: ReadableStream.from(pieces()), duplex: 'half' })
}

const importFile = 20 * 1024 * 1024 - 1000

export const disturbances: Record<string, (noise: Noise) => Promise<unknown>> = {
  flood: (noise) =>
    forever(16, (n) =>
      send(noise.url + noise.flooded, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: worstBodies[n % worstBodies.length]!,
      }),
    ),
  slowUploads: (noise) =>
    forever(16, (n) => {
      const headers = { ...asAdmin(noise), 'content-type': 'text/csv' }
      return sendSlowly(`${noise.url}/web/leads/import`, headers, csvOf(60_000, `Slow upload ${n}`), 4000)
    }),
  slowBodies: (noise) =>
    forever(300, (n) => {
      const lead = { name: `Slow body ${n}`, phone: '9876522222', message: 'word '.repeat(40_000) }
      return sendSlowly(noise.url + noise.slowed, { 'content-type': 'application/json' }, JSON.stringify(lead), 1500)
    }),
  replay: (noise) =>
    forever(1, async () => {
      let after: string | null = null
      do {
        const body = JSON.stringify(after === null ? {} : { after })
        const url = `${noise.url}/web/webhooks/${noise.webhook.id}/replay`
        const answer = JSON.parse(await send(url, { method: 'POST', headers: asAdmin(noise), body }))
        after = answer.data?.next ?? null
      } while (after !== null)
    }),
  import: (noise) =>
    forever(1, () =>
      send(`${noise.url}/web/leads/import`, {
        method: 'POST',
        headers: { ...asAdmin(noise), 'content-type': 'text/csv' },
        body: csvOf(importFile),
      }),
    ),
  importCommand: (noise) => forever(1, () => importByCommand(noise)),
  reassign: async (noise) => {
    const { cookie, origin } = asAdmin(noise)
    const deactivation = (id: string) => `${noise.url}/web/users/${id}/deactivation`
    await send(deactivation(noise.to), { method: 'DELETE', headers: { cookie, origin } })
    const body = JSON.stringify({ reassign_to: noise.to })
    await send(deactivation(noise.from), { method: 'POST', headers: asAdmin(noise), body })
  },
  bulkChange: async (noise) => {
    const body = JSON.stringify({ matching: { from_date: '2020-01-01' }, change: { add_tags: [`Bulk ${Date.now()}`] } })
    await send(`${noise.url}/web/bulk-changes`, { method: 'POST', headers: asAdmin(noise), body })
  },
  merge: (noise) =>
    forever(32, (n) => post(noise, { name: 'One', phone: '9876500000', city: `City ${n}`, notes: `Note ${n}` })),
  roundRobin: (noise) =>
    forever(16, (n) =>
      post(noise, {
        name: 'Round robin',
        phone: String(7_000_000_000 + ((n + Date.now()) % 999_999_999)),
        source: 'Rule',
      }),
    ),
}

let importing: ChildProcess | null = null

/** Its leads have a source of their own, by which they are counted. */
async function importByCommand({ databaseUrl }: Noise) {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-bench-'))
  const remove = () => rmSync(folder, { recursive: true })
  process.once('exit', remove)
  const path = join(folder, 'leads.csv')
  writeFileSync(path, csvOf(importFile))
  const args = ['operations/main.ts', 'import', path, '--account', 'Noisy', '--source', 'Command', '--json']
  importing = spawn(process.execPath, args, { cwd: root, env: plainEnv({ DATABASE_URL: databaseUrl }) })
  const [status] = await once(importing, 'exit')
  count('http://command/import', `exit ${status}`)
  process.off('exit', remove)
  remove()
}

const nearMegabyte = 1024 * 1024 - 20_000

/** Bodies near 1 MiB that take longest to read: many short fields, deep nesting, long labels, one long text. */
const worstBodies = [
  JSON.stringify(Object.fromEntries(fields(30_000, (n) => [`field_${n}`, `value ${n}`]))),
  JSON.stringify({
    lead: fields(9000, (n) => ({ [`a long label that names nothing number ${n}`]: `98200${n} at example` })),
  }),
  JSON.stringify(Object.fromEntries(fields(2700, (n) => [`${'x'.repeat(350)}${n}`, 'y']))),
  JSON.stringify({ name: 'Flood', phone: '9876511111', message: 'word '.repeat(nearMegabyte / 5) }),
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `[${'[],'.repeat(300_000)}[]]`,
]
for (const body of worstBodies)
  if (body.length > 1024 * 1024) throw new Error(`a body has ${body.length} bytes, more than REST takes`)

function fields<T>(count: number, of: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => of(n))
}

/** A file with new people only: an existing lead would not count as imported. */
function csvOf(bytes: number, source = ''): string {
  const lines = [`Name,Phone,Email,City,Notes${source && ',Source'}`]
  const first = randomInt(10_000_000, 90_000_000)
  for (let n = 0, size = 0; size < bytes; n++) {
    const line = `Person ${n},+9198${String(first + n).padStart(8, '0')},p${first + n}@example.com,Pune,"A note of some length, ${n}"${source && `,${source}`}`
    size += line.length + 1
    if (size < bytes) lines.push(line)
  }
  return lines.join('\n')
}

/** The amount of work after which a disturbance is complete. The others have no end. */
export const whole: Record<string, number> = {
  replay: 1000,
  import: csvOf(importFile).split('\n').length - 1,
  importCommand: csvOf(importFile).split('\n').length - 1,
  reassign: 50_000,
}

if (process.send) {
  process.on('SIGTERM', () => {
    console.log(JSON.stringify(answered))
    importing?.kill('SIGKILL')
    process.exit()
  })
  process.on('message', ({ names, noise }: { names: string[]; noise: Noise }) => {
    for (const name of names) void disturbances[name]!(noise)
    process.send!('started')
  })
}
