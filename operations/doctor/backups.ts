import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sql } from '../../server/platform/database/sql.ts'
import { dailyName, folderProblem, missingParent } from '../backup/backup-folder.ts'
import { type BackupStatus, backupState, backupStatus } from '../backup/daily.ts'
import { type Check, type Finding, fine, problem, problemIn } from './check.ts'
import { amount, areOnSameDisk } from './disk-space.ts'
import type { Installation } from './installation.ts'
import { fixReadOnly } from './read-only-folder.ts'
import { quotedForShell } from './restore-advice.ts'

const hour = 3_600_000
const day = 24 * hour

export const backups = ({ config, dataDir, database, now }: Installation): Check => ({
  name: 'backups',
  async run() {
    const { backupDir } = config.get()
    const unusable = backupDir && problemOfFolder(backupDir)
    if (unusable) return unusable
    const folder = dataDir.get()
    const { directory } = database.get()
    const unfit = backupDir && (await folderProblem(directory, backupDir))
    if (unfit) return problemIn(unfit)
    const [first] = await directory<{ at: Date | null }[]>`select min(created_at) as at from accounts`
    const finding = judgeBackups({
      status: await backupStatus(directory),
      isScheduled: backupDir !== null,
      isEmbedded: folder !== null,
      isContinuous: config.get().hasContinuousBackup,
      age: now.getTime() - (first?.at?.getTime() ?? now.getTime()),
      now,
    })
    if (!finding.ok || backupDir === null) return finding
    const gone = await lastIsGone(directory, backupDir, now)
    if (gone) return gone
    return (await adviceOnFolder(backupDir, folder)) ?? finding
  },
})

/** The folder may be that of another installation too, which removes the oldest of all backups. */
async function lastIsGone(directory: Sql, folder: string, now: Date): Promise<Finding | null> {
  const [last] = await directory<{ file: string }[]>`
    select file from backup_runs where finished_at is not null and error is null order by started_at desc limit 1`
  if (!last || dirname(last.file) !== folder || existsSync(last.file)) return null
  return problem(
    `The last backup of this installation, ${last.file}, is gone: a user, a program or another installation with this BACKUP_DIR removed it.`,
    `Give each installation a BACKUP_DIR of its own. Then make a backup: lead-engine backup ${quotedForShell(join(folder, dailyName(now)))}.`,
  )
}

interface Circumstances {
  status: Pick<BackupStatus, 'last_success' | 'last_run'>
  /** Whether BACKUP_DIR is set. */
  isScheduled: boolean
  isEmbedded: boolean
  /** Whether CONTINUOUS_BACKUP is set. */
  isContinuous: boolean
  /** The age of the installation, in milliseconds. */
  age: number
  now: Date
}

export function judgeBackups({ status, isScheduled, isEmbedded, isContinuous, age, now }: Circumstances): Finding {
  const { last_success: success, last_run: run } = status
  const hours = success && Math.round((now.getTime() - success.started_at.getTime()) / hour)
  // The same state that Admins see.
  const state = backupState(now, status)
  if (state === 'made' && success?.drill_error)
    return problem(`The last backup is ${hours} hours old. ${success.drill_error}`, 'docs/backup.md says what to do.')
  if (state === 'made') return fine(`The last backup is ${hours} hours old.`)
  if (!isScheduled) return judgeWithoutFolder(isEmbedded, isContinuous)
  if (state === 'failed' && run?.error) {
    return problem(
      `The last backup failed: ${run.error.replace(/\.$/, '')}.`,
      'Fix the cause: the service tries again after an hour.',
    )
  }
  if (state === 'waiting' && age < day) {
    return fine('There is no backup yet: the service makes the first one soon after it starts.')
  }
  const old =
    hours !== null && `The last backup is ${hours > 72 ? `${Math.round(hours / 24)} days` : `${hours} hours`} old.`
  return problem(old || 'There is no backup.', 'Start the service with BACKUP_DIR. Its log says why a backup failed.')
}

function judgeWithoutFolder(isEmbedded: boolean, isContinuous: boolean): Finding {
  const advice = 'Set BACKUP_DIR to a folder on another disk: the service then makes a backup each night.'
  if (!isEmbedded) {
    return fine('BACKUP_DIR is not set.', 'Make sure that your PostgreSQL is backed up, or set BACKUP_DIR.')
  }
  if (isContinuous) return fine('BACKUP_DIR is not set: the continuous backup is the only one.', advice)
  return problem('BACKUP_DIR is not set: no backups are made, and all leads are in DATA_DIR alone.', advice)
}

function problemOfFolder(folder: string): Finding | null {
  const missing = missingParent(folder)
  if (missing) return problemIn(missing)
  // The service creates it with the first backup.
  const written = existsSync(folder) ? folder : dirname(folder)
  try {
    accessSync(written, constants.R_OK | constants.W_OK | constants.X_OK)
    const { mode } = statSync(written)
    if (written !== folder || (mode & 0o1002) !== 0o002) return null
    return problem(
      `Every user of this machine may change the backups in BACKUP_DIR, ${folder}.`,
      `chmod o-w ${quotedForShell(folder)}`,
    )
  } catch (error) {
    if ((error as { code?: string }).code === 'EROFS') {
      return problem(`BACKUP_DIR is ${folder}, and ${written} is read-only for the service.`, fixReadOnly(written))
    }
    return problem(
      `BACKUP_DIR is ${folder}, and this user cannot write to ${written}.`,
      'Give the folder to the user of the service.',
    )
  }
}

async function adviceOnFolder(folder: string, dataDir: string | null): Promise<Finding | null> {
  if (!existsSync(folder)) return null
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < 1024 ** 3) {
    return problem(`Only ${amount(free)} are free in ${folder}.`, 'Enlarge the disk, or lower BACKUP_KEEP.')
  }
  if (dataDir !== null && areOnSameDisk(folder, dataDir)) {
    return fine(
      'Backups are made, on the disk of the database.',
      'Copy them to another machine: a broken disk would take both.',
    )
  }
  return null
}
