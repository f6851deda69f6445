/**
 * Throughput: the service beside what PostgreSQL does by itself, in one run. Each line is measured in turn with its
 * reference, because a machine that is busy with other things slows both; the ratio is what counts. CPU time is that of
 * the service's process and of its database connections, for each request.
 *
 * Options: `--only WORDS` for lines whose names have them, `--leads 1000000` in the large accounts, `--seconds 5` for each
 * of `--rounds 3`, `--json FILE`. Needs wrk and pgbench.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { freePort } from '../test/app.ts'
import { databaseUrl } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { cpuTime, databaseProcesses, residentMemory } from './throughput/cpu-time.ts'
import { type Line, linesOf, startBareFastify } from './throughput/lines.ts'
import { insertOne, makeReferenceTable, runPgbench, selectFifty } from './throughput/pgbench.ts'
import { type LoadResult, median, sendLoad } from './throughput/wrk.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    leads: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)

interface Figures extends LoadResult {
  ratio: number
  serviceMicros: number
  databaseMicros: number
}

interface Measured extends Figures {
  name: string
  of: string
  atLeast: number | null
  reach: number | null
}

await withTestServer(
  async () => {
    const store = await testDatabase()
    await store.owner.unsafe(`alter database ${store.connection.database} set synchronous_commit = on`)
    await makeReferenceTable(store.owner)
    const env = { DATABASE_URL: databaseUrl(store.connection), LOG_LEVEL: 'error' }
    const service = await startService({ ...env, WEBHOOK_LIMIT_PER_MINUTE: '1000000' })
    const limitedPort = String(await freePort())
    const limitedUrl = `http://127.0.0.1:${limitedPort}`
    const bare = await startBareFastify()
    const idle = residentMemory(service.child.pid!)
    let requests = 0
    try {
      const { lines, smallAccount } = await linesOf(
        store,
        { url: service.url, bare: bare.url, limited: limitedUrl },
        {
          leads: Number(values.leads),
          isChosen: (prefix) => values.only.startsWith(prefix) || prefix.startsWith(values.only),
        },
      )

      const byName = new Map(lines.map((line) => [line.name, line]))
      const perSecondOf: Record<string, () => Promise<number>> = {
        'pgbench, insert': () => runPgbench(store.connection, insertOne, seconds),
        'pgbench, select 50': () => runPgbench(store.connection, selectFifty(smallAccount), seconds),
      }
      const referenceOf = (name: string) =>
        perSecondOf[name] ?? (async () => (await sendLoad(byName.get(name)!.load, seconds)).perSecond)

      const measured: Measured[] = []
      console.log(`${'requests'.padEnd(46)}      /s    p50    p99 ms   ratio  at least  reach  service  database µs`)
      for (const line of lines.filter(({ name }) => name.includes(values.only))) measured.push(await measure(line))
      console.log(
        `\nmemory of the service: ${idle.toFixed(0)} MB idle, ${residentMemory(service.child.pid!).toFixed(0)} MB after ${Math.round(requests)} requests`,
      )
      // A service that ends keeps its compiled code for the next start.
      await (await startService(env)).end()
      const second = await startService(env)
      const startTime = cpuTime([second.child.pid!])
      await second.end()
      console.log(`start on this database: ${second.ms} ms, ${(startTime / 1000).toFixed(0)} ms of CPU time`)
      if (values.json) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`)

      async function measure({ name, load, of, atLeast, reach }: Line): Promise<Measured> {
        const results: Figures[] = []
        // Not beside the others: a second service shares the work of notifications, and takes connections and memory. It rejects
        // all requests but the first of each minute.
        const limited =
          load.url === limitedUrl ? await startService({ ...env, PORT: limitedPort, RATE_LIMIT_PER_MINUTE: '1' }) : null
        const measuredPid = (limited ?? service).child.pid!
        // Compiles the code, and prepares the statements of all connections.
        await sendLoad(load, 2)
        for (let round = 0; round < rounds; round++) {
          const reference = of ? await referenceOf(of)() : null
          const pids = await databaseProcesses(store.owner)
          const [serviceBefore, databaseBefore] = [cpuTime([measuredPid]), cpuTime(pids)]
          const result = await sendLoad(load, seconds)
          const sent = result.perSecond * seconds
          requests += sent
          results.push({
            ...result,
            ratio: reference === null ? Number.NaN : result.perSecond / reference,
            serviceMicros: (cpuTime([measuredPid]) - serviceBefore) / sent,
            databaseMicros: (cpuTime(pids) - databaseBefore) / sent,
          })
        }
        await limited?.end()
        const medianOf = (field: keyof Figures) => median(results, field)
        const row: Measured = {
          name,
          perSecond: medianOf('perSecond'),
          p50: medianOf('p50'),
          p99: medianOf('p99'),
          of: of ?? '',
          ratio: medianOf('ratio'),
          atLeast: atLeast ?? null,
          reach: reach ?? null,
          serviceMicros: medianOf('serviceMicros'),
          databaseMicros: medianOf('databaseMicros'),
        }
        print(row)
        return row
      }
    } finally {
      bare.stop()
      await service.end()
      await store.close()
    }
  },
  { durable: true },
)

function print(row: Measured): void {
  const cells: [string, number][] = [
    [row.perSecond.toFixed(0), 8],
    [row.p50.toFixed(1), 7],
    [row.p99.toFixed(1), 10],
    [Number.isNaN(row.ratio) ? '' : row.ratio.toFixed(2), 8],
    [row.atLeast?.toFixed(2) ?? '', 10],
    [row.reach?.toFixed(2) ?? '', 7],
    [row.serviceMicros.toFixed(0), 9],
    [row.databaseMicros.toFixed(0), 10],
  ]
  const of = row.of ? `   of ${row.of}` : ''
  console.log(row.name.padEnd(46) + cells.map(([text, width]) => text.padStart(width)).join('') + of)
}
