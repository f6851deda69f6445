import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { IdParameter } from '../http/contract.ts'
import { dateWindow } from '../http/date-window.ts'
import { sendPage } from '../http/pagination.ts'
import { notFound } from '../http/problem.ts'
import { requirePermission } from '../sign-in/require-session.ts'
import { CallSearch, NewCallOfLead } from './contract.ts'
import { listCallsForWeb } from './list-calls.ts'
import { callLogAnswer, newCall } from './new-call.ts'
import { removeCall } from './remove-call.ts'
import { createCallLog, findCallLog } from './store.ts'

/** The web app's routes for calls. */
export const callWebRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/calls', { schema: { querystring: CallSearch } }, async ({ webCaller, query }, reply) => {
      const { limit = 50, offset = 0, missed, unreturned } = query
      const page = await listCallsForWeb(database, webCaller, {
        ...query,
        window: dateWindow(query, clock()),
        missed: missed === 'true',
        callback: unreturned === 'true',
        limit,
        offset,
      })
      return sendPage(reply, page, { limit, offset })
    })

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
