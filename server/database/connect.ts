import type { Socket } from 'node:net'
import postgres, { type Options, type Sql } from 'postgres'
import { arrayTypes } from './arrays.ts'
import { type Cache, directoryCache } from './cache.ts'
import { dial, type LastingPool, lastingPool } from './lasting-pool.ts'
import { Busy, type Share, shareConnections } from './share.ts'
import { guardTransactions } from './transactions.ts'
import { type Watch, watchDatabase } from './watch.ts'

/** How PostgreSQL is reached, and as whom. */
export interface Connection {
  /** A name, an IP address, or the folder of a socket. */
  host: string
  port: number
  username: string
  password: string
  database: string
  ssl?: Options<Record<never, never>>['ssl']
}

/**
 * The two roles that the service signs in as (decisions/0012). They own nothing and cannot bypass row-level security,
 * and as there is no role behind them, `SET ROLE NONE` gives them nothing.
 */
export interface SignIns {
  app: Connection
  directory: Connection
}

export interface Database {
  /**
   * Runs `work` on one of the account's connections, when it has its share of them. The one way from an account to its
   * connections, so that an account can be moved to a node of its own later.
   */
  write<T>(asker: Asker, work: OnConnection<T>): Promise<T>
  /** The same for what only reads, on connections of its own: nothing here waits for a writer. */
  read<T>(asker: Asker, work: OnConnection<T>): Promise<T>
  /** Signing in, and what is done before the account is known. Cannot see a lead. */
  directory: Sql
  /** Finds keys, webhooks and people, on connections that nothing else takes. */
  lookup: Sql
  /** How the connections are used now. */
  shares: { read: Share; write: Share }
  cache: Cache
  /** Whether the database answers. Commands that end after one question do without. */
  watch: Watch | null
  /** Runs before the connections are closed. */
  beforeClose(task: () => Promise<unknown>): void
  close(): Promise<void>
}

/** Who needs a connection. */
export interface Asker {
  account_id: string
  via: 'api_key' | 'webhook' | 'web' | 'command'
}

type OnConnection<T> = (sql: Sql) => PromiseLike<T>

/** How long a request waits for a connection, in milliseconds. Senders wait longer than people; commands have time. */
const patience = { api_key: 5000, web: 5000, webhook: 8000, command: 30_000 } satisfies Record<Asker['via'], number>

/** Of the connections for requests, so many are for reading alone. */
const readersOf = (poolSize: number) => Math.max(1, Math.floor(poolSize * 0.4))

export function connect(signIns: SignIns, { watched = true, poolSize = 10 } = {}): Database {
  const pool = (connection: Connection, max: number) =>
    lastingPool(
      (socket) => openPool(connection, { max, max_lifetime: null, socket }),
      () => dial(connection),
    )
  const sizes = { read: readersOf(poolSize), write: poolSize - readersOf(poolSize) }
  const readers = pool(signIns.app, sizes.read)
  const writers = pool(signIns.app, sizes.write)
  const directory = pool(signIns.directory, 4)
  const lookup = pool(signIns.directory, 2)
  const pools = [readers, writers, directory, lookup]
  const shares = { read: shareConnections(sizes.read), write: shareConnections(sizes.write) }
  const watch = watched
    ? watchDatabase(
        (options) => openPool(signIns.directory, options),
        () => pools.reduce((sum, one) => sum + one.heard(), 0),
      )
    : null
  let wentSilent = false
  watch?.onAway((away) => {
    if (away) {
      wentSilent ||= away === 'silent'
      for (const share of [shares.read, shares.write]) share.rejectWaiting()
      return
    }
    // Connections that went silent may stay so for good, and whatever waits for one of them would wait for ever.
    for (const one of pools) wentSilent ? one.drop() : one.renew()
    wentSilent = false
  })
  const lastTasks: (() => Promise<unknown>)[] = []
  const on =
    (share: Share, { sql }: LastingPool): Database['write'] =>
    ({ account_id, via }, work) =>
      share.run(account_id, patience[via], () => work(sql))
  return {
    write: on(shares.write, writers),
    read: on(shares.read, readers),
    directory: directory.sql,
    lookup: lookup.sql,
    shares,
    cache: directoryCache(watch),
    watch,
    beforeClose: (task) => void lastTasks.push(task),
    close: async () => {
      await Promise.allSettled(lastTasks.map((task) => task()))
      await Promise.all([watch?.close(), ...pools.map(({ sql }) => sql.end({ timeout: 5 }))])
    },
  }
}

type PoolOptions = Options<Record<never, never>> & { socket?: () => Socket }

/** For the service's roles. */
export function openPool(connection: Connection, options: PoolOptions = {}): Sql {
  return open(connection, options, { statement_timeout: 30_000, lock_timeout: 2000 })
}

/**
 * For the owner of the tables, whose migrations take as long as they take. Its end clears the password: the driver keeps
 * where each statement was first run, and with that a pool that has ended.
 */
export function openAsOwner(connection: Connection, options: PoolOptions = {}): Sql {
  let password = connection.password
  const sql = open({ ...connection, password: () => password }, options, {})
  const end = sql.end
  return Object.assign(sql, {
    end: (given?: { timeout?: number }) =>
      end(given).finally(() => {
        password = ''
      }),
  })
}

function open(
  { host, port, ...connection }: Omit<Connection, 'password'> & { password: string | (() => string) },
  options: PoolOptions,
  limits: Record<string, number>,
): Sql {
  const isFolder = host.startsWith('/')
  const sql = postgres({
    ...connection,
    // In a list, which its types do not name: the driver takes a text apart at its colons.
    host: (isFolder ? host : [host]) as string,
    port: (isFolder ? port : [port]) as number,
    connect_timeout: 2,
    // A database that went away is tried again at once: waiting longer would only keep requests waiting.
    backoff: () => 0.05,
    onnotice: () => {},
    fetch_types: false,
    types: arrayTypes,
    ...options,
    connection: {
      application_name: 'lead-engine',
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      // As text: the driver leaves out a setting that is false.
      jit: 'off',
      // With parameters in LIMIT, PostgreSQL otherwise plans each list again, which halves the throughput.
      plan_cache_mode: 'force_generic_plan',
      idle_in_transaction_session_timeout: 30_000,
      ...limits,
    },
  })
  return guardTransactions(sql)
}

const awayCodes = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH'],
  // Shutting down, crashed, starting up, cut off while idle, out of means, read-only after a failover.
  ...['57P01', '57P02', '57P03', '57P05', '25P03', '53000', '53100', '53200', '53300', '53400', '25006'],
])

// Statement timed out or cancelled, waited for a lock in vain, chosen to end a deadlock.
const busyCodes = new Set(['57014', '55P03', '40P01', '40001'])

/** The database is away, as against: it rejected what was asked. */
export function isAway(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (awayCodes.has(code) || code.startsWith('08'))
}

/** The database answers, but what this needs is taken: it may work in a moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof Busy || busyCodes.has(String((error as { code?: unknown } | null)?.code))
}

/** Another transaction held what this one needed for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '55P03'
}

export function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505'
}

/** Two transactions waited for each other, and PostgreSQL ended this one: it may be begun anew. */
export function isDeadlock(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40P01' || code === '40001'
}
