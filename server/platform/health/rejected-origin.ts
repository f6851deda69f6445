import type { FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { isOwnElsewhere } from '../http/origins.ts'
import type { ServiceView } from './proof.ts'

type Rejected = ServiceView['rejected_origin']

/**
 * Counts rejected changes, and remembers the newest, from pages that this service itself served under another URL than BASE_URL, with
 * their host in Origin and Host: there, no user can sign in.
 */
export function rememberRejectedOrigin(app: FastifyInstance, metrics: Registry, baseUrl: string): () => Rejected {
  let rejected: Rejected = null
  const counter = new Counter({
    name: 'lead_engine_rejected_origins_total',
    help: 'Changes from pages of the web app that were opened under another URL than BASE_URL',
    registers: [metrics],
  })
  app.addHook('onResponse', async ({ headers: { origin }, host }, reply) => {
    if (reply.statusCode !== 403 || !isOwnElsewhere(baseUrl, origin, host)) return
    rejected = { origin, at: new Date().toISOString() }
    counter.inc()
  })
  return () => rejected
}
