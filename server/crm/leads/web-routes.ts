import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import type { FastifyReply } from 'fastify'
import { findAccount, nameOfHiddenOwner } from '../../access/account/users.ts'
import { callerId } from '../../access/sign-in/caller.ts'
import { requirePermission, type WebCaller } from '../../access/sign-in/require-session.ts'
import { type Actor, forWholeAccount, maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { allDays, dateWindow } from '../../platform/http/date-window.ts'
import { istDay, readInstant } from '../../platform/http/instants.ts'
import { sendPage } from '../../platform/http/pagination.ts'
import { changedMeanwhile, invalid, notFound } from '../../platform/http/problem.ts'
import { sendTable, tableFormats } from '../../platform/http/send-table.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { acceptedLanguage, translate } from '../../platform/languages/translate.ts'
import { changedTags, changeLead } from './change-lead.ts'
import {
  type ChangedLead,
  ChosenLeads,
  type DealValues,
  EntryParameters,
  LeadChange,
  type LeadChoices,
  LeadContact,
  LeadFileParameters,
  LeadListParameters,
  LeadSearch,
  NewLead,
  NewNote,
  TimelineQuery,
} from './contract.ts'
import { exportColumns } from './export-columns.ts'
import { type LeadsInFile, readLeadsForFile, recordExport } from './export-leads.ts'
import { listFieldValues, listImportChoices, listQuestions, listSources } from './filter-choices.ts'
import { filtersOf } from './filters-of.ts'
import { readGivenContacts, readOtherContacts } from './given-contacts.ts'
import type { LeadFields } from './lead.ts'
import { readEntry, readLeadPage, readTimeline } from './lead-page.ts'
import { listLeads } from './list-leads.ts'
import { matchLead } from './match-lead.ts'
import { keptLeadOf } from './merged-leads.ts'
import { notesVersion, withNote } from './notes.ts'
import { removeLead } from './remove-lead.ts'
import { saveLead } from './save-lead.ts'
import { sourceName } from './source-names.ts'
import { assigneeId, buildAnswer, inPaise, toSubmission } from './submission.ts'
import { sumDealValues } from './sum-deal-values.ts'

const noLead = () => notFound(msg`No lead with this id.`)
const languageOf = (headers: { 'accept-language'?: string }) => acceptedLanguage(headers['accept-language'])

/** Leads in the web app. */
export const leadWebRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/leads', { schema: { querystring: LeadListParameters } }, async ({ webCaller, query }, reply) => {
      const { limit = 50, offset = 0, sort = 'newest', reverse, question: questions = [], with: values = [] } = query
      const filters = await filtersOf(database, webCaller, query, clock())
      const shown = { inWebList: true, questions, values }
      const wanted = { ...filters, ...shown, sort, reverse: reverse === 'true', limit, offset }
      return sendPage(reply, await listLeads(database, webCaller, wanted), { limit, offset })
    })

    app.get(
      '/leads/value',
      { schema: { querystring: LeadSearch } },
      async ({ webCaller, query }): Promise<{ data: DealValues }> => ({
        data: await sumDealValues(database, webCaller, await filtersOf(database, webCaller, query, clock())),
      }),
    )

    app.get('/leads/choices', async ({ webCaller }): Promise<{ data: LeadChoices }> => {
      const { users } = await findAccount(database, webCaller.account_id)
      const seen = users.filter((user) => maySee(webCaller, user.id))
      const [sources, values, imports] = await Promise.all([
        listSources(database, webCaller),
        listFieldValues(database, webCaller),
        listImportChoices(database, webCaller),
      ])
      return {
        data: {
          sources,
          ...values,
          imports,
          people: seen.map(({ id, name, email, active }) => ({ id, name, email, active })),
        },
      }
    })

    app.get(
      '/leads/questions',
      async ({ webCaller }): Promise<{ data: string[] }> => ({
        data: await listQuestions(database, webCaller),
      }),
    )

    for (const format of tableFormats) {
      const send = async (webCaller: WebCaller, reply: FastifyReply, wanted: LeadsInFile, now: Date) => {
        const language = webCaller.language ?? 'en'
        const rows = await readLeadsForFile(database, webCaller, wanted)
        await recordExport(database, webCaller, wanted.filters)
        return sendTable(reply, format, `leads-${istDay(now)}`, {
          name: translate(msg`Leads`, language),
          columns: exportColumns(language, wanted.columns),
          rows,
        })
      }

      app.get(
        `/leads.${format}`,
        { schema: { querystring: LeadFileParameters } },
        async ({ webCaller, query }, reply) => {
          requirePermission(webCaller, 'export')
          const { sort = 'newest', reverse, columns } = query
          const now = clock()
          const filters = await filtersOf(database, webCaller, query, now)
          return send(webCaller, reply, { filters, sort, reverse: reverse === 'true', columns }, now)
        },
      )

      app.post(`/leads.${format}`, { schema: { body: ChosenLeads } }, async ({ webCaller, body }, reply) => {
        requirePermission(webCaller, 'export')
        const { ids, sort = 'newest', reverse = false, columns } = body
        const now = clock()
        const filters = { window: dateWindow(allDays, now), search: null, ids }
        return send(webCaller, reply, { filters, sort, reverse, columns }, now)
      })
    }

    const readPage = (actor: Actor, id: string, language: Language) =>
      readAsActor(database, actor, (tx) => readLeadPage(tx, actor.account_id, id, language))

    const pageOf = async (actor: Actor, id: string, language: Language, more?: Pick<ChangedLead, 'previous'>) => {
      const lead = await readPage(actor, id, language)
      if (lead === null) throw noLead()
      return more ? `{"data":${lead},"previous":${JSON.stringify(more.previous)}}` : `{"data":${lead}}`
    }

    app.get(
      '/leads/:id',
      { schema: { params: IdParameter } },
      async ({ webCaller, headers, params: { id } }, reply) => {
        const language = languageOf(headers)
        const lead = await readPage(webCaller, id, language)
        if (lead !== null) return sendJson(reply, `{"data":${lead}}`)
        const kept = await readAsActor(database, forWholeAccount(webCaller), (tx) =>
          keptLeadOf(tx, webCaller.account_id, id),
        )
        if (kept === null || (await readPage(webCaller, kept, language)) === null) throw noLead()
        return reply.redirect(`/web/leads/${kept}`, 307)
      },
    )

    app.get(
      '/leads/:id/timeline',
      { schema: { params: IdParameter, querystring: TimelineQuery } },
      async ({ webCaller, headers, params: { id }, query: { limit = 50, before } }, reply) => {
        const language = languageOf(headers)
        const page = await readAsActor(database, webCaller, (tx) =>
          readTimeline(tx, { accountId: webCaller.account_id, leadId: id, limit, before, language }),
        )
        // Every lead has the entry of its creation.
        if (page.total === 0) throw noLead()
        return sendJson(reply, `{"data":${page.json}}`)
      },
    )

    app.get(
      '/leads/:id/timeline/:entry',
      { schema: { params: EntryParameters } },
      async ({ webCaller, headers, params: { id, entry } }, reply) => {
        const wanted = { accountId: webCaller.account_id, leadId: id, entryId: entry, language: languageOf(headers) }
        const whole = await readAsActor(database, webCaller, (tx) => readEntry(tx, wanted))
        if (whole === null) throw notFound(msg`No timeline entry with this id.`)
        return sendJson(reply, `{"data":${whole}}`)
      },
    )

    app.post('/leads', { schema: { body: NewLead } }, async ({ webCaller, body }, reply) => {
      const from = { sender: callerId(webCaller), source: 'Manual', received_at: clock() }
      const submission = await toSubmission(database, webCaller, body, from)
      const saved = await saveLead(database, webCaller, { ...submission, notifiesOwner: true })
      const lead = await buildAnswer(database, webCaller, saved, { body, given: submission.given })
      const { outcome, hidden } = saved
      const account = await findAccount(database, webCaller.account_id)
      const owner = hidden ? nameOfHiddenOwner(account, saved.lead.assigned_to) : null
      const is_unassigned = hidden && saved.lead.assigned_to === null
      return reply
        .code(outcome === 'created' ? 201 : 200)
        .send({ data: { ...lead, outcome, hidden, owner, is_unassigned } })
    })

    app.post('/leads/match', { schema: { body: LeadContact } }, async ({ webCaller, headers, body }) => {
      return { data: await matchLead(database, webCaller, body, languageOf(headers)) }
    })

    app.patch(
      '/leads/:id',
      { schema: { params: IdParameter, body: LeadChange } },
      async ({ webCaller, headers, params: { id }, body }, reply) => {
        const { country } = await findAccount(database, webCaller.account_id)
        const { given, contacts, beside } = readGivenContacts(body, country)
        const changed = await fieldsAfter(database, webCaller, given)
        const { phone, email, call_again_at: again, add_contacts = [], remove_contacts: remove = [] } = given
        const at = clock()
        const fields = (lead: LeadFields) => {
          const after = changed(lead)
          return beside === null ? after : { ...after, notes: withNote(after.notes, beside, at, webCaller.user.name) }
        }
        const previous = await changeLead(database, webCaller, id, {
          fields,
          contacts: {
            first: [phone, email].filter((value) => typeof value === 'string'),
            add: [...contacts, ...readOtherContacts(add_contacts, country)].map(({ value }) => value),
            remove,
          },
          call_again_at: typeof again === 'string' ? readInstant(again) : again,
          no_next_step: body.no_next_step,
          lost_reason: body.lost_reason,
          expected_close: body.expected_close,
          by: webCaller.user.name,
          at,
        })
        return sendJson(reply, await pageOf(webCaller, id, languageOf(headers), { previous }))
      },
    )

    app.post(
      '/leads/:id/notes',
      { schema: { params: IdParameter, body: NewNote } },
      async ({ webCaller, headers, params: { id }, body: { text } }, reply) => {
        const at = clock()
        const fields = (lead: LeadFields) => ({ ...lead, notes: withNote(lead.notes, text, at, webCaller.user.name) })
        await changeLead(database, webCaller, id, { fields, by: webCaller.user.name, at })
        return sendJson(reply.code(201), await pageOf(webCaller, id, languageOf(headers)))
      },
    )

    app.delete('/leads/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      requirePermission(webCaller, 'delete')
      await removeLead(database, webCaller, id)
      return { data: { id, deleted: true } }
    })
  }

