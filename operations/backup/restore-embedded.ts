import { asOwner } from '../../server/platform/database/connect.ts'
import { resetPassword } from '../../server/platform/database/service-roles.ts'
import { startEmbedded } from '../embedded/embedded.ts'
import { replaceData } from '../embedded/replace-data.ts'
import { UnusableDatabase } from '../embedded/server.ts'
import { hasDatabase } from '../embedded/unfinished-restore.ts'
import { type CheckedBackup, type Restored, restoreBackup } from './restore-backup.ts'
import type { Steps } from './steps.ts'

interface Options {
  dataDir: string
  /** Whether existing data may be replaced. */
  replace: boolean
  /** Keeps the former database beside the restored one. */
  keep: boolean
  asSaved: boolean
  steps: Steps
  log(message: string): void
  /** Restores into the database that is there. */
  inPlace(): Promise<Restored>
}

interface RestoredFolder extends Restored {
  /** Where the database is that was there before; null if there was none, or if its content was replaced. */
  former: string | null
}

/** Restores into the embedded database, or, if that is missing or damaged, into a new one that takes its place once it is complete. */
export async function restoreEmbedded(backup: CheckedBackup, options: Options): Promise<RestoredFolder> {
  const { dataDir, replace, keep, log, inPlace } = options
  if (keep || !hasDatabase(dataDir)) return restoreFolder(backup, options)
  try {
    return { ...(await inPlace()), former: null }
  } catch (error) {
    if (!isDamaged(error)) throw error
    const { message } = error as Error
    if (!replace)
      throw new Error(`${message} With --yes, the backup takes its place, and the damaged folder is kept beside it.`, {
        cause: error,
      })
    log(`${message} Restoring into a new folder.`)
    return restoreFolder(backup, options)
  }
}

/** It does not start, or PostgreSQL cannot read its files. */
const isDamaged = (error: unknown) =>
  error instanceof UnusableDatabase || /^(XX00|58)/.test((error as { code?: string }).code ?? '')

async function restoreFolder(
  backup: CheckedBackup,
  { dataDir, replace, asSaved, steps, log }: Options,
): Promise<RestoredFolder> {
  const { filled, former } = await replaceData(dataDir, { what: backup.file, replace, log }, async (replacement) => {
    const { connection, stop } = await startEmbedded(replacement.dir, log)
    try {
      const target = { owner: connection, given: null, dataDir, isEmbedded: true, replace: false, asSaved }
      const restored = await restoreBackup(backup, target, steps)
      await asOwner(connection, (sql) => resetPassword(sql, connection.username, replacement.password))
      return restored
    } finally {
      await stop()
    }
  })
  return { ...filled, former }
}
