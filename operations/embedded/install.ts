import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chownSync, closeSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { type DataFolder, isRoot, openFile } from './data-folder.ts'
import type { RunAs } from './user.ts'

export const superuser = 'lead_engine'

/** The data folder of a complete restore, until it has its name: a restore may be killed between two renames. */
export const restoredFolder = (data: string) => `${data}.restored`

/** Creates the data folder once, atomically. */
export async function install(folder: DataFolder, binaries: Binaries, runAs: RunAs, log: (message: string) => void) {
  clearUnfinished(folder)
  if (existsSync(join(folder.data, 'PG_VERSION'))) return
  if (existsSync(restoredFolder(folder.data))) return rename(restoredFolder(folder.data), folder.data)
  if (existsSync(folder.data) && readdirSync(folder.data).length > 0) {
    throw new Error(
      existsSync(join(folder.data, 'base'))
        ? `The database in ${folder.data} lacks the file PG_VERSION: run lead-engine doctor, which says how to restore it.`
        : `${folder.data} holds something else than a PostgreSQL database: move it away, or change DATA_DIR.`,
    )
  }
  log(`Preparing the database in ${folder.data}`)
  // A new name each time: an initdb of a killed service may still write into the previous folder.
  const unfinished = `${folder.data}.unfinished-${randomUUID()}`
  const passwordCopy = `${unfinished}.password`
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordCopy, await makePassword(folder), { mode: 0o600 })
  if (isRoot()) for (const path of [unfinished, passwordCopy]) chownSync(path, runAs.owner.uid, runAs.owner.gid)
  try {
    await initdb(binaries, runAs, unfinished, passwordCopy)
    await rename(unfinished, folder.data)
    await sync(folder.dir)
  } finally {
    clearUnfinished(folder)
  }
}

export async function readPassword(folder: DataFolder): Promise<string> {
  try {
    return (await readFile(folder.password, 'utf8')).trim()
  } catch (error) {
    const isLost = (error as { code?: string }).code === 'ENOENT'
    throw new Error(
      `The password of the embedded database cannot be read (${(error as Error).message})` +
        (isLost ? ': run lead-engine doctor --repair, which sets another one.' : '.'),
      { cause: error },
    )
  }
}

export async function makePassword(folder: DataFolder): Promise<string> {
  closeSync(openFile(folder, folder.password))
  const kept = await readPassword(folder)
  if (kept) return kept
  const password = randomBytes(24).toString('base64url')
  await writeFile(folder.password, `${password}\n`, { flush: true })
  return password
}

async function initdb(binaries: Binaries, runAs: RunAs, folder: string, passwordFile: string): Promise<void> {
  const [program, ...args] = [
    ...runAs.prefix,
    binaries.initdb,
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ]
  try {
    await promisify(execFile)(program!, args, runAs.options)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    const lines = stderr?.trim().split('\n') ?? []
    const reason = lines.find((line) => /error|fatal|panic/i.test(line)) ?? lines.at(-1) ?? message
    throw new Error(`The database could not be prepared: ${reason}`, { cause: error })
  }
}

function clearUnfinished({ dir, data }: DataFolder): void {
  for (const name of readdirSync(dir)) {
    if (name.startsWith(`${basename(data)}.unfinished-`)) rmSync(join(dir, name), { recursive: true, force: true })
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}
