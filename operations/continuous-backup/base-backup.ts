import { setTimeout as sleep } from 'node:timers/promises'
import manifestOfProgram from '../../package.json' with { type: 'json' }
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import { Damage } from './encryption.ts'
import { type History, putAndRead } from './history.ts'
import { openReplication, readLsn, writeLsn } from './replication.ts'

export const bases = 'base/'

/** A copy of the data folder, from which the log is replayed. */
export interface Base {
  /** Its objects are `base/ID/00001`, `00002`, …, and `base/ID/manifest`, which is written last. */
  id: string
  program: string
  /** Where the log that it needs starts and ends. */
  start: bigint
  end: bigint
  timeline: number
  started_at: Date
  /** The earliest time to which it can be restored. */
  finished_at: Date
  parts: number
  /** The size of the data folder. */
  bytes: number
}

const partSize = 8 * 1024 * 1024
/** Slower than a disk, so that the service does not notice it. */
const kilobytesPerSecond = 32 * 1024

export const baseId = (started_at: Date) => started_at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
const partName = (id: string, number: number) => `${bases}${id}/${String(number).padStart(5, '0')}`
const manifestName = (id: string) => `${bases}${id}/manifest`

interface Options {
  isUrgent: boolean
  signal: AbortSignal
}

/** Copies the running database into its history. Each part is read again when it is written. */
export async function makeBase(owner: Connection, history: History, { isUrgent, signal }: Options): Promise<Base> {
  const session = await openReplication(owner, 'lead-engine base backup')
  const stop = () => session.close()
  signal.addEventListener('abort', stop)
  try {
    const started_at = await databaseTime(owner)
    const id = baseId(started_at)
    let [parts, bytes, size] = [0, 0, 0]
    let waiting: Buffer[] = []
    const save = async () => {
      const name = partName(id, ++parts)
      await retried(() => putAndRead(history, name, Buffer.concat(waiting)), signal)
      waiting = []
      size = 0
    }
    const ends = await session.baseBackup(
      { label: `lead-engine ${id}`, isUrgent, kilobytesPerSecond },
      async (part) => {
        // PostgreSQL sends to the end otherwise.
        signal.throwIfAborted()
        waiting.push(part)
        size += part.length
        bytes += part.length
        if (size >= partSize) await save()
      },
    )
    if (size > 0) await save()
    const finished_at = await databaseTime(owner)
    const base: Base = { id, program: manifestOfProgram.version, ...ends, started_at, finished_at, parts, bytes }
    await retried(() => putAndRead(history, manifestName(id), writeManifest(base)), signal)
    return base
  } finally {
    signal.removeEventListener('abort', stop)
    session.close()
  }
}

async function databaseTime(owner: Connection): Promise<Date> {
  const [now] = await asOwner(owner, (sql) => sql<{ at: Date }[]>`select clock_timestamp() as at`)
  return now!.at
}

/** A base takes long, and should not fail because one request did. */
async function retried(attempt: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let wait = 1000; ; wait *= 2) {
    try {
      return await attempt()
    } catch (error) {
      if (wait > 30_000 || signal.aborted) throw error
      await sleep(wait, null, { signal }).catch(() => {})
    }
  }
}

/** The complete base backups of a history, the oldest first. Of a damaged manifest, `onDamage` gets the id of the base. */
export async function listBases(
  history: History,
  onDamage: (id: string, damage: Damage) => void = () => {},
): Promise<Base[]> {
  const found: Base[] = []
  for (const { name } of await history.list(bases)) {
    const [id, part] = name.slice(bases.length).split('/')
    if (part !== 'manifest') continue
    try {
      const manifest = await history.get(name)
      if (manifest) found.push(readManifest(manifest))
    } catch (error) {
      if (!(error instanceof Damage)) throw error
      onDamage(id!, error)
    }
  }
  return found
}

/** The data folder as a tar archive. */
export async function* readBase(history: History, { id, parts }: Base): AsyncGenerator<Buffer> {
  for (let number = 1; number <= parts; number++) {
    const name = partName(id, number)
    const part = await history.get(name)
    if (!part) throw new Damage(`${history.id}/${name} in the continuous backup is missing`)
    yield part
  }
}

function writeManifest({ start, end, ...base }: Base): Buffer {
  return Buffer.from(JSON.stringify({ ...base, start: writeLsn(start), end: writeLsn(end) }))
}

function readManifest(content: Buffer): Base {
  const { start, end, started_at, finished_at, ...base } = JSON.parse(content.toString())
  return {
    ...base,
    start: readLsn(start),
    end: readLsn(end),
    started_at: new Date(started_at),
    finished_at: new Date(finished_at),
  }
}
