import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Sql } from '../../server/platform/database/sql.ts'

export const dailyBackups = /^lead-engine-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/
/** The names of daily backups, in the order of their times. */
/** A time, to the second, as names of files have it. */
const timeInName = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

export const dailyName = (at: Date) => `lead-engine-${timeInName(at)}.backup`
/** The file with rows that a restore or doctor takes out. */
export const setAsideName = (at: Date) => `set-aside-${timeInName(at)}.jsonl`

/** Creates the folder, but none above it: backups on a disk that is not mounted would fill the disk of the database. */
export function makeBackupFolder(folder: string): void {
  if (existsSync(folder)) return
  const missing = missingParent(folder)
  if (missing) throw new Error(missing)
  mkdirSync(folder, { mode: 0o700 })
}

export function missingParent(folder: string): string | null {
  const parent = dirname(folder)
  if (existsSync(parent)) return null
  return `BACKUP_DIR is ${folder}, and there is no folder ${parent}: mount its disk, or create ${parent}.`
}

/** The empty folder under a disk that is not mounted looks like a new one. */
export async function emptiedFolder(sql: Sql, folder: string): Promise<string | null> {
  const [last] = await sql<{ file: string }[]>`
    select file from backup_runs where finished_at is not null and error is null order by started_at desc limit 1`
  if (!last || dirname(last.file) !== folder) return null
  if (existsSync(folder) && readdirSync(folder).some((name) => dailyBackups.test(name))) return null
  return `BACKUP_DIR is ${folder}, which has lost all its backups: mount its disk, or set BACKUP_DIR to another folder.`
}
