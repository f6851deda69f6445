import { chownSync, existsSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataFolder, isRoot, openDataFolder } from './data-folder.ts'
import { makePassword, restoredFolder } from './install.ts'
import { tryLock, whileLocked } from './lock.ts'
import { stopServer } from './server.ts'
import { forgetRestore, recordRestore } from './unfinished-restore.ts'

interface Replacement {
  /** A new folder of an embedded database, to be filled: `dir/postgres`. Its database does not run at the end. */
  dir: string
  /** The password of the superuser in DATA_DIR, which the new database must have. */
  password: string
}

/**
 * Replaces the embedded database of DATA_DIR while no process uses it. Until `fill` is done, the former one stays in its place; after that it
 * is kept beside it. Returns its folder, or null if there was none. `what` is restored.
 */
export async function replaceData<T>(
  dataDir: string,
  { what, replace, log }: { what: string; replace: boolean; log(message: string): void },
  fill: (replacement: Replacement) => Promise<T>,
): Promise<{ filled: T; former: string | null }> {
  const folder = openDataFolder(dataDir, { durable: true, connections: 0 })
  const waits = () => log('Waiting for another process that is starting or stopping the database')
  return whileLocked(folder.startLock, waits, async () => {
    const unused = tryLock(folder.holders, 'exclusive')
    if (!unused)
      throw new Error(`The service or a command uses the database in ${dataDir}: stop it first. Nothing was changed.`)
    try {
      const isFilled = existsSync(join(folder.data, 'PG_VERSION'))
      if (isFilled && !replace)
        throw new Error(
          `There is a database in ${dataDir} already: with --yes, another one takes its place, and the former one is kept beside it. ` +
            'Nothing was changed.',
        )
      recordRestore(folder.dir, what)
      // The server of a service that was killed.
      await stopServer(folder)
      const dir = join(folder.dir, 'restoring')
      if (existsSync(join(dir, 'postgres'))) await stopServer({ ...folder, dir, data: join(dir, 'postgres') })
      await rm(dir, { recursive: true, force: true })
      await mkdir(dir, { mode: 0o700 })
      giveToOwner(folder, dir)
      try {
        const filled = await fill({ dir, password: await makePassword(folder) })
        const former = await exchange(folder, join(dir, 'postgres'))
        forgetRestore(folder.dir)
        return { filled, former }
      } finally {
        await rm(dir, { recursive: true, force: true })
      }
    } finally {
      unused.release()
    }
  })
}

function giveToOwner({ dir }: DataFolder, path: string): void {
  const { uid, gid } = statSync(dir)
  if (isRoot()) chownSync(path, uid, gid)
}

/** If it is killed in between, the next start completes it. */
async function exchange({ dir, data }: DataFolder, filled: string): Promise<string | null> {
  const former = `${data}.replaced-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  await rename(filled, restoredFolder(data))
  // Also one that is damaged and looks empty.
  const isThere = existsSync(data)
  if (isThere) await rename(data, former)
  await rename(restoredFolder(data), data)
  const handle = await open(dir)
  await handle.sync().finally(() => handle.close())
  return isThere ? former : null
}
