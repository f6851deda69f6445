import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type StoredObject, type Target, TargetProblem } from './target.ts'

const unfinished = '.part'

/** Objects as files of a folder, which must exist: the mount point of a disk that is missing would be filled otherwise. */
export function folderTarget(folder: string): Target {
  const pathOf = (name: string) => join(folder, name)

  /** Writes an object that is complete or not there, also after a power failure. */
  async function write(name: string, content: Buffer, place: (from: string, to: string) => Promise<void>) {
    const path = pathOf(name)
    const part = `${path}.${randomUUID()}${unfinished}`
    await checkFolder()
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const file = await open(part, 'wx', 0o600)
      try {
        await file.writeFile(content)
        await file.sync()
      } finally {
        await file.close()
      }
      await place(part, path)
      await syncFolder(dirname(path))
    } finally {
      await rm(part, { force: true })
    }
  }

  async function checkFolder() {
    const is = await stat(folder).catch(() => null)
    if (!is?.isDirectory())
      throw new TargetProblem(
        `There is no folder ${folder}: mount its disk, or create it, or change CONTINUOUS_BACKUP.`,
      )
  }

  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: NodeJS.ErrnoException) => {
      throw explain(error, folder)
    })

  return {
    name: folder,
    put: (name, content) => explained(write(name, content, rename)),
    putNew: (name, content) =>
      explained(
        write(name, content, link).then(
          () => true,
          (error) => {
            if (error.code === 'EEXIST') return false
            throw error
          },
        ),
      ),
    get: (name) =>
      explained(
        readFile(pathOf(name)).catch(async (error) => {
          if (error.code !== 'ENOENT') throw error
          await checkFolder()
          return null
        }),
      ),
    list: (prefix) => explained(checkFolder().then(() => filesIn(folder, prefix))),
    async remove(names) {
      for (const name of names) await explained(rm(pathOf(name), { force: true }))
    },
  }
}

async function filesIn(folder: string, prefix: string): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const entry of entries) {
    if (entry.isDirectory()) found.push(...(await filesIn(folder, `${prefix}${entry.name}/`)))
    if (!entry.isFile() || entry.name.endsWith(unfinished)) continue
    const name = `${prefix}${entry.name}`
    // Removed by now, perhaps.
    const { mtime } = (await stat(join(folder, name)).catch(() => null)) ?? {}
    if (mtime) found.push({ name, written_at: mtime })
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function explain(error: NodeJS.ErrnoException, folder: string): Error {
  if (error instanceof TargetProblem) return error
  const advice: Record<string, string> = {
    ENOSPC: 'The disk is full: free space, or lower CONTINUOUS_BACKUP_DAYS.',
    EDQUOT: 'The quota is used up: raise it, or lower CONTINUOUS_BACKUP_DAYS.',
    EACCES: 'Give the folder to the user of the service.',
    EPERM: 'Give the folder to the user of the service.',
    EROFS: 'The disk is read-only: mount it for writing.',
  }
  const message = `The folder ${folder} cannot be used (${error.message}). ${advice[error.code ?? ''] ?? 'Check its disk.'}`
  return new TargetProblem(message, { cause: error })
}
