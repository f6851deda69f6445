import { makeDailyBackup } from '../backup/daily-backup.ts'
import type { BackupAnswer } from '../backup/schedule-backups.ts'
import { backupFolder, withOwner } from './open.ts'

/**
 * The process that makes the daily backups for the service. It ends with the service, and leaves no unfinished file:
 * that is removed on exit.
 */
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => process.exit())
// Ctrl-C in a terminal comes to all processes: the service ends this one.
process.on('SIGINT', () => {})

process.on('message', async () => process.send!(await backUp()))

async function backUp(): Promise<BackupAnswer> {
  try {
    const { folder, keep } = backupFolder()!
    const backup = await withOwner(({ owner }) => makeDailyBackup(owner, { folder, keep, now: new Date() }))
    return backup ? { file: backup.file, bytes: backup.bytes } : { skipped: true }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
