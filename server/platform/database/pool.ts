import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Rows, type Send, type Sql, type TransactionSql, tagOf } from './sql.ts'

/** The server, database and role of a connection. */
export interface Connection {
  /** A host name, an IP address, or the folder of a socket. */
  host: string
  port: number
  username: string
  password: string
  database: string
  ssl?: 'prefer' | Exclude<pg.ClientConfig['ssl'], boolean>
  /** It is the coordinator of a cluster, and the rows are on its nodes. */
  isCluster?: boolean
}

/** Settings of a session. */
export type Settings = Record<string, string | number>

export interface PoolOptions {
  max?: number
  /** In seconds. */
  connect_timeout?: number
  /** Whether statements stay prepared. */
  prepare?: boolean
  onnotify?: (channel: string, payload: string) => void
  onclose?: () => void
}

export interface Pool extends Sql {
  /** Closes all connections and fails their statements. */
  drop(): void
  /** Closes each connection after its statements, and sends new ones on a new connection. */
  renew(): void
  /** The bytes received on all connections so far. */
  heard(): number
}

const whole = 1e9

/** Opened when a statement needs it, and again when it was lost. */
interface Place {
  client: Promise<Client> | null
  /** How many statements are under way; `whole` for a transaction. */
  load: number
}

/** Opens a pool. Statements outside of transactions follow one another on its connections, without waiting for answers. */
export function openPool(
  { username: user, ssl, ...connection }: Connection,
  settings: () => Settings,
  { max = 10, connect_timeout = 2, prepare = true, onnotify, onclose }: PoolOptions,
): Pool {
  const places = Array.from({ length: max }, (): Place => ({ client: null, load: 0 }))
  const waiting: { load: number; start: (place: Place) => void }[] = []
  const clients = new Set<Client>()
  const config = {
    ...connection,
    user,
    types,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connect_timeout * 1000,
  }
  let tls = ssl === 'prefer' ? { rejectUnauthorized: false } : (ssl ?? false)
  let heardOnClosed = 0
  let ending: Promise<void> | null = null

  function startWaiting() {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const place = places.reduce((least, one) => (one.load < least.load ? one : least))
      if (place.load > whole - next.load) return
      waiting.shift()
      place.load += next.load
      next.start(place)
    }
  }

  async function connect(place: Place): Promise<Client> {
    const client = Object.assign(new Client({ ...config, ssl: tls }), { settings: settings() })
    const lose = () => {
      if (!clients.delete(client)) return
      client.socket.destroy()
      heardOnClosed += client.socket.bytesRead
      if (!client.isReplaced) place.client = null
      onclose?.()
    }
    clients.add(client)
    client.on('error', lose).on('end', lose)
    client.on('notification', ({ channel, payload = '' }) => onnotify?.(channel, payload))
    try {
      await client.connect()
      // A role or the database may have another one. PgBouncer accepts it at the start of a connection only if it is configured to.
      await client.send('set search_path = public')
      return client
    } catch (error) {
      lose()
      const problem = lost(error)
      if (ssl !== 'prefer' || problem.code !== withoutTls) throw problem
      tls = false
      place.client = connect(place)
      return place.client
    }
  }

  function reserve(load: number): Promise<Place> {
    const { promise, resolve: start } = Promise.withResolvers<Place>()
    waiting.push({ load, start })
    startWaiting()
    return promise
  }

  async function using<T>(load: number, work: (client: Client) => Promise<T>): Promise<T> {
    if (ending) throw lost(new Error('the pool has ended'))
    const place = await reserve(load)
    let client: Client | null = null
    try {
      place.client ??= connect(place)
      client = await place.client
      client.load += load
      return await work(client)
    } finally {
      if (client) {
        client.load -= load
        endReplaced(client)
      }
      place.load -= load
      startWaiting()
    }
  }

  /** Waits for the statements under way, for so many seconds. */
  async function finish(timeout: number) {
    const wait = (seconds: number) => sleep(seconds * 1000, undefined, { ref: false })
    await Promise.race([Promise.all(places.map(() => reserve(whole))), wait(timeout)])
    await Promise.race([Promise.all([...clients].map((client) => client.end())), wait(0.1)])
    drop()
  }

  function renew() {
    for (const place of places) {
      const replaced = place.client
      place.client = null
      // One that cannot connect is reported to its statement.
      replaced?.then(
        (client) => {
          client.isReplaced = true
          endReplaced(client)
        },
        () => {},
      )
    }
  }

  function endReplaced(client: Client) {
    if (client.isReplaced && client.load === 0) client.end().catch(() => {})
  }

  function drop() {
    for (const { socket } of clients) socket.destroy()
  }

  const send: Send = (text, values, isFrequent) => {
    const sent = () => using(1, (client) => client.send(text, values, isFrequent && prepare))
    return sent().catch((error) => (isOutdated(error) ? sent() : Promise.reject(error)))
  }
  return tagOf<Pool>(send, {
    begin: <T>(...given: [Work<T>] | [string, Work<T>]) => {
      const [mode, work] = given.length === 2 ? given : ['', given[0]]
      return using(whole, (client) => inBlock(client, [`begin ${mode}`, 'commit', 'rollback'], work))
    },
    end: ({ timeout = 1e6 } = {}) => (ending ??= finish(timeout)),
    drop,
    renew,
    heard: () => [...clients].reduce((sum, { socket }) => sum + socket.bytesRead, heardOnClosed),
  })
}

