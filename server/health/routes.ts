import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../database/connect.ts'
import { schemaState } from '../database/migrate.ts'
import { answer } from '../http/answer-problems.ts'
import type { IpList } from '../http/ip-list.ts'
import { notFound, unavailable } from '../http/problem.ts'
import { observeConnections, observeRequests } from './metrics.ts'

/** For load balancers and monitors: the process lives, and the figures of all requests. */
export function healthRoutes(app: FastifyInstance, database: Database, metricsFrom: IpList | null) {
  const metrics = observeRequests(app)
  observeConnections(metrics, database)
  app.decorate('metrics', metrics)

  app.get('/healthz', async () => ({ status: 'alive' }))

  app.get('/metrics', async (request, reply) => {
    // What a proxy passes on comes from outside, whatever the address of the proxy.
    const direct = request.headers['x-forwarded-for'] === undefined
    if (!direct || !metricsFrom?.includes(request.socket.remoteAddress ?? '')) {
      return answer(reply, notFound('There is nothing at this address. METRICS_FROM says who may read the metrics.'))
    }
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

/** The database answers, its schema is the one that this program works with, and requests get connections. */
export function readiness(app: FastifyInstance, database: Database) {
  app.get('/readyz', async () => {
    const asked = Promise.all([
      schemaState(database.lookup),
      database.read(probe, (sql) => sql`select 1`),
      database.write(probe, (sql) => sql`select 1`),
    ])
    const [schema] = await Promise.race([asked, setTimeout(answerWithin, [null] as const, { ref: false })])
    // It may yet fail after its time.
    asked.catch(() => {})
    if (schema?.is !== 'current') throw unavailable()
    return { status: 'ready' }
  })
}

const answerWithin = 1000
/** Asks for connections as an account would. */
const probe = { account_id: 'readiness', via: 'web' } as const

declare module 'fastify' {
  interface FastifyInstance {
    /** Whatever else the process measures is registered here. */
    metrics: Registry
  }
}
