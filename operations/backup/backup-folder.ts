import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createdSecret } from '../../server/access/sign-in/secret.ts'
import type { Sql } from '../../server/platform/database/sql.ts'

/** The names of daily backups, in the order of their times. */
export const dailyBackups = /^lead-engine-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/
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

/** Names the installation whose backups are in the folder: another one would remove them as its own oldest ones. */
const markName = 'lead-engine-installation'

/** The same after a restore; null before a service has run. */
async function installationMark(sql: Sql): Promise<string | null> {
  const secret = await createdSecret(sql)
  return secret && createHash('sha256').update(`backups ${secret}`).digest('hex').slice(0, 32)
}

export async function markFolder(sql: Sql, folder: string): Promise<void> {
  const mark = await installationMark(sql)
  if (mark && !existsSync(join(folder, markName))) writeFileSync(join(folder, markName), `${mark}\n`, { mode: 0o600 })
}

/** Says why this installation may not keep its backups in the folder; null if it may. */
export async function folderProblem(sql: Sql, folder: string): Promise<string | null> {
  return (await ofAnother(sql, folder)) ?? (await emptied(sql, folder))
}

async function ofAnother(sql: Sql, folder: string): Promise<string | null> {
  const file = join(folder, markName)
  const mark = existsSync(file) ? await installationMark(sql) : null
  if (!mark || readFileSync(file, 'utf8').trim() === mark) return null
  return `BACKUP_DIR is ${folder}, where another installation keeps its backups: set BACKUP_DIR to a folder of its own. If that installation no longer exists, remove ${file}.`
}

/** The empty folder under a disk that is not mounted looks like a new one. */
async function emptied(sql: Sql, folder: string): Promise<string | null> {
  const [last] = await sql<{ file: string }[]>`
    select file from backup_runs where finished_at is not null and error is null order by started_at desc limit 1`
  if (!last || dirname(last.file) !== folder) return null
  if (existsSync(folder) && readdirSync(folder).some((name) => dailyBackups.test(name))) return null
  return `BACKUP_DIR is ${folder}, which has lost all its backups: mount its disk, or set BACKUP_DIR to another folder.`
}
