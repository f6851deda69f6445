import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRoom } from '../embedded/check-room.ts'
import { DrillRuns, inDrillFolder } from '../embedded/drill-folder.ts'
import { startEmbedded } from '../embedded/embedded.ts'
import { partSize } from './manifest.ts'
import { type CheckedBackup, openBackup, type Restored, restoreBackup } from './restore-backup.ts'
import { rowLines } from './set-aside.ts'
import { noSteps, type Steps } from './steps.ts'

interface Options {
  dataDir: string
  signal: AbortSignal
  steps?: Steps
}

/** How much larger a database is than the text of its rows, with all indexes. */
const growth = 3

/** Nothing replays the log of a drill. */
const further = { wal_level: 'minimal', max_wal_senders: '0', max_parallel_maintenance_workers: '0' }

/** The machine does not allow a drill: nothing is known of the backup. */
class NotTried extends Error {}

/** Restores a backup into an embedded database of its own, with low priority, and removes that. The service may run. */
export function drillBackup(
  backup: CheckedBackup,
  { dataDir, signal, steps = noSteps }: Options,
): Promise<Omit<Restored, 'erased_again'>> {
  return inDrillFolder(dataDir, signal, async (dir) => {
    const { connection, stop } = await start(backup, dir).catch((error: Error) => {
      throw new NotTried(error.message, { cause: error })
    })
    try {
      const target = { owner: connection, given: null, dataDir: dir, isEmbedded: true, replace: false }
      return await restoreBackup(backup, target, steps)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      await stop()
    }
  })
}

async function start({ manifest }: CheckedBackup, dir: string) {
  const parts = manifest.tables.reduce((sum, { parts }) => sum + parts.length, 0)
  await checkRoom(dir, growth * parts * partSize)
  return startEmbedded(dir, () => {}, { durable: false, isBackground: true, further })
}

export interface DrillResult {
  isTried: boolean
  /** Why the backup cannot be restored as it is, or why that was not tried; null if there is nothing to say. */
  error: string | null
}

/** Tries to restore a daily backup, after a drill that runs. */
export async function judgeBackup(
  file: string,
  { dataDir, signal }: Pick<Options, 'dataDir' | 'signal'>,
): Promise<DrillResult> {
  const steps: Steps = { start: () => () => signal.throwIfAborted(), end: () => {} }
  const options = { dataDir, signal, steps }
  try {
    const backup = await openBackup(file, [dirname(file)], options.steps)
    const { set_aside } = await drillInTurn(backup, options)
    return { isTried: true, error: set_aside && `A restore sets rows aside. ${rowLines(set_aside).join(' ')}` }
  } catch (error) {
    if (signal.aborted) return { isTried: false, error: null }
    const { message } = error as Error
    if (error instanceof NotTried) return { isTried: false, error: `A restore was not tried: ${message}` }
    return { isTried: true, error: `It cannot be restored: ${message}` }
  }
}

async function drillInTurn(backup: CheckedBackup, options: Options) {
  for (;;) {
    try {
      return await drillBackup(backup, options)
    } catch (error) {
      if (!(error instanceof DrillRuns)) throw error
      await sleep(10_000, null, { signal: options.signal })
    }
  }
}
