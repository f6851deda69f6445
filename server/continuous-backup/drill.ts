import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { noSteps } from '../backup/steps.ts'
import { openAsOwner } from '../database/connect.ts'
import { tryLock } from '../database/embedded/lock.ts'
import { stopAbandoned } from '../database/embedded.ts'
import { schemaProblem, schemaState } from '../database/migrate.ts'
import type { Sql } from '../database/sql.ts'
import { type Choice, chooseBase } from './choose-base.ts'
import { layDown } from './lay-down.ts'
import { openTarget } from './open-target.ts'
import { logLength } from './read-log.ts'
import { recover } from './recover.ts'
import type { ContinuousSettings } from './settings.ts'
import { noteDrill } from './state.ts'

export interface Drill {
  /** The time of the last change that was restored. */
  restored_to: Date
  accounts: number
  leads: number
}

/** Another process tries a restore in the same folder. */
export class DrillRuns extends Error {
  constructor() {
    super('A restore is being tried already: wait until that has ended.')
  }
}

/** Tries a restore, and keeps how it ended. */
export async function runDrill(
  sql: Sql,
  { settings, dataDir, signal }: { settings: ContinuousSettings; dataDir: string; signal: AbortSignal },
): Promise<Drill> {
  const lock = tryLock(join(dataDir, 'restore-drill.lock'), 'exclusive')
  if (!lock) throw new DrillRuns()
  const drill_at = new Date()
  try {
    const done = await drill(settings, dataDir, signal)
    await noteDrill(sql, drill_at, done)
    return done
  } catch (error) {
    if (!signal.aborted) await noteDrill(sql, drill_at, { error: (error as Error).message })
    throw error
  } finally {
    lock.release()
  }
}

/** Restores the newest state into a folder of its own, reads all tables there, and removes it. The service may run. */
async function drill(settings: ContinuousSettings, dataDir: string, signal: AbortSignal): Promise<Drill> {
  const dir = join(dataDir, 'restore-drill')
  await stopAbandoned(dir)
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { mode: 0o700 })
  try {
    const choice = await chooseBase(openTarget(settings.target), settings.secret, null)
    await checkRoom(choice, dataDir)
    const { problem } = await layDown(choice, join(dir, 'postgres'), { steps: noSteps, signal })
    if (problem) throw new Error(`${problem}: later changes cannot be restored.`)
    const recovered = await recover(dir, { until: null, durable: false, signal, log: () => {} })
    try {
      const counts = await readTables(recovered.owner)
      return { restored_to: recovered.last_change_at ?? choice.base.finished_at, ...counts }
    } finally {
      await recovered.stop()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Throws if the disk has no room for the base, its log, and some more. */
export async function checkRoom({ history, base }: Choice, dataDir: string): Promise<void> {
  const needed = 1.1 * (base.bytes + (await logLength(history, base.start))) + 512 * 1024 ** 2
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  if (free < needed)
    throw new Error(
      `${gigabytes(needed)} must be free in ${dataDir}, and only ${gigabytes(free)} are: free space there.`,
    )
}

/** Reads every row: PostgreSQL checks the checksum of each page. */
async function readTables(owner: Parameters<typeof openAsOwner>[0]): Promise<Pick<Drill, 'accounts' | 'leads'>> {
  const sql = openAsOwner(owner, { max: 1 })
  try {
    const problem = schemaProblem(await schemaState(sql))
    if (problem) throw problem
    return await sql.begin(async (tx) => {
      for (const setting of ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan'])
        await tx.unsafe(`set local ${setting} = off`)
      const tables = await tx<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
      for (const { name } of tables) await tx`select count(*) from ${tx(name)}`
      return countRows(tx as unknown as Sql)
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

export async function countRows(sql: Sql): Promise<{ accounts: number; leads: number }> {
  const [counts] = await sql<{ accounts: number; leads: number }[]>`
    select (select count(*)::int from accounts) as accounts, (select count(*)::int from leads) as leads`
  return counts!
}
