import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { recordAudit } from '../audit/record.ts'
import { asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { Deleted, IdParameter, Page } from '../http/contract.ts'
import { dateWindow, instantText, readInstant, wholeSecond } from '../http/date-window.ts'
import { IdempotencyHeader, refusals } from '../http/describe.ts'
import { sendPage } from '../http/pagination.ts'
import { notFound } from '../http/problem.ts'
import { answerOnce, idempotencyKeyOf } from '../idempotency/answer-once.ts'
import { recordOnTimeline } from '../timeline/record.ts'
import { callSentence } from '../timeline/sentences.ts'
import { CallLog, CallLogQuery, NewCallLog } from './contract.ts'
import { type CallLogRow, createCallLog, deleteCallLog, listCallLogs } from './store.ts'

/** The three operations on call logs: sections 4.4 to 4.6 of the contract. */
export const callLogRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/call-logs',
      {
        schema: {
          tags: ['Call logs'],
          security: [{ apiKey: [] }],
          summary: 'List call logs',
          description: 'Newest call first. Without dates: the last 30 days, counted in India.',
          querystring: CallLogQuery,
          response: { 200: Page(CallLog), ...refusals(400) },
        },
      },
      async ({ caller, query }, reply) => {
        const { limit = 50, offset = 0 } = query
        const filter = { ...query, limit, offset, window: dateWindow(query, clock()) }
        return sendPage(reply, await listCallLogs(database.of(caller.account_id), caller, filter), { limit, offset })
      },
    )

    app.post(
      '/call-logs',
      {
        schema: {
          tags: ['Call logs'],
          security: [{ apiKey: [] }],
          summary: 'Log a call',
          body: NewCallLog,
          headers: IdempotencyHeader,
          response: { 201: Type.Object({ data: CallLog }), ...refusals(400, 404, 413, 415) },
        },
      },
      async (request, reply) => {
        const { caller } = request
        const call = newCall(request.body, clock())
        const noLead = () => notFound('There is no lead with this lead_id.', 'lead_id')
        const key = idempotencyKeyOf(request)
        if (key === null) {
          if (!(await createCallLog(database.of(caller.account_id), caller, call))) throw noLead()
          return reply.code(201).send({ data: answerOf(call) })
        }
        return answerOnce(database, caller, request, reply, key, async (tx) => {
          if (!(await createCallLog(tx, caller, call))) throw noLead()
          return { status: 201, body: { data: answerOf(call) }, lead_id: call.lead_id }
        })
      },
    )

    app.delete(
      '/call-logs/:id',
      {
        schema: {
          tags: ['Call logs'],
          security: [{ apiKey: [] }],
          summary: 'Delete a call log',
          description: 'For good.',
          params: IdParameter,
          response: { 200: Deleted, ...refusals(400, 404) },
        },
      },
      async ({ caller, params: { id } }) => {
        await asActor(database, caller, async (tx) => {
          const call = await deleteCallLog(tx, caller.account_id, id)
          if (!call) throw notFound('There is no such call log.')
          const lead = { account_id: caller.account_id, id: call.lead_id, assigned_to: call.assigned_to }
          const summary = `Call log deleted: ${callSentence(call)}`
          const details = { via: caller.via, via_id: caller.via_id, call_log_id: id }
          await recordOnTimeline(tx, lead, { at: clock(), kind: 'call_deleted', summary, details })
          await recordAudit(tx, caller, 'call_log.deleted', id)
        })
        return { data: { id, deleted: true } }
      },
    )
  }

function newCall(body: NewCallLog, now: Date): CallLogRow {
  return {
    id: randomUUID(),
    lead_id: body.lead_id,
    call_type: body.call_type,
    duration_seconds: body.duration_seconds,
    outcome: body.outcome ?? 'Completed',
    notes: body.notes ?? null,
    called_at: wholeSecond(body.called_at === undefined ? now : readInstant(body.called_at)),
    created_at: wholeSecond(now),
  }
}

function answerOf(call: CallLogRow): CallLog {
  return {
    ...call,
    called_at: instantText(call.called_at),
    created_at: instantText(call.created_at),
  } as CallLog
}
