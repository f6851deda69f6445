import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { accountOf, findAssignee } from '../account/users.ts'
import { readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { IdParameter } from '../http/contract.ts'
import { dateWindow } from '../http/date-window.ts'
import { notFound } from '../http/problem.ts'
import type {} from '../sign-in/require-session.ts'
import { CallSearch, NewCallOfLead } from './contract.ts'
import { findCalls } from './find-calls.ts'
import { answerOf, newCall } from './new-call.ts'
import { removeCall } from './remove-call.ts'
import { createCallLog, findCallLog } from './store.ts'

/** The web app's doors to calls. */
export const callWebRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/calls', { schema: { querystring: CallSearch } }, async ({ webCaller, query }, reply) => {
      const { limit = 50, offset = 0, assigned_to, missed, unreturned, from_date, to_date, ...filters } = query
      const account = await accountOf(database, webCaller.account_id)
      const { total, capped, rows } = await findCalls(database, webCaller, {
        ...filters,
        ...{ limit, offset, missed: missed === 'true', unreturned: unreturned === 'true' },
        window: dateWindow({ ...(from_date ? { from_date } : {}), ...(to_date ? { to_date } : {}) }, clock()),
        assignee: findAssignee(account, assigned_to),
      })
      const pagination = { limit, offset, total, total_capped: capped, has_more: offset + limit < total }
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"data":${rows},"pagination":${JSON.stringify(pagination)}}`)
    })

    app.post(
      '/leads/:id/calls',
      { schema: { params: IdParameter, body: NewCallOfLead } },
      async ({ webCaller, params, body }, reply) => {
        const call = newCall({ ...body, lead_id: params.id }, clock())
        const made = await database.write(webCaller, (sql) => createCallLog(sql, webCaller, call))
        if (!made) throw notFound('There is no such lead.')
        return reply.code(201).send({ data: answerOf(call) })
      },
    )

    app.get('/calls/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const call = await readAsActor(database, webCaller, (tx) => findCallLog(tx, webCaller.account_id, id))
      if (!call) throw notFound('There is no such call log.')
      return { data: answerOf(call) }
    })

    app.delete('/calls/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      await removeCall(database, webCaller, id, clock())
      return { data: { id, deleted: true } }
    })
  }
