import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { RequestPage, RequestQuery } from './contract.ts'
import { listRequests } from './store.ts'

/** The requests of API keys and to webhooks, for Admins. */
export const requestLogRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/requests',
      { schema: { querystring: RequestQuery, response: { 200: RequestPage } } },
      async ({ webCaller, query }) => {
        const { limit = 50 } = query
        const rows = await readAsActor(database, webCaller, (tx) =>
          listRequests(tx, webCaller.account_id, { ...query, limit: limit + 1 }),
        )
        const page = rows.slice(0, limit)
        return {
          data: page.map((row) => ({ ...row, at: row.at.toISOString() })),
          next: rows.length > limit ? page.at(-1)!.id : null,
        }
      },
    )
  }
