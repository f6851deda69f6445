import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedBackup } from './archive.ts'
import { dailyBackups } from './backup-folder.ts'
import { checkBackup } from './check-backup.ts'
import type { Manifest } from './manifest.ts'

export interface NewestBackup {
  /** The newest file that can be restored; null if there is none. */
  usable: string | null
  /** Whether it was read to its end. Otherwise the time was over, and what was read is as it was written. */
  isRead: boolean
  /** Newer ones that cannot be restored, each with the reason as a sentence. */
  damaged: string[]
  /** What the usable file has, if it was read to its end. */
  manifest: Manifest | null
}

class TimeIsOver extends Error {
  /** The reader of archives passes errors with a code on. */
  readonly code = 'TIME_IS_OVER'
}

/** Reads the daily backups of the folder, the newest first, until one is undamaged or the time is over. */
export async function findNewestBackup(folder: string, { seconds }: { seconds: number }): Promise<NewestBackup> {
  const end = performance.now() + seconds * 1000
  const damaged: string[] = []
  // Their names contain their times.
  const names = (await readdir(folder))
    .filter((name) => dailyBackups.test(name))
    .sort()
    .reverse()
  for (const name of names) {
    const file = join(folder, name)
    try {
      const manifest = await checkBackup(file, () => {
        if (performance.now() > end) throw new TimeIsOver()
      })
      return { usable: file, isRead: true, damaged, manifest }
    } catch (error) {
      if (error instanceof TimeIsOver) return { usable: file, isRead: false, damaged, manifest: null }
      if (!(error instanceof DamagedBackup) && (error as { code?: string }).code !== undefined) throw error
      damaged.push((error as Error).message)
    }
  }
  return { usable: null, isRead: true, damaged, manifest: null }
}