async function fieldsAfter(database: Database, actor: Actor, body: LeadChange) {
  const { assigned_to, deal_value, add_tags = [], remove_tags = [], notes_version, ...others } = body
  const { call_again_at, no_next_step, lost_reason, expected_close, add_contacts, remove_contacts, ...given } = others
  if (given.notes !== undefined && notes_version === undefined) {
    throw invalid(
      msg`${{ field: 'notes_version' }} is required with notes: send the version that you read.`,
      'notes_version',
    )
  }
  const change = {
    ...given,
    ...(given.source === undefined ? {} : { source: await sourceName(database, actor, given.source) }),
    ...(deal_value === undefined ? {} : { deal_value: deal_value && inPaise(deal_value) }),
    ...(assigned_to === undefined
      ? {}
      : { assigned_to: assigned_to === null ? null : await assigneeId(database, actor, assigned_to) }),
  }
  return (lead: LeadFields): LeadFields => {
    if (given.notes !== undefined && notes_version !== notesVersion(lead.notes)) {
      throw changedMeanwhile(
        msg`Another user changed these notes while you wrote. Compare: saving again replaces their version.`,
        'notes',
      )
    }
    return { ...lead, ...change, tags: changedTags(lead.tags, add_tags, remove_tags) }
  }
}

function sendJson(reply: { type(name: string): { send(body: string): unknown } }, body: string) {
  return reply.type('application/json; charset=utf-8').send(body)
}
