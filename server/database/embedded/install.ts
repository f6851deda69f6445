import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chownSync, closeSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { isRoot, openFile, type Place } from './place.ts'
import type { RunAs } from './user.ts'

export const superuser = 'lead_engine'

/** Creates the data folder once, atomically. */
export async function install(place: Place, binaries: Binaries, runAs: RunAs, log: (message: string) => void) {
  clearUnfinished(place)
  if (existsSync(join(place.data, 'PG_VERSION'))) return
  if (existsSync(place.data) && readdirSync(place.data).length > 0) {
    throw new Error(`${place.data} holds something else than a PostgreSQL database: move it away, or change DATA_DIR.`)
  }
  log(`Preparing the database in ${place.data}`)
  // A new name each time: an initdb of a killed service may still write into the previous folder.
  const unfinished = `${place.data}.unfinished-${randomUUID()}`
  const passwordCopy = `${unfinished}.password`
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordCopy, await makePassword(place), { mode: 0o600 })
  if (isRoot()) for (const path of [unfinished, passwordCopy]) chownSync(path, runAs.owner.uid, runAs.owner.gid)
  try {
    await initdb(binaries, runAs, unfinished, passwordCopy)
    await rename(unfinished, place.data)
    await sync(place.dir)
  } finally {
    clearUnfinished(place)
  }
}

export async function readPassword(place: Place): Promise<string> {
  try {
    return (await readFile(place.password, 'utf8')).trim()
  } catch (error) {
    throw new Error(`The password of the embedded database cannot be read (${(error as Error).message}).`, {
      cause: error,
    })
  }
}

async function makePassword(place: Place): Promise<string> {
  closeSync(openFile(place, place.password))
  const kept = await readPassword(place)
  if (kept) return kept
  const password = randomBytes(24).toString('base64url')
  await writeFile(place.password, `${password}\n`, { flush: true })
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

function clearUnfinished({ dir, data }: Place): void {
  for (const name of readdirSync(dir)) {
    if (name.startsWith(`${basename(data)}.unfinished-`)) rmSync(join(dir, name), { recursive: true, force: true })
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}
