import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { findEarliest } from '../continuous-backup/choose-base.ts'
import { inIndia } from '../continuous-backup/indian-time.ts'
import { openTarget } from '../continuous-backup/open-target.ts'
import { runContinuousBackup } from '../continuous-backup/run.ts'
import { applicationName } from '../continuous-backup/session.ts'
import type { ContinuousSettings } from '../continuous-backup/settings.ts'
import { readState } from '../continuous-backup/state.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import { withOwner } from './open.ts'
import { print } from './output.ts'
import { neededSettings } from './restore-continuous.ts'

/** Brings the continuous backup up to date, whether the service runs or not, and says what can be restored from it. */
export async function backUpContinuously(options: { json?: boolean }): Promise<void> {
  const settings = neededSettings()
  const target = openTarget(settings.target)
  const stopping = abortOnSignals()
  const asked = await withOwner(({ owner, dataDir }) =>
    asOwner(owner, async (sql) => {
      const now = new Date()
      if (await isSaving(sql)) await untilSaved(sql)
      else await saveOnce(owner, settings, { dataDir, signal: stopping.signal })
      return now
    }),
  )
  stopping.end()
  const earliest = await findEarliest(target, settings.secret)
  // The first base is made after that.
  const saved_at = asked < earliest ? earliest : asked
  const done = { target: target.name, restorable_from: earliest.toISOString(), restorable_to: saved_at.toISOString() }
  print(options, done, () =>
    [
      `${target.name} is up to date.`,
      `Each time from ${inIndia(earliest)} to ${inIndia(saved_at)} can be restored: lead-engine restore --until TIME.`,
    ].join('\n'),
  )
}

/** Whether the service does it. */
async function isSaving(sql: Sql): Promise<boolean> {
  return (await sql`select from pg_stat_replication where application_name = ${applicationName}`).length > 0
}

const timeoutMs = 60_000

async function untilSaved(sql: Sql): Promise<void> {
  const [now] = await sql<{ flushed: string }[]>`select pg_current_wal_flush_lsn()::text as flushed`
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100)) {
    const state = await readState(sql)
    if (state?.error) throw new Error(state.error)
    const [done] = await sql`select from pg_stat_replication
      where application_name = ${applicationName} and flush_lsn >= ${now!.flushed}::pg_lsn`
    if (done && state?.base_at) return
  }
  throw new Error('The service has not saved all changes within a minute: its log says why.')
}

async function saveOnce(
  owner: Connection,
  settings: ContinuousSettings,
  { dataDir, signal }: { dataDir: string; signal: AbortSignal },
): Promise<void> {
  const ending = new AbortController()
  let hasFailed = false
  await runContinuousBackup(owner, settings, {
    dataDir,
    signal: AbortSignal.any([signal, ending.signal]),
    onProgress({ waiting_since, base_at }) {
      if (waiting_since === null && base_at !== null) ending.abort()
    },
    log(level, message) {
      console.error(message)
      if (level !== 'error') return
      hasFailed = true
      ending.abort()
    },
  })
  signal.throwIfAborted()
  if (hasFailed) throw new Error('The continuous backup is not up to date.')
}
