import type { Socket } from 'node:net'
import postgres, { type Options, type Sql } from 'postgres'
import type { FairQueue } from '../queue/fair-queue.ts'
import { openAnnouncer } from './announce.ts'
import { arrayTypes } from './arrays.ts'
import { type Cache, directoryCache } from './cache.ts'
import { isUnplanned } from './cluster/errors.ts'
import { type Nodes, watchNodes } from './cluster/nodes.ts'
import { sessionSettings } from './cluster/settings.ts'
import { Busy, type Conflict, findConflict, isAway, isCanceled, isDeadlock, Unavailable } from './errors.ts'
import { dial, type ReconnectingPool, reconnectingPool } from './reconnecting-pool.ts'
import { type Replica, watchReplica } from './replica.ts'
import { shareConnections } from './share.ts'
import { runTogether, type Together } from './together.ts'
import { guardTransactions } from './transactions.ts'
import { notifyLeadsChanged, type Watch, watchDatabase } from './watch.ts'
import { type Writes, watchWrites } from './watch-writes.ts'

/** The server, database and role of a connection. */
export interface Connection {
  /** A host name, an IP address, or the folder of a socket. */
  host: string
  port: number
  username: string
  password: string
  database: string
  ssl?: Options<Record<never, never>>['ssl']
  /** It is the coordinator of a cluster, and the rows are on its nodes. */
  isCluster?: boolean
}

/**
 * The two roles of the service (decisions/0012). They own nothing and cannot bypass row-level security, not even by
 * `SET ROLE NONE`.
 */
export interface SignIns {
  app: Connection
  directory: Connection
}

export interface Database {
  /**
   * Runs `work` on a connection, within the account's share of them. Every statement of an account goes through here, so
   * that an account could be moved to another database server. What was written is announced to the pages of the account.
   */
  write<T>(requester: Requester, work: OnConnection<T>): Promise<T>
  /** Reads on separate connections, so that nothing waits for a writer. */
  read<T>(requester: Requester, work: OnConnection<T>): Promise<T>
  /**
   * Reads by a single statement of a millisecond or two, as those of first pages. Such statements follow one another on one
   * connection: the next ones are sent before the first is answered, and wait for it.
   */
  readBriefly<T>(requester: Requester, work: OnConnection<T>): Promise<T>
  /**
   * Reads what may be some seconds old: from the replica if there is one that keeps up, else as `read`. Runs `work` again
   * if the replica fails.
   */
  readReplica<T>(requester: Requester, work: OnConnection<T>): Promise<T>
  together: Together
  /** For sign-in, and before the account is known. Cannot see leads. */
  directory: Sql
  /** Finds keys, webhooks and users, on separate connections. */
  lookup: Sql
  /** The current use of the connections. */
  shares: Record<'read' | 'brief' | 'write', FairQueue> & { replica?: FairQueue }
  cache: Cache
  /** How many statements failed because of another transaction, or took too long. */
  conflicts: Readonly<Record<Conflict, number>>
  /** Whether the database answers; null in short commands. */
  watch: Watch | null
  /** Whether it accepts writes; null in short commands. */
  writes: Writes | null
  /** Null without DATABASE_READ_URL. */
  replica: Replica | null
  /** Null in short commands, and on one PostgreSQL. */
  readonly nodes: Nodes | null
  /** Whether keys, users and webhooks cannot be changed, while requests are served. */
  readonly isDirectoryReadOnly: boolean
  close(): Promise<void>
}

/** The account and kind of caller that need a connection. */
export interface Requester {
  account_id: string
  via: 'api_key' | 'webhook' | 'web' | 'command'
  /** It writes nothing that lists or figures show: there is nothing to announce. */
  silent?: true
  /** Others wait for it, so it has its turn before other work of the account, like people in the web app. */
  first?: true
}

type OnConnection<T> = (sql: Sql) => PromiseLike<T>

/** How long a request waits for a connection, in milliseconds. Webhook senders wait longer than users. */
const patience = { api_key: 5000, web: 5000, webhook: 8000, command: 30_000 } satisfies Record<Requester['via'], number>

/** How many of the connections for requests are for reading only. One of these is for brief reads. */
const readersOf = (poolSize: number) => Math.max(2, Math.floor(poolSize * 0.4))

/** So many brief reads are under way at a time, and so many of one account: each waits for those before it. */
const maxBrief = { ofAll: 16, ofAccount: 4 }

/**
 * A brief read that takes longer, in milliseconds, is ended, because it delays those behind it, and repeated on a connection of its
 * own. For a minute, all reads of its account get one.
 */
