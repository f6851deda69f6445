import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../server/platform/database/connect.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { DrillRuns } from '../embedded/drill-folder.ts'
import { makeBase } from './base-backup.ts'
import { runDrill } from './drill.ts'
import { saveErasedLeads } from './erased-leads.ts'
import type { Continuation } from './find-history.ts'
import type { Log, Problems } from './problems.ts'
import { removeOld } from './remove-old.ts'
import { openReplication, readLsn } from './replication.ts'
import { type LogSaver, saveLog } from './save-log.ts'
import type { ContinuousSettings } from './settings.ts'
import { changeState, isDueTonight, readState } from './state.ts'
import { type Target, TargetProblem } from './target.ts'

interface Session {
  sql: Sql
  owner: Connection
  target: Target
  settings: ContinuousSettings
  continuation: Continuation
  dataDir: string
  signal: AbortSignal
  problems: Problems
  log: Log
}

const tick = 2000
const minute = 60_000
const nightlyTick = 15_000
const retryAfter = 60 * minute
/** How long a stop waits for the last changes to be saved. */
const timeoutMs = 4000

/** Continues a history until the signal, when the last changes are saved, or until it fails. */
export async function runSession(session: Session, onStart: (saver: LogSaver) => void): Promise<void> {
  const { sql, owner, continuation, signal, problems } = session
  const { history, slot, timeline, position, known } = continuation
  const ending = new AbortController()
  const replication = await openReplication(owner, applicationName)
  const saver = saveLog(history, {
    position,
    known,
    signal: ending.signal,
    onSaved: replication.confirm,
    onProblem: (error) => void problems.set('log', error),
    pause: replication.pause,
    resume: replication.resume,
  })
  onStart(saver)
  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  signal.addEventListener('abort', stop)
  // While the connection was opened.
  if (signal.aborted) stop()
  // Another process may have the slot: what is beside the log must not be done twice either.
  const isOurs = Promise.withResolvers<void>()
  const running = [
    replication.startLog({ slot, position: position - BigInt(known.length), timeline }, saver.add, isOurs.resolve),
    saver.run(),
    isOurs.promise.then(() => watch(session, saver, ending.signal)),
    isOurs.promise.then(() => workAtNight(session, saver, ending.signal)),
  ]
  try {
    await Promise.race([...running, saver.tooSlow, stopped.promise])
    const [now] = await sql<{ flushed: string }[]>`select pg_current_wal_flush_lsn()::text as flushed`
    if (await saver.until(readLsn(now!.flushed), AbortSignal.timeout(timeoutMs)))
      await changeState(sql, { saved_at: new Date() })
  } finally {
    signal.removeEventListener('abort', stop)
    ending.abort()
    isOurs.resolve()
    replication.close()
    await Promise.allSettled(running)
  }
}

/** As it is in pg_stat_replication. */
export const applicationName = 'lead-engine continuous backup'

/** Saves the ids of deleted leads, and notes that all is saved. */
async function watch({ sql, continuation, problems }: Session, saver: LogSaver, signal: AbortSignal) {
  const state = await readState(sql)
  // All before the first base: those that were deleted since the last base of an earlier history are in none.
  const saveErased = saveErasedLeads(continuation.history, sql, state?.base_at ?? new Date(0))
  for (let noted = 0; !signal.aborted; await sleep(tick, null, { signal }).catch(() => {})) {
    await saveErased().then(
      () => problems.set('erased', null),
      (error) => problems.set('erased', error),
    )
    if (saver.waitingSince() !== null && Date.now() - saver.waitingSince()! > tick) continue
    if (Date.now() - noted < minute) continue
    noted = Date.now()
    await changeState(sql, { saved_at: new Date(noted) })
  }
}

async function workAtNight(session: Session, saver: LogSaver, signal: AbortSignal) {
  const { sql, settings, dataDir, problems, log } = session
  let retryAt = 0
  /** When to repeat a drill that could not read the backup. */
  let drillAgainAt = Number.POSITIVE_INFINITY
  for (; !signal.aborted; await sleep(nightlyTick, null, { signal }).catch(() => {})) {
    const state = await readState(sql)
    const isFirst = !state?.base_at
    if (isFirst && Date.now() >= retryAt) await base(true)
    const isDrillDue = isDueTonight(new Date(), state?.drill_at ?? null) || Date.now() >= drillAgainAt
    if (isDrillDue && (await readState(sql))?.base_at) await tryDrill()
    if (!isFirst && isDueTonight(new Date(), state.base_at) && Date.now() >= retryAt) await base(false)
  }

  async function base(isUrgent: boolean) {
    const { owner, continuation, target } = session
    try {
      const { end, finished_at, bytes } = await makeBase(owner, continuation.history, { isUrgent, signal })
      if (!(await saver.until(end, signal))) return
      await changeState(sql, { base_at: finished_at })
      log('info', `Continuous backup: base backup of ${(bytes / 1e6).toFixed(0)} MB in ${target.name}`)
      await removeOld(target, settings, continuation.history, new Date())
      await problems.set('base', null)
    } catch (error) {
      if (signal.aborted) return
      retryAt = Date.now() + (isUrgent ? minute : retryAfter)
      await problems.set('base', error as Error)
    }
  }

  async function tryDrill() {
    try {
      const { restored_to, leads } = await runDrill(sql, { settings, dataDir, signal })
      log('info', `Restore drill: restored ${leads} leads to ${restored_to.toISOString()}`)
      drillAgainAt = Number.POSITIVE_INFINITY
    } catch (error) {
      // Its result counts for this night too.
      if (error instanceof DrillRuns) return
      drillAgainAt = error instanceof TargetProblem ? Date.now() + retryAfter : Number.POSITIVE_INFINITY
      if (!signal.aborted) log('error', `Restore drill failed: ${(error as Error).message}`)
    }
  }
}
