import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { affectedBy, servesNoAccount } from '../database/cluster/nodes.ts'
import type { Database } from '../database/connect.ts'
import { schemaState } from '../database/migrate.ts'
import { answer } from '../http/answer-problems.ts'
import type { IpList } from '../http/ip-list.ts'
import { notFound, tryLater, unavailable, unwritable } from '../http/problem.ts'
import { commit, version } from '../program-version.ts'
import { observeDatabase, observeRequests } from './metrics.ts'
import { isProof, proofHeader, type ServiceView } from './proof.ts'
import { rememberRejectedOrigin } from './rejected-origin.ts'

interface Options {
  baseUrl: string
  trustProxy: IpList | null
  metricsFrom: IpList | null
  /** By which doctor recognises this installation. */
  proof: string
  /** Returns the metrics of all processes of the service; null if this is the only one. */
  metricsOfAll: (() => Promise<string>) | null
}

const limits = '/proc/self/limits'
const maxFiles = existsSync(limits)
  ? Number(/^Max open files +(\d+)/m.exec(readFileSync(limits, 'utf8'))?.[1]) || null
  : null

/** Liveness and metrics, for load balancers and monitoring. */
export function healthRoutes(app: FastifyInstance, database: Database, options: Options) {
  const { baseUrl, trustProxy, metricsFrom, proof, metricsOfAll } = options
  const metrics = observeRequests(app)
  observeDatabase(metrics, database)
  app.decorate('metrics', metrics)
  const rejectedOrigin = rememberRejectedOrigin(app, metrics, baseUrl)

  app.get('/healthz', async ({ headers, socket }) => {
    if (!isProof(headers[proofHeader], proof)) return { status: 'alive' }
    const peer = socket.remoteAddress ?? ''
    const seen: ServiceView = {
      base_url: baseUrl,
      peer,
      trusted: trustProxy?.includes(peer) ?? false,
      forwarded: headers['x-forwarded-for'] !== undefined,
      max_files: maxFiles,
      rejected_origin: rejectedOrigin(),
    }
    return { status: 'alive', seen }
  })

  app.get('/metrics', async (request, reply) => {
    // A forwarded request comes from outside, even if the IP of the proxy is allowed.
    const direct = request.headers['x-forwarded-for'] === undefined
    if (!direct || !metricsFrom?.includes(request.socket.remoteAddress ?? '')) {
      return answer(
        reply,
        notFound('There is nothing at this URL. METRICS_FROM lists the IPs that may read the metrics.'),
      )
    }
    const text = metricsOfAll
      ? await metricsOfAll().catch(() => {
          throw tryLater('The primary process of the service does not answer just now.')
        })
      : await metrics.metrics()
    return reply.type(metrics.contentType).send(text)
  })
}

/**
 * Ready means: the database answers and accepts writes, its schema is current, and requests get connections. `affected` names what fails while
 * the rest is served: a load balancer must not stop what works.
 */
export function readiness(app: FastifyInstance, database: Database) {
  app.get('/readyz', async () => {
    const asked = Promise.all([
      schemaState(database.lookup),
      database.read(probe, (sql) => sql`select 1`),
      database.write(probe, (sql) => sql`select 1`),
    ])
    const [schema] = await Promise.race([asked, setTimeout(answerWithin, [null] as const, { ref: false })])
    // It may still fail after the time limit.
    asked.catch(() => {})
    if (database.writes?.unwritable) throw unwritable(database.writes.unwritable)
    if (schema && schema.is !== 'current')
      throw tryLater(`The database has the schema of another version (${schema.is}). Run lead-engine doctor.`)
    if (!schema || servesNoAccount(database.nodes)) throw unavailable()
    return { status: 'ready', version, commit, ...affectedBy(database.nodes) }
  })
}

const answerWithin = 1000
/** Takes connections as the requests of an account do. */
const probe = { account_id: 'readiness', via: 'web', silent: true } as const

declare module 'fastify' {
  interface FastifyInstance {
    /** Other metrics of the process are registered here. */
    metrics: Registry
  }
}
