import type { FairQueue } from '../queue/fair-queue.ts'
import { openAnnouncer } from './announce.ts'
import { type BatchByKey, createBatchByKey } from './batch-by-key.ts'
import { type Cache, directoryCache } from './cache.ts'
import { followPlacement, type Placement } from './cluster/follow-placement.ts'
import type { Nodes } from './cluster/nodes.ts'
import { planSettings } from './cluster/settings.ts'
import { Busy, type Conflict, findConflict, isAway, isCanceled, isDeadlock, Unavailable } from './errors.ts'
import { type Connection, openPool as openWith, type Pool, type PoolOptions, type Settings } from './pool.ts'
import { type Replica, watchReplica } from './replica.ts'
import { shareConnections } from './share.ts'
import type { Sql } from './sql.ts'
import { notifyLeadsChanged, notifyRinging, type Watch, watchDatabase } from './watch.ts'
import { type Writes, watchWrites } from './watch-writes.ts'

export type { Connection } from './pool.ts'

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
  /** Announces to open pages of these users, at most 50, that a call rings or has changed, or that a lead came. Call it after the commit. */
  announceToUsers(accountId: string, userIds: readonly string[]): void
  batchByKey: BatchByKey
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
  user_id?: string | null
  /** The id of the page that sends the request, and refreshes by itself what it changes. Background jobs have none. */
  page_id?: string | undefined
  /** It writes nothing that lists or figures show: there is nothing to announce. */
  silent?: true
  /** Others wait for it, so it has its turn before other work of the account, like people in the web app. */
  first?: true
}

const maxRung = 50

type OnConnection<T> = (sql: Sql) => PromiseLike<T>

/** How long a request waits for a connection, in milliseconds. Webhook senders wait longer than users. */
export const connectionTimeoutMs = { api_key: 5000, web: 5000, webhook: 8000, command: 30_000 } satisfies Record<
  Requester['via'],
  number
>

/** How many of the connections for requests are for reading only. */
const readersOf = (poolSize: number) => Math.max(2, Math.floor(poolSize * 0.4))

/** So many brief reads are under way at a time, and so many of one account: each waits for those before it. */
const maxBrief = { ofAll: 16, ofAccount: 4 }

/**
 * A brief read that takes longer, in milliseconds, is ended, because it delays those behind it, and repeated on a connection of its
 * own. For a minute, all reads of its account get one.
 */
const maxBriefMs = 200
const slowFor = 60_000

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
  const sizes = sizesOf(poolSize)
  const { readers, briefReader, writers, directory, lookup, pools, placement, open } = openPools(signIns, sizes, {
    watched,
    log,
  })
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
  watch?.onAway((away) => {
    if (away) for (const share of [shares.read, shares.brief, shares.write]) share.rejectWaiting(new Unavailable())
    // Silent connections may never recover, and requests on them would wait forever.
    if (away === 'silent') for (const one of pools) one.drop()
  })
  const writes =
    watch &&
    watchWrites({
      directory,
      openNew: () => openPool({ ...signIns.app, isCluster: placement.isPlaced }, { max: 1, connect_timeout: 1 }),
      renew: () => {
        for (const one of pools) one.renew()
      },
      watch,
      log,
    })
  const conflicts = { lock_timeout: 0, deadlock: 0, serialization: 0, canceled: 0 }
  const noteError = (error: unknown) => {
    const conflict = findConflict(error)
    if (conflict) conflicts[conflict]++
    placement.note(error)
  }
  const on = (share: FairQueue, sql: Pool) => sharedPool(share, sql, placement, noteError)
  const write = on(shares.write, writers)
  const read = on(shares.read, readers)
  const behind = replica && openReplica()

  function openReplica() {
    const size = sizes.read + 1
    const [followers, checks] = [open(replica!, size), open(replica!, 1)]
    shares.replica = shareConnections(size)
    const drop = () => {
      for (const one of [followers, checks]) one.drop()
    }
    const watch = watchReplica({ primary: directory, replica: checks, drop, log, now })
    const close = () => Promise.all([watch.close(), checks.end({ timeout: 0 }), followers.end({ timeout: 5 })])
    return { watch, read: on(shares.replica, followers), close }
  }
  const changes = openAnnouncer((keys) => notifyLeadsChanged(directory, keys))
  const ringing = openAnnouncer((keys) => notifyRinging(directory, keys))
  return {
    async write(requester, work) {
      const done = await write(requester, work).catch((error) => {
        writes?.note(error)
        throw error
      })
      const { account_id, page_id, silent } = requester
      if (!silent) changes.announce(page_id ? `${account_id} ${page_id}` : account_id)
      return done
    },
    read,
    readBriefly: brieflyOr(read, on(shares.brief, briefReader), placement),
    readReplica: behind ? replicaOr(read, behind) : read,
    announceToUsers(accountId, userIds) {
      for (const userId of userIds.slice(0, maxRung)) ringing.announce(`${accountId} ${userId}`)
    },
    batchByKey: createBatchByKey(),
    directory,
    lookup,
    shares,
    conflicts,
    cache: directoryCache(watch),
    watch,
    writes,
    replica: behind?.watch ?? null,
    get nodes() {
      return placement.nodes
    },
    get isDirectoryReadOnly() {
      return placement.nodes?.directoryAway === true
    },
    close: async () => {
      await Promise.all([changes.close(), ringing.close()])
      await Promise.all([behind?.close(), writes?.close()])
      await Promise.all([watch?.close(), placement.nodes?.close(), ...pools.map((one) => one.end({ timeout: 5 }))])
    },
  }
}

