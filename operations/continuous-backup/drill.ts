import { join } from 'node:path'
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import { schemaProblem, schemaState } from '../../server/platform/database/migrate.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { countRows } from '../backup/restore-backup.ts'
import { noSteps } from '../backup/steps.ts'
import { DrillRuns, inDrillFolder } from '../embedded/drill-folder.ts'
import { findBases } from './choose-base.ts'
import { openTarget } from './open-target.ts'
import { recover } from './recover.ts'
import type { ContinuousSettings } from './settings.ts'
import { changeState } from './state.ts'
import { unpackBase } from './unpack-base.ts'

export interface Drill {
  /** The time of the last change that was restored. */
  restored_to: Date
  accounts: number
  leads: number
}

/** Tries a restore, and keeps how it ended. */
export async function runDrill(
  sql: Sql,
  { settings, dataDir, signal }: { settings: ContinuousSettings; dataDir: string; signal: AbortSignal },
): Promise<Drill> {
  const drill_at = new Date()
  try {
    const done = await inDrillFolder(dataDir, signal, (dir) => drill(settings, dir, signal))
    await changeState(sql, { drill_at, drill_error: null, drill_restored_to: done.restored_to })
    return done
  } catch (error) {
    if (!signal.aborted && !(error instanceof DrillRuns))
      await changeState(sql, { drill_at, drill_error: (error as Error).message })
    throw error
  }
}

/** Restores the newest state into a folder of its own, and reads all tables there. The service may run. */
async function drill(settings: ContinuousSettings, dir: string, signal: AbortSignal): Promise<Drill> {
  const { value: choice } = await findBases(openTarget(settings.target), settings.secret, null).next()
  // A restore would use an earlier one.
  if (!choice || 'problem' in choice) throw new Error(`${choice?.problem}`)
  const { problem } = await unpackBase(choice, join(dir, 'postgres'), { steps: noSteps, signal })
  if (problem) throw new Error(`${problem}: later changes cannot be restored.`)
  const recovered = await recover(dir, { until: null, durable: false, signal, log: () => {} })
  try {
    const counts = await readTables(recovered.owner)
    return { restored_to: recovered.last_change_at ?? choice.base.finished_at, ...counts }
  } finally {
    await recovered.stop()
  }
}

/** Reads every row: PostgreSQL checks the checksum of each page. */
function readTables(owner: Connection): Promise<Pick<Drill, 'accounts' | 'leads'>> {
  return asOwner(owner, async (sql) => {
    const problem = schemaProblem(await schemaState(sql))
    if (problem) throw problem
    return sql.begin(async (tx) => {
      for (const setting of ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan'])
        await tx.unsafe(`set local ${setting} = off`)
      const tables = await tx<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
      for (const { name } of tables) await tx`select count(*) from ${tx(name)}`
      return countRows(tx)
    })
  })
}
