import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { schemaIsCurrent } from '../database/migrate.ts'
import type { AddressList } from '../http/address-list.ts'
import { answer } from '../http/answer-problems.ts'
import { notFound, unavailable } from '../http/problem.ts'
import { observeRequests } from './metrics.ts'

/** For load balancers and monitors: the process lives, and the figures of all requests. */
export function healthRoutes(app: FastifyInstance, metricsFrom: AddressList) {
  const metrics = observeRequests(app)

  app.get('/healthz', async () => ({ status: 'alive' }))

  app.get('/metrics', async (request, reply) => {
    // What a proxy passes on comes from outside, whatever the address of the proxy.
    const direct = request.headers['x-forwarded-for'] === undefined
    if (!direct || !metricsFrom.includes(request.socket.remoteAddress ?? '')) {
      return answer(reply, notFound('There is nothing at this address. METRICS_FROM says who may read the metrics.'))
    }
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

/** The database answers, and its schema is the one that this program works with. */
export function readiness(app: FastifyInstance, database: Database) {
  app.get('/readyz', async () => {
    if (!(await schemaIsCurrent(database.directory))) throw unavailable()
    return { status: 'ready' }
  })
}