type Run = Database['read']

interface Sizes {
  read: number
  write: number
}

/** One connection for reading is for brief reads. */
function sizesOf(poolSize: number): Sizes {
  const readers = readersOf(poolSize)
  return { read: readers - 1, write: poolSize - readers }
}

/** Opens the connections of the service. `pools` are all, also those that follow when the tables are placed on a cluster. */
function openPools(
  signIns: SignIns,
  sizes: Sizes,
  { watched, log }: { watched: boolean; log: (message: string) => void },
) {
  const pools: Pool[] = []
  const add = (pool: Pool) => {
    pools.push(pool)
    return pool
  }
  const placement = followPlacement({
    isPlaced: signIns.directory.isCluster === true,
    isWatched: watched,
    openPool: () => add(openPool({ ...signIns.directory, isCluster: true }, { max: 20 })),
    dropForRequests: () => {
      for (const one of forRequests) one.drop()
    },
    drop: () => {
      for (const one of pools) one.drop()
    },
    log,
  })
  const open = (connection: Connection, max: number, settings: Settings = timeLimits) =>
    openWith(connection, () => settingsOf(placement.isPlaced, settings), { max })
  const readers = add(open(signIns.app, sizes.read))
  const briefReader = add(open(signIns.app, 1, briefSettings))
  const writers = add(open(signIns.app, sizes.write))
  const directory = add(open(signIns.directory, 4))
  const forRequests = [readers, briefReader, writers, directory]
  const lookup = add(open(signIns.directory, 2))
  return { readers, briefReader, writers, directory, lookup, pools, placement, open }
}

/** Runs work on a pool, within the account's share of it. */
function sharedPool(share: FairQueue, sql: Pool, placement: Placement, noteError: (error: unknown) => void): Run {
  return async ({ account_id, via, first = via === 'web' }, work) => {
    await placement.nodes?.check(account_id)
    const useConnection = async () => {
      // It may have waited long for the connection, which it would keep from other accounts.
      await placement.nodes?.check(account_id)
      return work(sql).then(null, (error) => {
        noteError(error)
        throw error
      })
    }
    return share.run(account_id, useConnection, { timeoutMs: connectionTimeoutMs[via], first })
  }
}

/** Reads briefly, or as `read` if that takes too long. */
function brieflyOr(read: Run, brief: Run, placement: Placement): Run {
  const slowAccounts = new Set<string>()
  return async (requester, work) => {
    const { account_id } = requester
    // A silent node would hold up the statements for all others.
    if (placement.isPlaced || slowAccounts.has(account_id)) return read(requester, work)
    try {
      return await brief(requester, work)
    } catch (error) {
      if (!isCanceled(error)) throw error
      slowAccounts.add(account_id)
      setTimeout(() => slowAccounts.delete(account_id), slowFor).unref()
      return read(requester, work)
    }
  }
}

/** Reads from the replica while it keeps up, or as `read`. */
function replicaOr(read: Run, behind: { watch: Replica; read: Run }): Run {
  return async (requester, work) => {
    if (!behind.watch.isUsed) return read(requester, work)
    try {
      return await behind.read(requester, work)
    } catch (error) {
      if (isAway(error)) behind.watch.setAway()
      // A replica also ends statements that read rows which the primary has removed since. While it hangs, and this is not
      // known yet, none of its connections becomes free.
      else if (!isDeadlock(error) && !(error instanceof Busy)) throw error
      return read(requester, work)
    }
  }
}

/** Time limits of the service's statements, in milliseconds. */
export const timeLimits = { statement_timeout: 30_000, lock_timeout: 2000 }

// While there are few users, PostgreSQL would read all of them for each lead of a list.
const briefSettings = { ...timeLimits, statement_timeout: maxBriefMs, enable_seqscan: 'off' }

export const always = {
  application_name: 'lead-engine',
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  jit: 'off',
  idle_in_transaction_session_timeout: 30_000,
}

const settingsOf = (isCluster: boolean | undefined, settings: Settings) => ({
  ...always,
  ...planSettings(isCluster),
  ...settings,
})

/** Opens a pool for a role of the service. */
export function openPool(connection: Connection, options: PoolOptions = {}, settings: Settings = timeLimits): Pool {
  return openWith(connection, () => settingsOf(connection.isCluster, settings), options)
}

/** Opens a pool for the owner of the tables, without a time limit for migrations, whatever its role has. */
export function openAsOwner(connection: Connection, options: PoolOptions = {}): Pool {
  return openWith(connection, () => ({ ...always, statement_timeout: 0, lock_timeout: 0 }), options)
}

/** Runs `work` with one connection of the owner, and closes it. */
export async function asOwner<T>(connection: Connection, work: (sql: Pool) => Promise<T>): Promise<T> {
  const sql = openAsOwner(connection, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
