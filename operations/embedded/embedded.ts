import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { readPassword, superuser } from './install.ts'
import { tryLock, whileLocked } from './lock.ts'
import { findServer, isAlive, type Server, startServer, stopServer, UnusableDatabase } from './server.ts'
import { limitLog } from './server-log.ts'

export interface EmbeddedDatabase {
  /** The connection of the owner, a superuser. The host is the socket's folder. */
  connection: { host: string; port: number; username: string; password: string; database: string }
  /** Releases the server, and stops it if no other process uses it. */
  stop(): Promise<void>
}

type Log = (message: string) => void

interface Options {
  create?: boolean
  durable?: boolean
  /** Whether it leaves the processors to others. */
  isBackground?: boolean
  /** How many the service may open. */
  connections?: number
  /** Settings of PostgreSQL beside its usual ones, if this process starts it. */
  further?: Record<string, string>
  /** Runs before a database is created. If it throws an error, nothing is changed. */
  beforeCreation?: () => Promise<void>
}

const database = 'lead_engine'

/**
 * Starts the PostgreSQL of this DATA_DIR, or joins the running one, which another process uses. Restarts it if it dies. It ends with the
 * process that started it, unless that lets it go on for others.
 */
export async function startEmbedded(
  dataDir: string,
  log: Log,
  {
    create = true,
    durable = true,
    isBackground = false,
    connections = 0,
    further,
    beforeCreation = async () => {},
  }: Options = {},
): Promise<EmbeddedDatabase> {
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    if (!create)
      throw new Error(
        `There is no database in ${dataDir}: set DATA_DIR to the service's data folder, or DATABASE_URL to its PostgreSQL.`,
      )
    await beforeCreation()
  }
  const folder = openDataFolder(dataDir, { durable, isBackground, connections, further })
  const { server, connection, hold } = await whileStarting(folder, log, async () => {
    // What a killed process left, perhaps outside of the unit or container of this one.
    await stopUnlessHeld(folder)
    const server = await runningServer(folder, log)
    try {
      const connection = await openDatabase(folder, server)
      return { server, connection, hold: tryLock(folder.holders, 'shared')! }
    } catch (error) {
      await stopUnlessHeld(folder)
      throw error
    }
  })
  const stopping = new AbortController()
  const watched = keepAlive(folder, server, stopping.signal, log)

  async function stop() {
    stopping.abort()
    const last = await watched
    // Under the lock, so that no process joins between this check and the stop.
    await whileStarting(folder, log, async () => {
      hold.release()
      await stopUnlessHeld(folder)
    })
    await last.detach?.()
  }
  let stopped: Promise<void> | undefined
  return { connection, stop: () => (stopped ??= stop()) }
}

/** Stops a server that a killed process left in this folder, or one that is still replaying its log. */
export async function stopAbandoned(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres')))
    await stopServer(openDataFolder(dataDir, { durable: false, connections: 0 }))
}

/** Returns the last server. */
async function keepAlive(folder: DataFolder, first: Server, stopping: AbortSignal, log: Log): Promise<Server> {
  let server = first
  let pause = 250
  while (await passes(pause, stopping)) {
    try {
      if (isAlive(server.pid)) {
        limitLog(folder)
        continue
      }
      await server.detach?.()
      server = await whileStarting(folder, log, async () => (stopping.aborted ? server : runningServer(folder, log)))
      if (!stopping.aborted) log(`PostgreSQL had ended and runs again (process ${server.pid})`)
      pause = 250
    } catch (error) {
      pause = Math.min(pause * 2, 30_000)
      log(`${(error as Error).message} Trying again in ${pause / 1000} s.`)
    }
  }
  return server
}

/** Returns false if it was aborted. */
async function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal, ref: false }).catch(() => false)
}

/** Waits until no process uses the database of this DATA_DIR: one that belongs to a killed command ends by itself. */
export async function untilUnused(dataDir: string): Promise<void> {
  const folder = openDataFolder(dataDir, { durable: true, connections: 0 })
  const deadline = performance.now() + 20_000
  for (;;) {
    const unused = tryLock(folder.holders, 'exclusive')
    if (unused) return unused.release()
    if (performance.now() > deadline)
      throw new Error(`Another command uses the database in ${dataDir}: end it, or wait until it has ended.`)
    await sleep(100)
  }
}

async function stopUnlessHeld(folder: DataFolder): Promise<void> {
  const lastHolder = tryLock(folder.holders, 'exclusive')
  if (!lastHolder) return
  try {
    await stopServer(folder)
  } finally {
    lastHolder.release()
  }
}

function whileStarting<T>(folder: DataFolder, log: Log, work: () => Promise<T>): Promise<T> {
  const onLongWait = () => log('Waiting for another process that is starting or stopping the database')
  return whileLocked(folder.startLock, onLongWait, work)
}

async function runningServer(folder: DataFolder, log: Log): Promise<Server> {
  return (await findServer(folder, log)) ?? (await startServer(folder, log))
}

async function openDatabase(folder: DataFolder, { socketDir, port }: Server): Promise<EmbeddedDatabase['connection']> {
  const connection = { host: socketDir, port, username: superuser, password: await readPassword(folder), database }
  const sql = openAsOwner({ ...connection, database: 'postgres' }, { max: 1, connect_timeout: 10 })
  try {
    const [found] = await sql`select from pg_database where datname = ${database}`
    if (!found) await sql`create database ${sql(database)}`
    return connection
  } catch (error) {
    throw new UnusableDatabase(`The embedded database does not answer: ${(error as Error).message}.`, { cause: error })
  } finally {
    await sql.end()
  }
}
