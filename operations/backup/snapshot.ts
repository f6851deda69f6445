import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection } from '../../server/platform/database/connect.ts'
import { createBackup } from './create-backup.ts'
import { removeOld } from './daily-backup.ts'

const kept = 3
const ours = /^before-migration-.*\.backup$/

/** Saves the embedded database before it is migrated. Returns the file. */
export async function saveSnapshot(owner: Connection, dataDir: string, now: Date): Promise<string> {
  const folder = join(dataDir, 'snapshots')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `before-migration-${now.toISOString().replaceAll(':', '-')}.backup`)
  await createBackup(owner, file).catch((error: Error) => {
    throw new Error(`The database is not migrated, because no snapshot of it could be saved: ${error.message}`, {
      cause: error,
    })
  })
  await removeOld(folder, ours, kept)
  return file
}
