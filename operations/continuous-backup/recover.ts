import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import { startEmbedded, stopAbandoned } from '../embedded/embedded.ts'

export interface Recovered {
  owner: Connection
  /** The time of the last change that was restored; null if there was none after the base. */
  last_change_at: Date | null
  stop(): Promise<void>
}

interface Options {
  until: Date | null
  /** Whether the result is kept. */
  durable: boolean
  signal: AbortSignal
  log(message: string): void
}

/** Lets PostgreSQL replay the log in `dir/postgres`, up to a time or to its end, and begins to accept changes there. */
export async function recover(dir: string, options: Options): Promise<Recovered> {
  const data = join(dir, 'postgres')
  await writeFile(join(data, 'recovery.signal'), '')
  const stop = () => void stopAbandoned(dir).catch(() => {})
  options.signal.addEventListener('abort', stop)
  try {
    options.signal.throwIfAborted()
    const database = await replay(dir, options).catch((error: Error) => {
      options.signal.throwIfAborted()
      // Nothing was changed after the last change before that time, or the log ends earlier.
      if (options.until && error.message.includes('recovery ended before configured recovery target was reached'))
        return replay(dir, { ...options, until: null })
      throw error
    })
    const [last] = await asOwner(
      database.connection,
      (sql) => sql<{ at: Date | null }[]>`select pg_last_xact_replay_timestamp() as at`,
    ).catch(async (error) => {
      await database.stop()
      throw error
    })
    return { owner: database.connection, last_change_at: last!.at, stop: database.stop }
  } finally {
    options.signal.removeEventListener('abort', stop)
  }
}

async function replay(dir: string, { until, durable, log }: Options) {
  // The password of the superuser is that of the time, and may not be known. The folder of the socket is private.
  const admission = join(dir, 'pg_hba.conf')
  await writeFile(admission, 'local all all trust\n', { mode: 0o644 })
  await writeFile(join(dir, 'postgres.password'), 'none\n', { mode: 0o600 })
  return startEmbedded(dir, log, {
    create: false,
    durable,
    // A drill.
    isBackground: !durable,
    further: {
      hba_file: admission,
      // The log is in its place already.
      restore_command: 'false',
      hot_standby: 'off',
      ...(until
        ? {
            recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00'),
            recovery_target_action: 'promote',
          }
        : {}),
    },
  })
}
