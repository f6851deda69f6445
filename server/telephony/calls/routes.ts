import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { readingPage } from '../../crm/leads/list-page.ts'
import { asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { nextCursor, readCursor } from '../../platform/http/change-cursor.ts'
import { Deleted, IdParameter, Page } from '../../platform/http/contract.ts'
import { dateWindow } from '../../platform/http/date-window.ts'
import { IdempotencyHeader, problemResponses } from '../../platform/http/describe.ts'
import { sendPage } from '../../platform/http/pagination.ts'
import { notFound } from '../../platform/http/problem.ts'
import { answerOnce, readIdempotencyKey } from '../../platform/idempotency/answer-once.ts'
import { CallLog, CallLogQuery, CallLogResponse, NewCallLog } from './contract.ts'
import { callLogDocs } from './description.ts'
import { listCalls } from './list-calls.ts'
import { listCallsSince } from './list-calls-since.ts'
import { createUnlessReported, logOnce } from './log-once.ts'
import { callLogAnswer, newCall } from './new-call.ts'
import { removeCall } from './remove-call.ts'

const newOne = 'Call logs cannot be changed: delete it, and POST /api/v1/call-logs logs another.'
const insteadOfChange = { PATCH: newOne, PUT: newOne }

/** List, create and delete call logs under /api/v1. */
export const callLogRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/call-logs',
      {
        schema: {
          ...callLogDocs.list,
          querystring: CallLogQuery,
          response: { 200: Page('CallLogList', CallLog), ...problemResponses() },
        },
      },
      async ({ caller, query }, reply) => {
        const { limit = 50, offset = 0 } = query
        const now = clock()
        const listed = { ...query, limit, offset, window: dateWindow(query, now) }
        const cursor = readCursor(query)
        if (cursor) {
          const page = await listCallsSince(database, caller, { ...listed, cursor })
          return sendPage(reply, { ...page, next_cursor: nextCursor(cursor, page.last, now) }, { limit, offset })
        }
        const page = await readingPage(database, listed)(caller, (sql) => listCalls(sql, caller, listed))
        return sendPage(reply, page, { limit, offset })
      },
    )

    app.post(
      '/call-logs',
      {
        config: {
          instead: {
            ...insteadOfChange,
            DELETE: 'To delete a call log, send DELETE /api/v1/call-logs/{id}.',
          },
        },
        schema: {
          ...callLogDocs.create,
          body: NewCallLog,
          headers: IdempotencyHeader,
          response: { 201: CallLogResponse, ...problemResponses(404, 413, 415) },
        },
      },
      async (request, reply) => {
        const { caller } = request
        const call = newCall(request.body, clock(), { by_owner: true, called_by: caller.user_id })
        const noLead = () => notFound(msg`There is no lead with this ${{ field: 'lead_id' }}.`, 'lead_id')
        const key = readIdempotencyKey(request)
        if (key === null) {
          const isNew = await database.write(caller, (sql) => createUnlessReported(sql, caller, call))
          const logged = isNew ? call : await asActor(database, caller, (tx) => logOnce(tx, caller, call))
          if (!logged) throw noLead()
          return reply.code(201).send({ data: callLogAnswer(logged) })
        }
        return answerOnce({ database, actor: caller, request, reply, key }, async (tx) => {
          const logged = await logOnce(tx, caller, call)
          if (!logged) throw noLead()
          return { status: 201, body: { data: callLogAnswer(logged) }, lead_id: call.lead_id }
        })
      },
    )

    app.delete(
      '/call-logs/:id',
      {
        config: {
          instead: {
            ...insteadOfChange,
            GET: 'There is no route for one call log. GET /api/v1/call-logs lists call logs.',
          },
        },
        schema: {
          ...callLogDocs.remove,
          params: IdParameter,
          response: { 200: Deleted, ...problemResponses(404) },
        },
      },
      async ({ caller, params: { id } }) => {
        await removeCall(database, caller, id, { at: clock() })
        return { data: { id, deleted: true } }
      },
    )
  }
