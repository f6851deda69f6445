import pg from 'pg'
import type { Connection } from '../../server/platform/database/pool.ts'

/** A session in which PostgreSQL sends its write-ahead log or a base backup, as it does to a replica. */
export interface Replication {
  /**
   * Sends the log from a position on. `onStart` runs when no other session can use the slot. `onLog` gets a view of the log that is valid
   * until it returns. Rejects when the session ends.
   */
  startLog(
    from: { slot: string; position: bigint; timeline: number },
    onLog: OnLog,
    onStart: () => void,
  ): Promise<never>
  /** Says up to where the log is saved: PostgreSQL may then remove it. */
  confirm(saved: bigint): void
  /** Sends the data folder as a tar archive. The next part is read after `onPart` has settled. */
  baseBackup(options: BaseBackupOptions, onPart: (part: Buffer) => Promise<void>): Promise<BaseBackupEnds>
  /** Reads no more until `resume`. */
  pause(): void
  resume(): void
  close(): void
}

type OnLog = (log: { position: bigint; bytes: Buffer }) => void

interface BaseBackupOptions {
  label: string
  /** Starts at once instead of within minutes, at the cost of much writing. */
  isUrgent: boolean
  kilobytesPerSecond: number
}

interface BaseBackupEnds {
  start: bigint
  end: bigint
  timeline: number
}

interface Wire {
  stream: { pause(): void; resume(): void; destroy(): void }
  sendCopyFromChunk(chunk: Buffer): void
  once(event: 'replicationStart', listener: () => void): void
}

/** Opens a session as the owner, who must be allowed to replicate. `name` is shown in pg_stat_replication. */
export async function openReplication(connection: Connection, name: string): Promise<Replication> {
  const { host, port, username: user, password, database } = connection
  const config = { host, port, user, password, database, application_name: name, keepAlive: true }
  const client = new pg.Client(Object.assign(config, { replication: 'true', connectionTimeoutMillis: 5000 }))
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  client.on('error', (error) => ended.reject(error))
  client.on('end', () => ended.reject(new Error('PostgreSQL ended the session of the continuous backup')))
  await client.connect()
  const wire = (client as unknown as { connection: Wire }).connection

  const run = (text: string, onCopyData: (chunk: Buffer) => void) => {
    const answered = new Promise<pg.QueryArrayResult[]>((resolve, reject) => {
      const callback = (error: Error | null, result: unknown) =>
        error ? reject(error) : resolve([result].flat() as pg.QueryArrayResult[])
      const query = new pg.Query({ text, rowMode: 'array', callback } as pg.QueryConfig)
      const handleCopyData = ({ chunk }: { chunk: Buffer }) => {
        try {
          onCopyData(chunk)
        } catch (error) {
          ended.reject(error)
          wire.stream.destroy()
        }
      }
      client.query(Object.assign(query, { handleCopyData }))
    })
    return Promise.race([answered, ended.promise])
  }

  let saved = 0n
  const report = () => wire.sendCopyFromChunk(statusUpdate(saved))

  return {
    async startLog({ slot, position, timeline }, onLog, onStart) {
      saved = position
      wire.once('replicationStart', onStart)
      const reporting = setInterval(report, reportEvery)
      try {
        await run(`START_REPLICATION SLOT ${slot} PHYSICAL ${writeLsn(position)} TIMELINE ${timeline}`, (message) => {
          const kind = String.fromCharCode(message[0]!)
          if (kind === 'w') onLog({ position: message.readBigUInt64BE(1), bytes: message.subarray(25) })
          // A keepalive may ask for an answer.
          else if (kind === 'k' && message[17] === 1) report()
        })
        throw new Error('PostgreSQL stopped sending its log')
      } finally {
        clearInterval(reporting)
      }
    },
    confirm(position) {
      saved = position
      report()
    },
    async baseBackup({ label, isUrgent, kilobytesPerSecond }, onPart) {
      let failure: unknown = null
      let waiting = Promise.resolve()
      const results = await run(
        `BASE_BACKUP (LABEL '${label}', CHECKPOINT '${isUrgent ? 'fast' : 'spread'}', WAIT false, MANIFEST 'no', ` +
          `MAX_RATE ${kilobytesPerSecond}, PROGRESS false)`,
        (message) => {
          if (String.fromCharCode(message[0]!) !== 'd' || failure) return
          // Copied: the driver uses the memory again.
          const part = Buffer.from(message.subarray(1))
          wire.stream.pause()
          waiting = waiting
            .then(() => onPart(part))
            .then(() => wire.stream.resume())
            .catch((error) => {
              failure ??= error
              wire.stream.destroy()
            })
        },
      ).catch((error) => {
        throw failure ?? error
      })
      await waiting
      if (failure) throw failure
      // Start, tablespaces, end.
      const [[start, timeline], , [end]] = results.map(({ rows }) => rows[0] ?? []) as [string[], string[], string[]]
      return { start: readLsn(start!), end: readLsn(end!), timeline: Number(timeline) }
    },
    pause: () => wire.stream.pause(),
    resume: () => wire.stream.resume(),
    close: () => {
      client.end().catch(() => {})
      wire.stream.resume()
    },
  }
}

/** PostgreSQL ends a session that is silent for a minute. */
const reportEvery = 5000

/** Written, flushed and applied up to a position, now. No answer is needed. */
function statusUpdate(position: bigint): Buffer {
  const message = Buffer.alloc(34)
  message.write('r')
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(position, at)
  message.writeBigUInt64BE(BigInt(Date.now() - Date.UTC(2000, 0, 1)) * 1000n, 25)
  return message
}

/** Reads a position in the log as PostgreSQL writes it: 16/B374D848. */
export function readLsn(text: string): bigint {
  const [high, low] = text.split('/').map((part) => BigInt(`0x${part}`))
  return (high! << 32n) + low!
}

export const writeLsn = (position: bigint) =>
  `${(position >> 32n).toString(16).toUpperCase()}/${(position & 0xffffffffn).toString(16).toUpperCase()}`
