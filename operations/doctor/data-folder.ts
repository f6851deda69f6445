import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

export const dataFolder = ({ settings, dataDir, restoreAdvice }: Installation): Check => ({
  name: 'data_folder',
  async run() {
    const { owner, given, dataDir: folder } = settings.get()
    if (owner || given) {
      dataDir.set(null)
      return fine('Not used: DATABASE_URL names a PostgreSQL of your own.')
    }
    const wrong = wrongWith(folder)
    if (wrong) return wrong
    if (!existsSync(join(folder, 'postgres', 'PG_VERSION'))) {
      if (!existsSync(join(folder, 'postgres', 'base'))) return noDatabase(folder)
      return problem(
        `The database in ${folder}/postgres lacks the file PG_VERSION: its files are damaged.`,
        await restoreAdvice.ofFolder(folder),
      )
    }
    dataDir.set(folder)
    const open = openTo(folder)
    if (open) return open
    return fine(`${folder} belongs to ${userOf(statSync(folder))} and can be written to.`)
  },
})

function wrongWith(folder: string): Finding | null {
  const there = lookAt(folder)
  if (there === 'hidden') {
    return problem(`${dirname(folder)} cannot be entered by this user.`, `Run as a user who can, or change DATA_DIR.`)
  }
  if (!there) return noDatabase(folder)
  if (!there.isDirectory()) return problem(`${folder} is not a folder.`, 'Set DATA_DIR to a folder.')
  const closed = closedTo(folder, there)
  if (closed) return closed
  const data = lookAt(join(folder, 'postgres'))
  if (data && data !== 'hidden' && !isRoot() && data.uid !== process.getuid?.()) {
    return problem(
      `${join(folder, 'postgres')} belongs to ${userOf(data)}, and this is user ${process.getuid?.()}.`,
      `Run the service and its commands as ${userOf(data)} or as root.`,
    )
  }
  return null
}

const noDatabase = (folder: string) =>
  problem(
    `There is no database in ${folder}.`,
    "Start the service, which creates one. If it exists elsewhere, set DATA_DIR to the service's data folder, or " +
      'DATABASE_URL to its PostgreSQL.',
  )

function closedTo(folder: string, there: Stats): Finding | null {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EROFS') {
      return problem(`${folder} is on a read-only file system.`, 'Mount it for writing, or change DATA_DIR.')
    }
    const isOurs = there.uid === process.getuid?.()
    return problem(
      `${folder} cannot be written to: it belongs to ${userOf(there)} and has mode ${modeOf(there)}.`,
      isOurs ? `chmod u+rwx '${folder}'` : `Run as ${userOf(there)}, or give the folder to this user with chown -R.`,
    )
  }
}

/** Returns what other users of this machine could read or change. PostgreSQL does not start with such a folder. */
function openTo(folder: string): Finding | null {
  const postgres = join(folder, 'postgres')
  for (const [path, forbidden, mode] of [
    [folder, 0o022, 'go-w'],
    [postgres, 0o027, '700'],
    [join(folder, 'postgres.password'), 0o077, '600'],
  ] as const) {
    const there = lookAt(path)
    if (!there || there === 'hidden' || (there.mode & forbidden) === 0) continue
    return problem(
      `Other users of this machine may ${there.mode & 0o022 ? 'change' : 'read'} ${path}: it has mode ${modeOf(there)}.`,
      `chmod ${mode} '${path}'`,
    )
  }
  return null
}

const modeOf = ({ mode }: Stats) => (mode & 0o777).toString(8).padStart(4, '0')

function lookAt(path: string): Stats | 'hidden' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return 'hidden'
  }
}

const isRoot = () => process.getuid?.() === 0
const userOf = ({ uid }: Stats) => (uid === process.getuid?.() ? `this user (${uid})` : `user ${uid}`)
