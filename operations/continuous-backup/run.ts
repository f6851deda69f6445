import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openAsOwner } from '../../server/platform/database/connect.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { endHistories, findHistory } from './find-history.ts'
import { openTarget } from './open-target.ts'
import { type Log, rememberProblems } from './problems.ts'
import { ForeignLog } from './save-log.ts'
import { runSession } from './session.ts'
import type { ContinuousSettings } from './settings.ts'
import { readState, stateOfDrill } from './state.ts'

/** What the process of the continuous backup reports to the service every few seconds. Times are in milliseconds since 1970. */
export interface ContinuousProgress {
  /** Since when changes wait to be saved; null if none do. */
  waiting_since: number | null
  base_at: number | null
  /** The last restore drill. */
  drill: { at: number; passed: boolean } | null
}

interface Options {
  dataDir: string
  signal: AbortSignal
  onProgress(progress: ContinuousProgress): void
  log: Log
}

const reportEvery = 1000
const maxWaitMs = 60_000
/** Held while a history is found or started. */
const historyLock = 7106155

/**
 * Saves the log of the embedded database as it is written, makes a base backup and a restore drill each night, and removes what is too old,
 * until the signal. Only one session can use a replication slot, so of several processes one saves.
 */
export async function runContinuousBackup(owner: Connection, settings: ContinuousSettings, options: Options) {
  const { dataDir, signal, onProgress, log } = options
  const target = openTarget(settings.target)
  const sql = openAsOwner(owner, { max: 2 })
  const problems = rememberProblems(sql, target.name, log)
  const started = Date.now()
  let waitingSince: () => number | null = () => started
  const reporting = setInterval(() => void readProgress(sql, waitingSince()).then(onProgress, () => {}), reportEvery)
  try {
    for (let wait = 1000; !signal.aborted; wait = Math.min(2 * wait, maxWaitMs)) {
      try {
        const continuation = await sql.begin(async (tx) => {
          // Only one of two processes that start at once begins the history.
          await tx`select pg_advisory_xact_lock(${historyLock})`
          return findHistory(tx, target, settings, (reason) =>
            log('info', `The continuous backup in ${target.name} begins a new history, because ${reason}`),
          )
        })
        await runSession({ sql, owner, target, settings, continuation, dataDir, signal, problems, log }, (saver) => {
          waitingSince = saver.waitingSince
          wait = 1000
        })
      } catch (error) {
        if (signal.aborted) break
        if (isSavedByAnother(error)) {
          waitingSince = () => null
          await sleep(maxWaitMs, null, { signal }).catch(() => {})
          continue
        }
        const since = waitingSince() ?? Date.now()
        waitingSince = () => since
        await problems.set('log', error as Error)
        if (error instanceof ForeignLog) await endHistories(sql)
        await sleep(wait, null, { signal }).catch(() => {})
      }
    }
  } finally {
    clearInterval(reporting)
    await sql.end({ timeout: 5 })
  }
}

/** Another process uses the slot. */
const isSavedByAnother = (error: unknown) => (error as { code?: string }).code === '55006'

async function readProgress(sql: Sql, waiting_since: number | null): Promise<ContinuousProgress> {
  const state = await readState(sql)
  const drill = state?.drill_at ? { at: state.drill_at.getTime(), passed: stateOfDrill(state) === 'passed' } : null
  return { waiting_since, base_at: state?.base_at?.getTime() ?? null, drill }
}
