import { randomInt } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { Gauge } from 'prom-client'
import type { Database } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import { alive, Streams } from './streams.ts'

/** A stream of events (Server-Sent Events): leads or calls of the account changed, or a call rings for the user. */
export const liveRoutes =
  (database: Database): FastifyPluginAsync =>
  async (app) => {
    const streams = new Streams(database.directory, (error) => {
      if (!isAway(error)) app.log.warn({ err: error }, 'sessions of open pages were not checked')
    })
    database.watch?.onLeads((accountId) => streams.changed(accountId))
    database.watch?.onRinging((accountId, userId) => streams.ringing(accountId, userId))
    // Before the server waits for open connections to end.
    app.addHook('preClose', async () => streams.close())
    new Gauge({
      name: 'lead_engine_live_streams',
      help: 'Open pages that are notified of changes',
      registers: [app.metrics],
      collect() {
        this.set(streams.open)
      },
    })

    app.get('/live', { exposeHeadRoute: false, config: { isStream: true } }, async ({ webCaller }, reply) => {
      streams.check(webCaller)
      reply.hijack()
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // nginx would collect events before it passes them on.
        'x-accel-buffering': 'no',
      })
      // The pause before a browser connects again: they must not all come back at the same moment.
      reply.raw.write(`retry: ${randomInt(1000, 4000)}\n${alive}`)
      streams.add(webCaller, reply.raw)
    })
  }
