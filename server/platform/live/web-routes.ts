import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Gauge } from 'prom-client'
import { Type } from 'typebox'
import type { Database } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import { Streams } from './streams.ts'

const LiveQuery = Type.Object({
  age: Type.Integer({ minimum: 0, default: 0, description: 'For how many milliseconds the page has been loading.' }),
})

/** A stream of events (Server-Sent Events): leads or calls of the account changed, or a call rings for the user. */
export const liveRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    const streams = new Streams(database.directory, (error) => {
      if (!isAway(error)) app.log.warn({ err: error }, 'sessions of open pages were not checked')
    })
    database.watch?.onLeads((accountId, pageId) => streams.changed(accountId, pageId))
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

    const options = { exposeHeadRoute: false, config: { isStream: true as const }, schema: { querystring: LiveQuery } }
    app.get('/live', options, async ({ webCaller, query }, reply) => {
      streams.check(webCaller)
      reply.hijack()
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // nginx would collect events before it passes them on.
        'x-accel-buffering': 'no',
      })
      streams.add(webCaller, reply.raw, query.age)
    })
  }
