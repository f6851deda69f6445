import { accessSync, closeSync, constants, fchownSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY, R_OK, W_OK, X_OK } = constants

/** The files of the embedded database, all in DATA_DIR. */
export interface DataFolder {
  dir: string
  data: string
  /** Whether a commit waits for the disk. Tests delete their database and need not wait. */
  durable: boolean
  /** Whether it leaves the processors to others. */
  isBackground?: boolean
  /** How many connections the service may open. */
  connections: number
  /** Settings of PostgreSQL beside its usual ones. */
  further?: Record<string, string>
  password: string
  log: string
  /** Locked by the process that starts or stops the server. */
  startLock: string
  /** Locked, shared, by every process that uses the server. */
  holders: string
}

export function openDataFolder(
  dataDir: string,
  {
    durable,
    isBackground,
    connections,
    further,
  }: Pick<DataFolder, 'durable' | 'isBackground' | 'connections' | 'further'>,
): DataFolder {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, R_OK | W_OK | X_OK)
  } catch (error) {
    throw new Error(`The data folder cannot be used (${(error as Error).message}): check DATA_DIR.`, { cause: error })
  }
  // The real path: a running server is identified by it.
  const dir = realpathSync(dataDir)
  const folder = {
    dir,
    data: join(dir, 'postgres'),
    durable,
    isBackground,
    connections,
    further,
    password: join(dir, 'postgres.password'),
    log: join(dir, 'postgres.log'),
    startLock: join(dir, 'postgres.start.lock'),
    holders: join(dir, 'postgres.holders'),
  }
  const owner = statSync(folder.data, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && owner !== process.getuid?.() && !isRoot()) {
    throw new Error(`${folder.data} belongs to another user (${owner}): start as that user, or as root.`)
  }
  for (const file of [folder.startLock, folder.holders, folder.log]) closeSync(openFile(folder, file))
  return folder
}

/** Gives files that root creates to the folder's owner, who could otherwise not start the service. */
export function openFile(folder: DataFolder, file: string): number {
  // No links: the owner could otherwise make root write to any file, and own it.
  const opened = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  if (isRoot()) {
    const { uid, gid } = statSync(folder.dir)
    fchownSync(opened, uid, gid)
  }
  return opened
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}
