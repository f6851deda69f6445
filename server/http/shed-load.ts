import type { FastifyInstance } from 'fastify'
import { tryLater } from './problem.ts'

/** Requests of this process that are not answered yet. More of them would only make all wait longer. */
const mostUnderWay = 1500

/** Monitoring and load balancers must see the state of a process that is overloaded. */
const alwaysAnswered = new Set(['/healthz', '/readyz', '/metrics'])

/** Answers 503 at once while the process has more to do than it can answer soon. */
export function shedLoad(app: FastifyInstance, { most = mostUnderWay } = {}): void {
  let underWay = 0
  app.addHook('onRequest', async ({ routeOptions }, reply) => {
    underWay++
    reply.raw.once('close', () => underWay--)
    if (underWay > most && !alwaysAnswered.has(routeOptions.url ?? ''))
      throw tryLater('The service has too much to do just now. Try again in a moment.')
  })
}
