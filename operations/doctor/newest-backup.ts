import { join } from 'node:path'
import { dailyName } from '../backup/backup-folder.ts'
import { type Check, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { quotedForShell } from './restore-advice.ts'

/** Reads the newest daily backup, as restoring it would. */
export const newestBackup = ({ config, restoreAdvice, now }: Installation): Check => ({
  name: 'newest_backup',
  seconds: 90,
  async run() {
    const { backupDir } = config.get()
    const found = await restoreAdvice.newest()
    if (!found)
      return fine(backupDir ? 'There is no daily backup in BACKUP_DIR yet.' : 'Not checked: BACKUP_DIR is not set.')
    const { usable, isRead, damaged } = found
    if (damaged.length > 0) {
      const others = damaged.length > 1 ? ` So are ${damaged.length - 1} others.` : ''
      const left = usable ? `The newest undamaged one is ${usable}.` : 'No other daily backup is undamaged.'
      const file = join(backupDir!, dailyName(now))
      return problem(
        `${damaged[0]}${others} ${left}`,
        `Make another one now: lead-engine backup ${quotedForShell(file)}. Then check the disk of BACKUP_DIR.`,
      )
    }
    return fine(
      isRead
        ? `${usable} is complete and undamaged.`
        : `${usable} has no damage in what was read of it within a minute.`,
    )
  },
})
