import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Caller } from '../accounts/caller.ts'
import { accountOf, activePersonByEmail } from '../accounts/people.ts'
import { recordAudit } from '../audit/record.ts'
import { type Actor, actAs, asActor, forWholeAccount, maySee } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { Deleted, IdParameter, Page } from '../http/contract.ts'
import { dateWindow, instantText } from '../http/date-window.ts'
import { IdempotencyHeader, refusals } from '../http/describe.ts'
import { sendPage } from '../http/pagination.ts'
import { invalid, notFound } from '../http/problem.ts'
import { answerOnce, idempotencyKeyOf } from '../idempotency/answer-once.ts'
import { Lead, LeadQuery, NewLead, SavedLead } from './contract.ts'
import { leadToCreate } from './create-lead.ts'
import { type Saved, type Submission, saveLead, saveLeadWithin } from './save-lead.ts'
import { deleteLead, listLeads, lockLead } from './store.ts'

/** The three operations on leads: sections 4.1 to 4.3 of the contract. */
export const leadRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/leads',
      {
        schema: {
          tags: ['Leads'],
          security: [{ apiKey: [] }],
          summary: 'List leads',
          description: 'Newest first. Without dates: the last 30 days, counted in India.',
          querystring: LeadQuery,
          response: { 200: Page(Lead), ...refusals(400) },
        },
      },
      async ({ caller, query }, reply) => {
        const { limit = 50, offset = 0 } = query
        const filter = { ...query, limit, offset, window: dateWindow(query, clock()) }
        return sendPage(reply, await listLeads(database.of(caller.account_id), caller, filter), { limit, offset })
      },
    )

    app.post(
      '/leads',
      {
        schema: {
          tags: ['Leads'],
          security: [{ apiKey: [] }],
          summary: 'Create or merge a lead',
          description:
            'Answers 201 for a new lead, and 200 where the phone or the email is one’s already: that lead is merged into. ' +
            'A field that is given replaces, one that is not stays, tags are united.',
          body: NewLead,
          headers: IdempotencyHeader,
          response: {
            200: Type.Object({ data: SavedLead }),
            201: Type.Object({ data: SavedLead }),
            ...refusals(400, 413, 415),
          },
        },
      },
      async (request, reply) => {
        const { caller } = request
        const submission = await submissionOf(database, caller, request.body, clock())
        const key = idempotencyKeyOf(request)
        if (key === null) {
          const saved = await saveLead(database, caller, submission)
          return reply.code(statusOf(saved)).send({ data: await answerOf(database, caller, saved, request.body) })
        }
        const wanted = await leadToCreate(database, caller, submission)
        return answerOnce(database, caller, request, reply, key, async (tx) => {
          const saved = await saveLeadWithin(tx, caller, submission, wanted)
          const data = await answerOf(database, caller, saved, request.body)
          return { status: statusOf(saved), body: { data }, lead_id: saved.lead.id }
        })
      },
    )

    app.delete(
      '/leads/:id',
      {
        schema: {
          tags: ['Leads'],
          security: [{ apiKey: [] }],
          summary: 'Delete a lead',
          description: 'For good, with its call logs, timeline and notes.',
          params: IdParameter,
          response: { 200: Deleted, ...refusals(400, 404) },
        },
      },
      async ({ caller, params: { id } }) => {
        await asActor(database, caller, async (tx) => {
          const lead = await lockLead(tx, caller.account_id, id)
          if (!lead) throw notFound('There is no such lead.')
          await actAs(tx, forWholeAccount(caller))
          await deleteLead(tx, caller.account_id, lead)
          await recordAudit(tx, caller, 'lead.deleted', id)
        })
        return { data: { id, deleted: true } }
      },
    )
  }

async function submissionOf(database: Database, caller: Caller, body: NewLead, now: Date): Promise<Submission> {
  if (body.phone === undefined && body.email === undefined)
    throw invalid('phone is required where there is no email.', 'phone')
  const { assigned_to, deal_value, ...given } = body
  return {
    given: {
      ...given,
      ...(deal_value === undefined ? {} : { deal_value: inPaise(deal_value) }),
      ...(assigned_to === undefined ? {} : { assigned_to: await assigneeId(database, caller, assigned_to) }),
    },
    defaults: { source: 'API', status: 'New', priority: 'Medium' },
    onMatch: 'replace',
    assignment: { byRules: caller.sees === 'all', otherwise: caller.user_id, webhook_id: null },
    sender: `the API key “${caller.key_name}”`,
    received_at: now,
  }
}

/** An active person whom the caller may see (D3). */
async function assigneeId(database: Database, actor: Actor, email: string): Promise<string> {
  const person = activePersonByEmail(await accountOf(database, actor.account_id), email)
  if (!person || !maySee(actor, person.id)) {
    throw invalid('assigned_to must be the email of an active user whom you may see.', 'assigned_to')
  }
  return person.id
}

/** Rounded half up on the decimal digits as sent: 1.005 is 1.01, which it is not in binary. */
function inPaise(rupees: number): number {
  return rupees < 0.005 ? 0 : Number(`${Math.round(Number(`${rupees}e2`))}e-2`)
}

const statusOf = (saved: Saved) => (saved.outcome === 'created' ? 201 : 200)

async function answerOf(database: Database, actor: Actor, saved: Saved, sent: NewLead): Promise<SavedLead> {
  const { assigned_to, created_at, updated_at, ...lead } = saved.lead
  const times = { created_at: instantText(created_at), updated_at: instantText(updated_at) }
  // Of a lead that the caller may not see, nothing but what they sent (D8).
  if (saved.hidden) return { phone: null, ...sent, id: lead.id, status: lead.status, ...times }
  const { people } = await accountOf(database, actor.account_id)
  return { ...lead, assigned_to: people.find((person) => person.id === assigned_to)?.email ?? null, ...times }
}
