import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAccount, userByEmail } from '../account/users.ts'
import type { Database } from '../database/connect.ts'
import { Deleted, IdParameter, Page } from '../http/contract.ts'
import { dateWindow } from '../http/date-window.ts'
import { IdempotencyHeader, problemResponses } from '../http/describe.ts'
import { readSince } from '../http/instants.ts'
import { sendPage } from '../http/pagination.ts'
import { answerAgain, answerOnce, readIdempotencyKey } from '../idempotency/answer-once.ts'
import { callerId } from '../sign-in/caller.ts'
import { Lead, LeadQuery, NewLead, SavedLeadResponse } from './contract.ts'
import { type AssignedLead, leadToCreate, withAssignee } from './create-lead.ts'
import { leadDocs } from './description.ts'
import type { Saved } from './lead.ts'
import { listLeads } from './list-leads.ts'
import { removeLead } from './remove-lead.ts'
import { hasNewOwner, saveLead, saveLeadWithin } from './save-lead.ts'
import { buildAnswer, toSubmission } from './submission.ts'

/** List, create and delete leads under /api/v1. */
export const leadRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/leads',
      {
        schema: {
          ...leadDocs.list,
          querystring: LeadQuery,
          response: { 200: Page('LeadList', Lead), ...problemResponses() },
        },
      },
      async ({ caller, query }, reply) => {
        const { limit = 50, offset = 0 } = query
        const { status, source, priority, assigned_to, updated_since } = query
        const updatedSince = readSince(updated_since)
        const account = await findAccount(database, caller.account_id)
        const { capped, ...page } = await listLeads(database, caller, {
          window: dateWindow(query, clock()),
          updatedSince,
          status: status && [status],
          source: source === undefined ? undefined : [source],
          priority: priority && [priority],
          owners:
            assigned_to === undefined ? undefined : [userByEmail(account, assigned_to)].filter((user) => user !== null),
          search: null,
          sort: updatedSince ? 'updated' : 'newest',
          reverse: updatedSince !== undefined,
          limit,
          offset,
        })
        return sendPage(reply, { ...page, ...(capped ? { capped } : {}) }, { limit, offset })
      },
    )

    app.post(
      '/leads',
      {
        schema: {
          ...leadDocs.createOrMerge,
          body: NewLead,
          headers: IdempotencyHeader,
          response: {
            200: SavedLeadResponse,
            201: SavedLeadResponse,
            ...problemResponses(413, 415),
          },
        },
      },
      async (request, reply) => {
        const { caller } = request
        const sender = callerId(caller)
        const key = readIdempotencyKey(request)
        const asked = key === null ? null : { database, actor: caller, request, reply, key }
        if (asked && (await answerAgain(asked))) return reply
        const from = { sender, source: 'API', received_at: clock() }
        const submission = await toSubmission(database, caller, request.body, from)
        if (asked === null) {
          const saved = await saveLead(database, caller, submission)
          return reply.code(statusOf(saved)).send({ data: await buildAnswer(database, caller, saved, request.body) })
        }
        const wanted = await leadToCreate(database, caller, submission)
        let created = false
        const answer = (lead: AssignedLead) =>
          answerOnce(asked, async (tx) => {
            const saved = await saveLeadWithin(tx, { actor: caller, submission, wanted: lead })
            created = hasNewOwner(saved)
            const data = await buildAnswer(database, caller, saved, request.body)
            return { status: statusOf(saved), body: { data }, lead_id: saved.lead.id }
          })
        return withAssignee({ database, actor: caller, wanted }, answer, () => created)
      },
    )

    app.delete(
      '/leads/:id',
      {
        schema: {
          ...leadDocs.remove,
          params: IdParameter,
          response: { 200: Deleted, ...problemResponses(404) },
        },
      },
      async ({ caller, params: { id } }) => {
        await removeLead(database, caller, id)
        return { data: { id, deleted: true } }
      },
    )
  }

const statusOf = (saved: Saved) => (saved.outcome === 'created' ? 201 : 200)
