import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { IdParameter } from '../http/contract.ts'
import { istDay } from '../http/instants.ts'
import { sendPage } from '../http/pagination.ts'
import { notFound } from '../http/problem.ts'
import { requirePermission } from '../sign-in/require-session.ts'
import { readFilters } from './call-filters.ts'
import { CallSearch, NewCallOfLead } from './contract.ts'
import { exportCalls, recordExport } from './export-calls.ts'
import { listCallsForWeb } from './list-calls.ts'
import { callLogAnswer, newCall } from './new-call.ts'
import { findRecording } from './recording.ts'
import { removeCall } from './remove-call.ts'
import { createCallLog, findCallLog } from './store.ts'
import { sumCalls } from './sum-calls.ts'

/** The web app's routes for calls. */
export const callWebRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/calls', { schema: { querystring: CallSearch } }, async ({ webCaller, query }, reply) => {
      const { limit = 50, offset = 0 } = query
      const filters = await readFilters(database, webCaller, query, clock())
      return sendPage(reply, await listCallsForWeb(database, webCaller, { ...filters, limit, offset }), {
        limit,
        offset,
      })
    })

    app.get('/calls/totals', { schema: { querystring: CallSearch } }, async ({ webCaller, query }) => {
      const filters = await readFilters(database, webCaller, query, clock())
      return { data: await sumCalls(database, webCaller, filters) }
    })

    app.get('/calls.csv', { schema: { querystring: CallSearch } }, async ({ webCaller, query }, reply) => {
      requirePermission(webCaller, 'export')
      const now = clock()
      const filters = await readFilters(database, webCaller, query, now)
      await recordExport(database, webCaller, filters)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="calls-${istDay(now)}.csv"`)
        .send(Readable.from(exportCalls(database, webCaller, filters)))
    })

    app.get(
      '/calls/:id/recording',
      { schema: { params: IdParameter } },
      async ({ webCaller, params: { id } }, reply) => {
        const url = await readAsActor(database, webCaller, (tx) => findRecording(tx, webCaller.account_id, id))
        if (url === null) throw notFound('There is no recording of such a call.')
        return reply.header('referrer-policy', 'no-referrer').redirect(url, 302)
      },
    )

    app.post(
      '/leads/:id/calls',
      { schema: { params: IdParameter, body: NewCallOfLead } },
      async ({ webCaller, params, body }, reply) => {
        const call = newCall({ ...body, lead_id: params.id }, clock())
        const made = await database.write(webCaller, (sql) => createCallLog(sql, webCaller, call))
        if (!made) throw notFound('No lead with this id.')
        return reply.code(201).send({ data: callLogAnswer(call) })
      },
    )

    app.get('/calls/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const call = await readAsActor(database, webCaller, (tx) => findCallLog(tx, webCaller.account_id, id))
      if (!call) throw notFound('There is no such call log.')
      return { data: callLogAnswer(call) }
    })

    app.delete('/calls/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      requirePermission(webCaller, 'delete')
      await removeCall(database, webCaller, id, clock())
      return { data: { id, deleted: true } }
    })
  }
