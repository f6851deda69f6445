import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/connect.ts'

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
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    seconds.observe(
      { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  return registry
}

/** Measures the connections for requests and the requests that wait for one. */
export function observeConnections(registry: Registry, { shares }: Pick<Database, 'shares'>): void {
  const pools = Object.entries(shares)
  const gauge = (name: string, help: string, figure: 'size' | 'in_use' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'] as const,
      registers: [registry],
      collect() {
        for (const [pool, { figures }] of pools) this.set({ pool }, figures[figure])
      },
    })
  gauge('lead_engine_database_connections', 'Connections that requests may use', 'size')
  gauge('lead_engine_database_in_use', 'Connections that requests use now', 'in_use')
  gauge('lead_engine_database_waiting', 'Requests that wait for a connection now', 'waiting')
  new Counter({
    name: 'lead_engine_database_refused_total',
    help: 'Requests that got no connection in time',
    labelNames: ['pool'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [pool, { figures }] of pools) this.inc({ pool }, figures.rejected)
    },
  })
}