const longestBrief = 200
const slowFor = 60_000

/**
 * The driver searches a list of idle connections at each statement. While not all of them are in use, the list grows by one entry
 * with each statement: 700,000 statements later, one costs six times as much. So connections that are shared have a driver
 * each, and the others are opened again so often, in milliseconds.
 */
const renewEvery = 10 * 60_000

interface ConnectOptions {
  /** Whether the process notices changes and outages: false in short commands. */
  watched?: boolean
  poolSize?: number
  /** The sign-in of the service's role for requests, at the replica. */
  replica?: Connection | null
  log?: (message: string) => void
  now?: () => number
}

export function connect(
  signIns: SignIns,
  { watched = true, poolSize = 10, replica = null, log = () => {}, now = () => performance.now() }: ConnectOptions = {},
): Database {
  let isCluster = signIns.directory.isCluster === true
  const pool = (connection: Connection, max: number, settings: Settings = timeLimits) =>
    reconnectingPool(
      (socket) => openPool({ ...connection, isCluster }, { max, max_lifetime: null, socket }, settings),
      () => dial(connection),
    )
  const singles = (connection: Connection, size: number) => Array.from({ length: size }, () => pool(connection, 1))
  const readersInAll = readersOf(poolSize)
  const sizes = { read: readersInAll - 1, write: poolSize - readersInAll }
  const readers = singles(signIns.app, sizes.read)
  const briefReader = pool(signIns.app, 1, briefSettings)
  const writers = singles(signIns.app, sizes.write)
  const directory = pool(signIns.directory, 4)
  const lookup = pool(signIns.directory, 2)
  const forRequests = [...readers, briefReader, ...writers, directory]
  const pools = [...forRequests, lookup]
  const renewing = setInterval(() => {
    for (const one of [directory, lookup]) one.renew(timeLimits.statement_timeout)
  }, renewEvery).unref()
  const shares: Database['shares'] = {
    read: shareConnections(sizes.read),
    brief: shareConnections(maxBrief.ofAll, maxBrief.ofAccount),
    write: shareConnections(sizes.write),
  }
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
      for (const share of [shares.read, shares.brief, shares.write]) share.rejectWaiting(new Unavailable())
      return
    }
    // Silent connections may never recover, and requests on them would wait forever.
    for (const one of pools) wentSilent ? one.drop() : one.renew()
    wentSilent = false
  })
  const writes =
    watch &&
    watchWrites({
      directory: directory.sql,
      openNew: () => openPool({ ...signIns.app, isCluster }, { max: 1, connect_timeout: 1 }),
      renew: () => {
        for (const one of pools) one.renew()
      },
      isAway: () => watch.away,
      log,
    })
  const conflicts = { lock_timeout: 0, deadlock: 0, serialization: 0, canceled: 0 }
  const countConflict = (error: unknown) => {
    const conflict = findConflict(error)
    if (conflict) conflicts[conflict]++
    if (!isCluster && isUnplanned(error)) noticeCluster()
    throw error
  }
  /** `places` has a connection for each place of the share. */
  function on(share: FairQueue, places: ReconnectingPool[]): Database['write'] {
    const idle = [...places]
    return async ({ account_id, via, first = via === 'web' }, work) => {
      await nodes?.check(account_id)
      const useConnection = async () => {
        // It may have waited long for the connection, which it would keep from other accounts.
        await nodes?.check(account_id)
        const one = idle.pop()!
        try {
          return await work(one.sql).then(null, countConflict)
        } finally {
          idle.push(one)
        }
      }
      return share.run(account_id, useConnection, { patience: patience[via], first })
    }
  }
  const write = on(shares.write, writers)
  const read = on(shares.read, readers)
  const brief = on(shares.brief, Array(maxBrief.ofAll).fill(briefReader))
  const slowAccounts = new Set<string>()

  async function readBriefly<T>(requester: Requester, work: OnConnection<T>): Promise<T> {
    const { account_id } = requester
    // A silent node would hold up the statements for all others.
    if (isCluster || slowAccounts.has(account_id)) return read(requester, work)
    try {
      return await brief(requester, work)
    } catch (error) {
      if (!isCanceled(error)) throw error
      slowAccounts.add(account_id)
      setTimeout(() => slowAccounts.delete(account_id), slowFor).unref()
      return read(requester, work)
    }
  }
  const behind = replica && openReplica(replica)

  function openReplica(connection: Connection) {
    const followers = singles(connection, readersInAll)
    const checks = pool(connection, 1)
    shares.replica = shareConnections(readersInAll)
    const drop = () => {
      for (const one of [...followers, checks]) one.drop()
    }
    const watch = watchReplica({ primary: directory.sql, replica: checks.sql, drop, log, now })
    const close = () =>
      Promise.all([
        watch.close(),
        checks.sql.end({ timeout: 0 }),
        ...followers.map(({ sql }) => sql.end({ timeout: 5 })),
      ])
    return { watch, read: on(shares.replica, followers), close }
  }

  let nodes = openNodes()

  function openNodes() {
    if (!watched || !isCluster) return null
    const ofNodes = pool(signIns.directory, 20)
    pools.push(ofNodes)
    return watchNodes(ofNodes.sql, log, () => {
      for (const one of forRequests) one.drop()
    })
  }

  /** `lead-engine distribute` placed the tables: connections from before cannot plan their statements. */
  function noticeCluster() {
    isCluster = true
    for (const one of pools) one.renew()
    nodes = openNodes()
    log('The tables are placed on the nodes of a Citus cluster.')
  }
  const announcer = openAnnouncer((accountIds) => notifyLeadsChanged(directory.sql, accountIds))
  return {
    async write(requester, work) {
      const done = await write(requester, work).catch((error) => {
        writes?.note(error)
        throw error
      })
      if (!requester.silent) announcer.changed(requester.account_id)
      return done
    },
    read,
    readBriefly,
    async readReplica(requester, work) {
      if (!behind?.watch.isUsed) return read(requester, work)
      try {
        return await behind.read(requester, work)
      } catch (error) {
        if (isAway(error)) behind.watch.setAway()
        // A replica also ends statements that read rows which the primary has removed since. While it hangs, and this is not
        // known yet, none of its connections becomes free.
        else if (!isDeadlock(error) && !(error instanceof Busy)) throw error
        return read(requester, work)
      }
    },
    together: runTogether(),
    directory: directory.sql,
    lookup: lookup.sql,
    shares,
    conflicts,
    cache: directoryCache(watch),
    watch,
    writes,
    replica: behind?.watch ?? null,
    get nodes() {
      return nodes
    },
    get isDirectoryReadOnly() {
      return nodes?.directoryAway === true
    },
    close: async () => {
      clearInterval(renewing)
      await announcer.close()
      await Promise.all([behind?.close(), writes?.close()])
      await Promise.all([watch?.close(), nodes?.close(), ...pools.map(({ sql }) => sql.end({ timeout: 5 }))])
    },
  }
}

