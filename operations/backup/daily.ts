import type { Sql } from '../../server/platform/database/sql.ts'

const hour = 3_600_000
const day = 24 * hour
/** 02:00 in India, where the users are asleep. */
const startsAt = 2 * hour - 5.5 * hour

interface BackupRun {
  started_at: Date
  finished_at: Date | null
  error: string | null
  /** Why it cannot be restored as it is, or why that was not tried. */
  drill_error?: string | null
}

/** The last attempts: whether one succeeded, and when the last one started. */
export interface BackupStatus {
  last_success: BackupRun | null
  last_run: BackupRun | null
}

/** Whether a daily backup is due: none succeeded since 02:00 in India, and none was tried within the last hour. */
export function isDue(now: Date, { last_success, last_run }: BackupStatus): boolean {
  const startedToday = Math.floor((now.getTime() - startsAt) / day) * day + startsAt
  if (last_success && last_success.started_at.getTime() >= startedToday) return false
  return !last_run || last_run.started_at.getTime() <= now.getTime() - hour
}

/** Whether the backups work: the last one did not fail, and the last good one is not much older than a day. */
export function backupState(now: Date, { last_success, last_run }: BackupStatus): 'waiting' | 'made' | 'failed' {
  const isLate = (run: BackupRun) => run.started_at.getTime() < now.getTime() - day - 6 * hour
  if (last_run?.error) return 'failed'
  if (last_success) return isLate(last_success) ? 'failed' : 'made'
  return last_run && isLate(last_run) ? 'failed' : 'waiting'
}

export async function backupStatus(sql: Sql): Promise<BackupStatus> {
  const [last_run] = await sql<BackupRun[]>`
    select started_at, finished_at, error, drill_error from backup_runs order by started_at desc limit 1`
  const [last_success] = await sql<BackupRun[]>`
    select started_at, finished_at, error, drill_error from backup_runs
    where finished_at is not null and error is null order by started_at desc limit 1`
  return { last_run: last_run ?? null, last_success: last_success ?? null }
}