class Client extends pg.Client {
  settings: Settings = {}
  /** How many statements are under way, as of its place. */
  load = 0
  /** Another connection has its place. */
  isReplaced = false

  /** The driver would send most settings as `options`, which poolers reject. */
  getStartupConf() {
    const texts = Object.entries(this.settings).map(([name, value]) => [name, String(value)])
    return { user: this.user, database: this.database, ...Object.fromEntries(texts) }
  }

  get socket() {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream
  }

  async send(text: string, values: unknown[] = [], isPrepared = false): Promise<Rows> {
    const name = isPrepared ? nameOf(text) : ''
    try {
      const result: pg.QueryResult | pg.QueryResult[] = await this.query({ text, values, name })
      const { rows, rowCount } = Array.isArray(result) ? result.at(-1)! : result
      return Object.assign(rows, { count: rowCount ?? 0 })
    } catch (error) {
      if (isOutdated(error)) this.emit('error', error)
      throw this.socket.destroyed ? lost(error) : error
    }
  }
}

/** A migration changed what a prepared statement returns: it can be prepared again on another connection. */
const isOutdated = (error: unknown) => (error as { routine?: string }).routine === 'RevalidateCachedQuery'

const withoutTls = 'SERVER_WITHOUT_TLS'

/** The driver gives some errors of connections no code. */
function lost(error: unknown): Error & { code: string } {
  const { code, message } = error as Error & { code?: string }
  if (code) return error as Error & { code: string }
  const known = { 'timeout expired': 'CONNECT_TIMEOUT', 'The server does not support SSL connections': withoutTls }
  const rejected = message.startsWith('SASL') ? '28P01' : 'CONNECTION_CLOSED'
  return Object.assign(error as Error, { code: known[message as keyof typeof known] ?? rejected })
}

/** Each takes memory of PostgreSQL for each connection: more statements are parsed each time. */
const maxPrepared = 1000
const names = new Map<string, string>()

function nameOf(text: string): string {
  if (!names.has(text) && names.size < maxPrepared) names.set(text, `s${names.size}`)
  return names.get(text) ?? ''
}

const asDate = (text: string) => new Date(text)
const parsers = new Map<number, (text: string) => unknown>([1082, 1114, 1184].map((type) => [type, asDate]))
for (const type of [16, 17, 21, 23, 26, 114, 700, 701, 1009, 2951, 3802])
  parsers.set(type, pg.types.getTypeParser(type))
/** Other types, such as bigint and numeric, stay text. */
const types = { getTypeParser: (type: number) => parsers.get(type) ?? String }

type Work<T> = (tx: TransactionSql) => PromiseLike<T>

/** Runs `work` between commands. Nothing is sent after it, on a connection that another transaction uses by then. */
async function inBlock<T>(client: Client, [first, last, undo]: [string, string, string], work: Work<T>): Promise<T> {
  let isOver = false
  let failure: unknown
  await client.send(first)
  const tx = tagOf<TransactionSql & { client: Client }>(
    async (text, values, isFrequent) => {
      if (isOver) throw lost(new Error('the transaction has ended'))
      return client.send(text, values, isFrequent).catch((error) => {
        failure ??= error
        throw error
      })
    },
    {
      client,
      savepoint: <T>(part: Work<T>) => inBlock(client, ['savepoint part', 'release part', 'rollback to part'], part),
    },
  )
  try {
    const done = await work(tx)
    if (failure) throw failure
    isOver = true
    await client.send(last)
    return done
  } catch (error) {
    isOver = true
    await client.send(undo).catch(() => {})
    throw failure && followsFailure(error) ? failure : error
  }
}

/** Statements that were sent together fail after the first of them: the transaction is aborted, or lacks what that one prepared. */
const followsFailure = (error: unknown) => ['25P02', '26000'].includes((error as { code: string }).code)

/** Returns the connection of a transaction, for COPY. */
export const clientOf = (tx: TransactionSql) => (tx as unknown as { client: pg.Client & { pipeline: boolean } }).client
