import { makeDailyBackup } from '../backup/daily-backup.ts'
import { judgeBackup } from '../backup/drill-backup.ts'
import type { BackupAnswer } from '../backup/schedule-backups.ts'
import { backupFolder, withOwner } from './open.ts'

/**
 * The process that makes the daily backups for the service. It ends with the service, and leaves no unfinished file:
 * that is removed on exit.
 */
const stopping = new AbortController()
let isDrilling = false
const stop = () => {
  stopping.abort()
  // A drill has a database of its own, which it stops first.
  if (!isDrilling) process.exit()
}
process.once('disconnect', stop)
process.once('SIGTERM', stop)
// Ctrl-C in a terminal comes to all processes: the service ends this one.
process.on('SIGINT', () => {})

process.on('message', async () => {
  const answer = await backUp()
  if (stopping.signal.aborted) process.exit()
  process.send!(answer)
})

async function backUp(): Promise<BackupAnswer> {
  try {
    const { folder, keep } = backupFolder()!
    const backup = await withOwner(({ owner, dataDir }) =>
      makeDailyBackup(owner, {
        folder,
        keep,
        now: new Date(),
        async drill(file) {
          isDrilling = true
          return judgeBackup(file, { dataDir, signal: stopping.signal }).finally(() => {
            isDrilling = false
          })
        },
      }),
    )
    return backup ? { file: backup.file, bytes: backup.bytes, drill_error: backup.drill_error } : { skipped: true }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
