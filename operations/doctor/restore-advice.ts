import type { Config } from '../../server/config.ts'
import { findNewestBackup, type NewestBackup } from '../backup/newest-backup.ts'
import { errorMessage, type Found } from './check.ts'

/** In seconds. A gigabyte takes a few. */
const maxReadSeconds = 60

export interface RestoreAdvice {
  /** Reads the daily backups, once. Null without BACKUP_DIR, or if it has none. */
  newest(): Promise<NewestBackup | null>
  /** Says how to replace a damaged database by a backup, as sentences. */
  ofDatabase(): Promise<string>
  /** The same for an embedded database whose files are damaged. */
  ofFolder(dataDir: string): Promise<string>
}

export function restoreAdvice(config: Found<Config>): RestoreAdvice {
  let reading: Promise<NewestBackup | null> | undefined
  const newest = () => (reading ??= read())

  async function read() {
    const folder = config.orNull()?.backupDir
    if (!folder) return null
    const found = await findNewestBackup(folder, { seconds: maxReadSeconds }).catch((error) => {
      if (error.code === 'ENOENT') return null
      throw new Error(`BACKUP_DIR cannot be read (${errorMessage(error)})`)
    })
    return found && (found.usable || found.damaged.length > 0) ? found : null
  }

  const hasContinuousBackup = () => config.orNull()?.hasContinuousBackup ?? false

  /** The command, and what is to be known before it is run. */
  async function command(options: string): Promise<{ restore: string; note: string }> {
    const found = await newest().catch((error: Error) => error)
    if (found instanceof Error) return { restore: `lead-engine restore FILE${options}`, note: ` ${found.message}.` }
    if (!found?.usable) {
      const missing = found ? 'No file in BACKUP_DIR is undamaged' : 'There is no daily backup in BACKUP_DIR'
      return {
        restore: `lead-engine restore FILE${options}`,
        note: ` ${missing}: FILE is a backup that you keep elsewhere.`,
      }
    }
    return { restore: `lead-engine restore ${quotedForShell(found.usable)}${options}`, note: '' }
  }

  return {
    newest,
    async ofDatabase() {
      const { restore, note } = await command(' --yes')
      // Its last change has the damage too.
      const first = hasContinuousBackup()
        ? 'Stop the service and restore a time before the damage: lead-engine restore --until TIME --yes. If that fails, '
        : 'Stop the service and '
      return `${first}restore the newest backup, which replaces all data: ${restore}.${note}`
    },
    async ofFolder(dataDir) {
      const { restore, note } = await command(' --yes --keep')
      const first = hasContinuousBackup()
        ? 'Stop the service and restore the last change: lead-engine restore --latest --yes. If that fails, '
        : 'Stop the service, '
      return `${first}restore the newest backup: ${restore}. ${dataDir}/postgres is kept beside it.${note}`
    },
  }
}

export const quotedForShell = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
