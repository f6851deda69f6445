import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataFolder, isRoot } from './data-folder.ts'
import type { RunAs } from './user.ts'

export const socketFile = '.s.PGSQL.5432'

/**
 * The socket is in the private data folder. If that path is too long, or the file system has no sockets, it is in a
 * private folder among the temporary files.
 */
export async function socketFolder({ data }: DataFolder, runAs: RunAs): Promise<string> {
  if (fits(data) && (await canListen(data))) return data
  const name = `lead-engine-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`
  const folder = join(fits(join(tmpdir(), name)) ? tmpdir() : '/tmp', name)
  makePrivate(folder, runAs)
  return folder
}

function fits(folder: string): boolean {
  const maxBytes = process.platform === 'linux' ? 107 : 103
  return Buffer.byteLength(join(folder, socketFile)) <= maxBytes
}

function canListen(folder: string): Promise<boolean> {
  const probe = createServer()
  const file = join(folder, '.s.probe')
  rmSync(file, { force: true })
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(file, () => probe.close(() => resolve(true)))
  })
}

/** Anyone may create folders among the temporary files, so an existing one must belong to this user. */
function makePrivate(folder: string, { owner }: RunAs): void {
  const isPrivate = () => {
    const found = lstatSync(folder, { throwIfNoEntry: false })
    return found?.isDirectory() && found.uid === owner.uid && (found.mode & 0o077) === 0
  }
  if (isPrivate()) return
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    if (isRoot()) chownSync(folder, owner.uid, owner.gid)
  } catch (error) {
    throw new Error(`${folder} is in the way and cannot be removed (${(error as Error).message}).`, { cause: error })
  }
}
