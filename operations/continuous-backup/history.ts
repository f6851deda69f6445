import { randomBytes } from 'node:crypto'
import manifest from '../../package.json' with { type: 'json' }
import { Damage, deriveKey, isKey, keyCheck, seal, unseal } from './encryption.ts'
import { type StoredObject, type Target, TargetProblem } from './target.ts'

/**
 * An unbroken stretch of a database's log, with base backups. A database that is restored begins another one, and so does one whose log has
 * a gap: what is saved is never written over. Its id is also in the name of the replication slot, which no backup contains.
 */
export interface History extends Description {
  id: string
  /** Encrypts. Returns false if the object exists already. */
  putNew(name: string, content: Buffer): Promise<boolean>
  /** Encrypts, and replaces. */
  put(name: string, content: Buffer): Promise<void>
  /** Null if there is none. Throws DamagedObject. */
  get(name: string): Promise<Buffer | null>
  /** The objects below `prefix`, in the order of their names, which are without the id. */
  list(prefix: string): Promise<StoredObject[]>
  remove(names: string[]): Promise<void>
}

/** The object `histories/ID` and its copy, which are not encrypted. Without the salt nothing of the history can be read. */
interface Description {
  format: 1
  started_at: string
  /** The identifier of the PostgreSQL cluster. A restored one keeps it. */
  system: string
  /** The salt and the check of the key. */
  salt: string
  check: string
  program: string
}

const folders = ['histories/', 'histories-copy/']

export async function beginHistory(target: Target, secret: string, system: string, now: Date): Promise<History> {
  const salt = randomBytes(16)
  const key = deriveKey(secret, salt)
  const started = now.toISOString()
  const id = `${started.slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}z_${randomBytes(4).toString('hex')}`
  const description: Description = {
    format: 1,
    started_at: started,
    system,
    salt: salt.toString('base64'),
    check: keyCheck(key),
    program: manifest.version,
  }
  const history = historyOf(target, id, description, key)
  await keepDescription(target, history)
  return history
}

/** Writes the description or its copy again, if one is missing or damaged. */
export async function keepDescription(target: Target, history: History): Promise<void> {
  const { format, started_at, system, salt, check, program } = history
  const text = `${JSON.stringify({ format, started_at, system, salt, check, program }, null, 2)}\n`
  for (const folder of folders) {
    const kept = await target.get(`${folder}${history.id}`)
    if (kept?.toString() !== text) await target.put(`${folder}${history.id}`, Buffer.from(text))
  }
}

/** Returns the ids, the oldest first. */
export async function listHistories(target: Target): Promise<string[]> {
  const ids = new Set<string>()
  for (const folder of folders) for (const { name } of await target.list(folder)) ids.add(name.slice(folder.length))
  return [...ids].sort()
}

/** The description of a history and its copy are damaged, or it was encrypted with another key. */
export class UnreadableHistory extends TargetProblem {}

/** Returns null if there is none of this id. Throws UnreadableHistory. */
export async function openHistory(target: Target, secret: string, id: string): Promise<History | null> {
  let problem: unknown = null
  for (const folder of folders) {
    const object = await target.get(`${folder}${id}`)
    if (!object) continue
    try {
      const description = readDescription(object, `${target.name}/${folder}${id}`)
      const key = deriveKey(secret, Buffer.from(description.salt, 'base64'))
      if (isKey(key, description.check)) return historyOf(target, id, description, key)
      problem ??= new UnreadableHistory(
        `The key in CONTINUOUS_BACKUP_KEY_FILE is not the one with which ${target.name} was encrypted. ` +
          'Use that key, or name an empty folder or prefix in CONTINUOUS_BACKUP.',
      )
    } catch (error) {
      problem ??= error
    }
  }
  if (problem) throw problem
  return null
}

/** Puts an object, and checks that the target has it. */
export async function putAndRead(history: History, name: string, content: Buffer): Promise<void> {
  await history.put(name, content)
  if (!(await history.get(name))?.equals(content))
    throw new Damage(
      `${history.id}/${name} in the continuous backup is not what was written: check its disk or its service`,
    )
}

/** What to do about a history that cannot be read. */
const readAnother = 'Restore that file, or name another folder or prefix in CONTINUOUS_BACKUP.'

function readDescription(object: Buffer, name: string): Description {
  try {
    const description = JSON.parse(object.toString()) as Description
    if (description.format === 1 && description.salt && description.check) return description
  } catch (error) {
    throw new UnreadableHistory(`${name} is damaged. ${readAnother}`, { cause: error })
  }
  throw new UnreadableHistory(`${name} is of a newer version: use the newer program.`)
}

function historyOf(target: Target, id: string, description: Description, key: Buffer): History {
  const full = (name: string) => `${id}/${name}`
  return {
    ...description,
    id,
    putNew: async (name, content) => target.putNew(full(name), await seal(key, full(name), content)),
    put: async (name, content) => target.put(full(name), await seal(key, full(name), content)),
    async get(name) {
      const object = await target.get(full(name))
      return object && unseal(key, full(name), object)
    },
    async list(prefix) {
      const objects = await target.list(full(prefix))
      return objects.map(({ name, written_at }) => ({ name: name.slice(full('').length), written_at }))
    },
    remove: (names) => target.remove(names.map(full)),
  }
}

/** Removes the description last, so that an interrupted removal is found again. */
export async function removeHistory(target: Target, id: string): Promise<void> {
  await target.remove((await target.list(`${id}/`)).map(({ name }) => name))
  await target.remove(folders.map((folder) => `${folder}${id}`))
}
