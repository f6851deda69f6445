import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePermission } from '../../access/sign-in/require-session.ts'
import type { Database } from '../../platform/database/connect.ts'
import { istDay } from '../../platform/http/instants.ts'
import { sendPage } from '../../platform/http/pagination.ts'
import { sendTable, tableFormats } from '../../platform/http/send-table.ts'
import { readFilters } from './call-filters.ts'
import { CallList, CallSearch } from './contract.ts'
import { callFileColumns, readCallsForFile, recordExport } from './export-calls.ts'
import { listCallsForWeb } from './list-calls.ts'
import { sumCalls } from './sum-calls.ts'

/** The web app's list of calls, its totals and its export. */
export const callListRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/calls', { schema: { querystring: CallList } }, async ({ webCaller, query }, reply) => {
      const { limit = 50, offset = 0, sort } = query
      const filters = await readFilters(database, webCaller, query, clock())
      return sendPage(reply, await listCallsForWeb(database, webCaller, { ...filters, limit, offset, sort }), {
        limit,
        offset,
      })
    })

    app.get('/calls/totals', { schema: { querystring: CallSearch } }, async ({ webCaller, query }) => {
      const filters = await readFilters(database, webCaller, query, clock())
      return { data: await sumCalls(database, webCaller, filters) }
    })

    for (const format of tableFormats)
      app.get(`/calls.${format}`, { schema: { querystring: CallList } }, async ({ webCaller, query }, reply) => {
        requirePermission(webCaller, 'export')
        const now = clock()
        const filters = await readFilters(database, webCaller, query, now)
        const rows = await readCallsForFile(database, webCaller, { filters, sort: query.sort ?? 'newest' })
        await recordExport(database, webCaller, filters)
        return sendTable(reply, format, `calls-${istDay(now)}`, { name: 'Calls', columns: callFileColumns, rows })
      })
  }
