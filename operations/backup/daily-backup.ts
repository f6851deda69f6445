import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import { dailyBackups, dailyName, folderProblem, makeBackupFolder, markFolder } from './backup-folder.ts'
import { type Backup, createBackup } from './create-backup.ts'
import { backupStatus, isDue } from './daily.ts'
import type { DrillResult } from './drill-backup.ts'
import { completeErasedList, erasedListName } from './erased-list.ts'

/** Held while a daily backup is made. */
const dailyBackupLock = 7106154

const unfinishedOurs = /^lead-engine-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.part$/
const maxRuns = 100
const day = 86_400_000

interface Options {
  folder: string
  keep: number
  now: Date
  /** Tries to restore the file. */
  drill?: (file: string) => Promise<DrillResult>
}

interface DailyBackup extends Backup {
  drill_error: string | null
}

/**
 * Makes a backup in the folder if none was made today, removes all but the newest ones, and tries to restore it. Returns null if another process
 * makes it or has made it.
 */
export function makeDailyBackup(owner: Connection, { folder, keep, now, drill }: Options): Promise<DailyBackup | null> {
  return asOwner(owner, async (sql) => {
    const [lock] = await sql`select pg_try_advisory_lock(${dailyBackupLock}) as mine`
    if (!lock!.mine || !isDue(now, await backupStatus(sql))) return null
    const id = randomUUID()
    const file = join(folder, dailyName(now))
    const problem = await folderProblem(sql, folder)
    await sql`insert into backup_runs ${sql({ id, started_at: now, file })}`
    try {
      if (problem) throw new Error(problem)
      makeBackupFolder(folder)
      await markFolder(sql, folder)
      await removeUnfinished(folder, now)
      const backup = await createBackup(owner, file)
      await completeErasedList(sql, join(folder, erasedListName))
      await removeOld(folder, dailyBackups, keep)
      await sql`update backup_runs set finished_at = clock_timestamp(), bytes = ${backup.bytes} where id = ${id}`
      const { isTried, error } = (await drill?.(file)) ?? { isTried: false, error: null }
      await sql`update backup_runs set drill_at = case when ${isTried} then clock_timestamp() end, drill_error = ${error} where id = ${id}`
      return { ...backup, drill_error: error }
    } catch (error) {
      await sql`update backup_runs set finished_at = clock_timestamp(), error = ${(error as Error).message} where id = ${id}`
      throw error
    } finally {
      await sql`delete from backup_runs where id not in (select id from backup_runs order by started_at desc limit ${maxRuns})`
    }
  })
}

/** Removes the oldest of these backups with their lists. Other files in the folder stay. */
export async function removeOld(folder: string, ours: RegExp, keep: number): Promise<void> {
  const files = (await readdir(folder)).filter((name) => ours.test(name)).sort()
  for (const name of files.slice(0, Math.max(0, files.length - keep))) {
    for (const old of [name, `${name}.erased`]) await rm(join(folder, old), { force: true })
  }
}

/** What a process left that was killed. */
async function removeUnfinished(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => unfinishedOurs.test(name))) {
    const { mtime } = await stat(join(folder, name))
    if (mtime.getTime() < now.getTime() - day) await rm(join(folder, name), { force: true })
  }
}