type Settings = Record<string, string | number>
type PoolOptions = Options<Record<never, never>> & { socket?: () => Socket }

// Otherwise PostgreSQL plans each list with a parameter in LIMIT again, which halves the throughput.
const genericPlans = { plan_cache_mode: 'force_generic_plan' }

/** Of statements of the service, in milliseconds. */
export const timeLimits = { statement_timeout: 30_000, lock_timeout: 2000 }

// While there are few users, PostgreSQL would read all of them for each lead of a list.
const briefSettings = { ...timeLimits, statement_timeout: longestBrief, enable_seqscan: 'off' }

/** Opens a pool for a role of the service. */
export function openPool(connection: Connection, options: PoolOptions = {}, settings: Settings = timeLimits): Sql {
  return open(connection, options, { ...(connection.isCluster ? sessionSettings : genericPlans), ...settings })
}

/**
 * Opens a pool for the owner of the tables, without a time limit for migrations. `end` clears the password: the driver
 * keeps a reference to the ended pool.
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
  { host, port, isCluster: _, ...connection }: Omit<Connection, 'password'> & { password: string | (() => string) },
  options: PoolOptions,
  settings: Settings,
): Sql {
  const isFolder = host.startsWith('/')
  const sql = postgres({
    ...connection,
    // As a list, which the types do not declare: the driver splits a string at colons.
    host: (isFolder ? host : [host]) as string,
    port: (isFolder ? port : [port]) as number,
    connect_timeout: 2,
    // Reconnects at once: a longer pause would only delay requests.
    backoff: () => 0.05,
    onnotice: () => {},
    fetch_types: false,
    types: arrayTypes,
    ...options,
    connection: {
      application_name: 'lead-engine',
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      // As a string: the driver omits a setting that is false.
      jit: 'off',
      idle_in_transaction_session_timeout: 30_000,
      ...settings,
    },
  })
  return guardTransactions(sql)
}
