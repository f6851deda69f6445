import { X509Certificate } from 'node:crypto'
import { readFile, statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/connect.ts'
import type { Replica } from '../database/replica.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { Mailer } from '../mail/mailer.ts'
import { commit, version } from '../program-version.ts'

/** Measures every request by its declared route: the URL itself may contain a token. */
export function observeRequests(app: FastifyInstance): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'lead_engine_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  gauge(registry, {
    name: 'lead_engine_build_info',
    help: 'The version of the program and its commit; always 1',
    labelNames: ['version', 'commit'],
    read: (set) => set(1, { version, commit: commit ?? '' }),
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    if (routeOptions.config.isStream && reply.statusCode === 200) return done()
    seconds.observe(
      { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
  return registry
}

/** Measures the connections for requests, the requests that wait for one, conflicts, and outages. */
export function observeDatabase(registry: Registry, database: Watched): void {
  const { shares, conflicts, watch, replica } = database
  const pools = Object.entries(shares)
  const ofPools = (name: string, help: string, figure: 'max' | 'running' | 'waiting') =>
    gauge(registry, {
      name,
      help,
      labelNames: ['pool'],
      read: (set) => {
        for (const [pool, { figures }] of pools) set(figures[figure], { pool })
      },
    })
  ofPools('lead_engine_database_connections', 'Connections that requests may use', 'max')
  ofPools('lead_engine_database_in_use', 'Connections that requests use now', 'running')
  ofPools('lead_engine_database_waiting', 'Requests that wait for a connection now', 'waiting')
  counter(registry, {
    name: 'lead_engine_database_refused_total',
    help: 'Requests that got no connection in time',
    labelNames: ['pool'],
    read: (set) => {
      for (const [pool, { figures }] of pools) set(figures.rejected, { pool })
    },
  })
  counter(registry, {
    name: 'lead_engine_database_conflicts_total',
    help: 'Statements that failed because of another transaction (lock_timeout, deadlock, serialization) or took too long (canceled)',
    labelNames: ['kind'],
    read: (set) => {
      for (const [kind, n] of Object.entries(conflicts)) set(n, { kind })
    },
  })
  let outages = 0
  let wasAway = false
  // An outage may change its kind.
  watch?.onAway((away) => {
    if (away && !wasAway) outages++
    wasAway = away !== null
  })
  gauge(registry, {
    name: 'lead_engine_database_up',
    help: 'Whether the database answers: 1 or 0',
    read: (set) => set(watch?.away ? 0 : 1),
  })
  gauge(registry, {
    name: 'lead_engine_database_writable',
    help: 'Whether the database accepts writes: 1 or 0',
    read: (set) => set(watch?.away || database.writes?.unwritable ? 0 : 1),
  })
  counter(registry, {
    name: 'lead_engine_database_outages_total',
    help: 'How often the database stopped answering',
    read: (set) => set(outages),
  })
  if (replica) observeReplica(registry, replica)
  gauge(registry, {
    name: 'lead_engine_database_nodes_up',
    help: 'Whether all machines of a cluster answer: 1 or 0; missing on one PostgreSQL',
    read: (set) => {
      if (database.nodes) set(database.nodes.directoryAway ? 0 : 1)
    },
  })
}

type Watched = Pick<Database, 'shares' | 'conflicts' | 'watch' | 'writes' | 'replica' | 'nodes'>

export function observeReplica(registry: Registry, replica: Pick<Replica, 'isUsed' | 'lag'>): void {
  gauge(registry, {
    name: 'lead_engine_replica_used',
    help: 'Whether the overview and exports are read from the replica: 1 or 0',
    read: (set) => set(replica.isUsed ? 1 : 0),
  })
  gauge(registry, {
    name: 'lead_engine_replica_lag_seconds',
    help: 'How far the replica is behind at most; missing while it does not answer',
    read: (set) => {
      if (replica.lag !== null) set(replica.lag)
    },
  })
}

/** Measures whether Redis counts the requests of all processes together. Nothing without Redis. */
export function observeRedis(registry: Registry, limits: Pick<RateLimits, 'redis'>): void {
  if (!limits.redis) return
  gauge(registry, {
    name: 'lead_engine_redis_up',
    help: 'Whether Redis answers: 1 or 0',
    read: (set) => set(limits.redis?.up ? 1 : 0),
  })
  counter(registry, {
    name: 'lead_engine_redis_fallbacks_total',
    help: 'Requests that were counted in memory because Redis did not answer',
    read: (set) => set(limits.redis?.fallbacks ?? 0),
  })
}

/** Counts emails that were sent and that failed. */
export function observeMail(registry: Registry, mailer: Mailer | null): Mailer | null {
  if (!mailer) return null
  const emails = new Counter({
    name: 'lead_engine_emails_total',
    help: 'Emails by outcome: sent or failed',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  for (const outcome of ['sent', 'failed']) emails.inc({ outcome }, 0)
  return {
    ...mailer,
    async send(email) {
      try {
        await mailer.send(email)
        emails.inc({ outcome: 'sent' })
      } catch (error) {
        emails.inc({ outcome: 'failed' })
        throw error
      }
    },
  }
}

/** Measures the disk of each folder, by a name that says what it contains. Null is a folder that is not used. */
export function observeDisks(registry: Registry, folders: Record<string, string | null>): void {
  const measure = (name: string, help: string, blocks: 'blocks' | 'bavail') =>
    gauge(registry, {
      name,
      help,
      labelNames: ['folder'],
      read: async (set) => {
        for (const [folder, path] of Object.entries(folders)) {
          const disk = path && (await statfs(path).catch(() => null))
          if (disk) set(disk.bsize * disk[blocks], { folder })
        }
      },
    })
  measure('lead_engine_disk_bytes', 'Size of the disk of a folder', 'blocks')
  measure('lead_engine_disk_free_bytes', 'Free bytes on the disk of a folder', 'bavail')
}

/** Measures how long the certificate of TLS_CERT_FILE is valid. Nothing is measured while the file cannot be read. */
export function observeCertificate(registry: Registry, certFile: string): void {
  gauge(registry, {
    name: 'lead_engine_certificate_expiry_timestamp_seconds',
    help: 'When the certificate in TLS_CERT_FILE expires',
    read: async (set) => {
      const found = await readFile(certFile)
        .then((pem) => new X509Certificate(pem))
        .catch(() => null)
      if (found) set(Date.parse(found.validTo) / 1000)
    },
  })
}

interface Measured {
  name: string
  help: string
  labelNames?: string[]
  read(set: (value: number, labels?: Record<string, string>) => void): void | Promise<void>
}

/** A gauge that is read when the metrics are. */
const gauge = (registry: Registry, measured: Measured) => new Gauge(readLate(registry, measured))

/** A counter whose value is kept elsewhere. */
const counter = (registry: Registry, measured: Measured) => new Counter(readLate(registry, measured))

function readLate(registry: Registry, { read, ...named }: Measured) {
  return {
    ...named,
    registers: [registry],
    collect(this: Gauge | Counter) {
      this.reset()
      return read((value, labels = {}) => ('set' in this ? this.set(labels, value) : this.inc(labels, value)))
    },
  }
}
