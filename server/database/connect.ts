import postgres, { type Options, type Sql } from 'postgres'
import { type Memory, rememberDirectory } from './memory.ts'
import { type Watch, watchDatabase } from './watch.ts'

/** How PostgreSQL is reached: the embedded one's, or what DATABASE_URL says. */
export interface Connection {
  /** A name, an address, or the folder of a socket. */
  host: string
  port: number
  username: string
  password: string
  database: string
  ssl?: Options<Record<never, never>>['ssl']
}

/** The roles of migration 5. The owner is whoever the connection signs in as; it is used by migrations alone. */
type Role = 'lead_engine_app' | 'lead_engine_directory'

export interface Database {
  /** The one way from an account to its connections, so that an account can be moved to a node of its own later. */
  of(accountId: string): Sql
  /** Finds out who is asking, before the account is known. Cannot see a lead. */
  directory: Sql
  memory: Memory
  /** Whether the database answers. Commands that end after one question do without. */
  watch: Watch | null
  close(): Promise<void>
}

export function connect(connection: Connection, { watched = true } = {}): Database {
  const app = openPool(connection, 'lead_engine_app', { max: 10 })
  const directory = openPool(connection, 'lead_engine_directory', { max: 4 })
  const watch = watched ? watchDatabase((options) => openPool(connection, 'lead_engine_directory', options)) : null
  return {
    of: () => app,
    directory,
    memory: rememberDirectory(watch),
    watch,
    close: async () => {
      await Promise.all([watch?.close(), app.end({ timeout: 5 }), directory.end({ timeout: 5 })])
    },
  }
}

export function openPool(connection: Connection, role: Role | null, options: Options<Record<never, never>> = {}): Sql {
  return postgres({
    ...connection,
    connect_timeout: 2,
    // A database that went away is tried again at once: waiting longer would only keep requests waiting.
    backoff: () => 0.05,
    onnotice: () => {},
    ...options,
    connection: {
      application_name: 'lead-engine',
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      jit: false,
      // With parameters in LIMIT, PostgreSQL otherwise plans each list anew (design.md, "Answers leave as written").
      plan_cache_mode: 'force_generic_plan',
      idle_in_transaction_session_timeout: 30_000,
      ...(role ? { role, statement_timeout: 30_000 } : {}),
    },
  })
}

/** Reads DATABASE_URL, with the socket folder in `?host=` that libpq's addresses allow. */
export function connectionOf(databaseUrl: string): Connection {
  const url = new URL(databaseUrl)
  const query = url.searchParams
  const sslmode = query.get('sslmode')
  return {
    host: decodeURIComponent(query.get('host') ?? url.hostname) || 'localhost',
    port: Number(query.get('port') ?? (url.port || 5432)),
    username: decodeURIComponent(query.get('user') ?? url.username) || 'postgres',
    password: decodeURIComponent(query.get('password') ?? url.password),
    database: decodeURIComponent(query.get('dbname') ?? url.pathname.slice(1)) || 'postgres',
    ...(sslmode && sslmode !== 'disable' ? { ssl: sslmode as 'require' } : {}),
  }
}

const awayCodes = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH'],
  // Shutting down, crashed, starting up, too many connections, read-only after a failover, statement timed out.
  ...['57P01', '57P02', '57P03', '53300', '25006', '57014'],
])

/** The database is away, as against: it refused what was asked. */
export function isAway(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (awayCodes.has(code) || code.startsWith('08'))
}

export function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505'
}
