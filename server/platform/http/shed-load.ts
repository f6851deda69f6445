import { msg } from '@lingui/core/runtime-macro'
import type { FastifyInstance } from 'fastify'
import { polledRoutes } from './log-line.ts'
import { tryLater } from './problem.ts'

/** Requests of this process that are not answered yet. More of them would only make all wait longer. */
export const maxRunningRequests = 4000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer lasts as long as the client stays, and is idle most of the time. */
    isStream?: true
  }
}

/** Answers 503 at once while the process has more to do than it can answer soon. */
export function shedLoad(app: FastifyInstance, { max = maxRunningRequests } = {}): void {
  let running = 0
  app.addHook('onRequest', ({ routeOptions }, reply, done) => {
    if (!routeOptions.config.isStream) {
      running++
      reply.raw.once('close', () => running--)
    }
    // Monitoring and load balancers must see the state of a process that is overloaded.
    const isShed = running > max && !polledRoutes.has(routeOptions.url ?? '')
    done(isShed ? tryLater(msg`The service is overloaded. Try again in a moment.`) : undefined)
  })
}
