import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerId } from '../../access/sign-in/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdempotencyHeader, problemResponses } from '../../platform/http/describe.ts'
import { answerAgain, answerOnce, readIdempotencyKey } from '../../platform/idempotency/answer-once.ts'
import type { EnquiryDraft } from '../enquiries/enquiry.ts'
import { NewLead, SavedLeadResponse } from './contract.ts'
import { leadToCreate } from './create-lead.ts'
import { insteadOfChange, leadDocs } from './description.ts'
import type { Saved } from './lead.ts'
import { saveLead, saveLeadWithin } from './save-lead.ts'
import { buildAnswer, toSubmission } from './submission.ts'

/** Reads the enquiry of the fields of a body that no lead field takes. `bytes`: how long the body is. */
export type EnquiryReader = (
  fields: Record<string, unknown>,
  of: { lead: NewLead; bytes: number; sender: string },
) => Promise<EnquiryDraft>

/** POST /api/v1/leads: creates a lead, or merges into the lead of the same person. */
export const createRoute =
  (database: Database, clock: () => Date, readEnquiry: EnquiryReader): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/leads',
      {
        config: {
          instead: {
            ...insteadOfChange,
            DELETE: 'To delete a lead, send DELETE /api/v1/leads/{id}.',
          },
        },
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
        if (request.unknownBody) {
          const bytes = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
          const of = { lead: request.body, bytes, sender: caller.account_id }
          submission.enquiry = await readEnquiry(request.unknownBody, of)
        }
        const sent = { body: request.body, given: submission.given }
        if (asked === null) {
          const saved = await saveLead(database, caller, submission)
          return reply.code(statusOf(saved)).send({ data: await buildAnswer(database, caller, saved, sent) })
        }
        const wanted = await leadToCreate(database, caller, submission)
        return answerOnce(asked, async (tx) => {
          const saved = await saveLeadWithin(tx, { actor: caller, submission, wanted })
          const data = await buildAnswer(database, caller, saved, sent)
          return { status: statusOf(saved), body: { data }, lead_id: saved.lead.id }
        })
      },
    )
  }

const statusOf = (saved: Saved) => (saved.outcome === 'created' ? 201 : 200)
