import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAccount, findOwners, nameOfHiddenOwner } from '../account/users.ts'
import { type Actor, maySee, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { IdParameter } from '../http/contract.ts'
import { allDays, dateWindow } from '../http/date-window.ts'
import { istDay, readInstant } from '../http/instants.ts'
import { sendPage } from '../http/pagination.ts'
import { changedMeanwhile, invalid, notFound } from '../http/problem.ts'
import { callerId } from '../sign-in/caller.ts'
import { requirePermission } from '../sign-in/require-session.ts'
import { changedTags, changeLead } from './change-lead.ts'
import {
  type ChangedLead,
  EntryParameters,
  isOfAllDays,
  type LastCall,
  LeadChange,
  type LeadChoices,
  LeadContact,
  LeadSearch,
  NewLead,
  NewNote,
  TimelineQuery,
} from './contract.ts'
import { exportLeads, recordExport } from './export-leads.ts'
import { listSources, listTagsAndCities } from './filter-choices.ts'
import { coldBefore } from './follow-up.ts'
import type { LeadFields } from './lead.ts'
import type { LeadFilters } from './lead-filters.ts'
import { readEntry, readLeadPage, readTimeline } from './lead-page.ts'
import { listLeads } from './list-leads.ts'
import { matchLead } from './match-lead.ts'
import { notesVersion, withNote } from './notes.ts'
import { removeLead } from './remove-lead.ts'
import { saveLead } from './save-lead.ts'
import { searchTerms } from './search-terms.ts'
import { assigneeId, buildAnswer, inPaise, toSubmission } from './submission.ts'

const noLead = () => notFound('No lead with this id.')

/** Leads in the web app. */
export const leadWebRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/leads', { schema: { querystring: LeadSearch } }, async ({ webCaller, query }, reply) => {
      const { limit = 50, offset = 0, sort = 'newest', reverse } = query
      const filters = await filtersOf(database, webCaller, query, clock())
      const wanted = { ...filters, sort, reverse: reverse === 'true', limit, offset, inWebList: true }
      return sendPage(reply, await listLeads(database, webCaller, wanted), { limit, offset })
    })

    app.get('/leads/choices', async ({ webCaller }): Promise<{ data: LeadChoices }> => {
      const { users } = await findAccount(database, webCaller.account_id)
      const seen = users.filter((user) => maySee(webCaller, user.id))
      const [sources, { tags, cities }] = await Promise.all([
        listSources(database, webCaller),
        listTagsAndCities(database, webCaller),
      ])
      return {
        data: { sources, tags, cities, people: seen.map(({ name, email, active }) => ({ name, email, active })) },
      }
    })

    app.get('/leads.csv', { schema: { querystring: LeadSearch } }, async ({ webCaller, query }, reply) => {
      requirePermission(webCaller, 'export')
      const now = clock()
      const filters = await filtersOf(database, webCaller, query, now)
      await recordExport(database, webCaller, filters)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="leads-${istDay(now)}.csv"`)
        .send(Readable.from(exportLeads(database, webCaller, filters)))
    })

    const pageOf = async (actor: Actor, id: string, more?: Pick<ChangedLead, 'previous'>) => {
      const lead = await readAsActor(database, actor, (tx) => readLeadPage(tx, actor.account_id, id))
      if (lead === null) throw noLead()
      return more ? `{"data":${lead},"previous":${JSON.stringify(more.previous)}}` : `{"data":${lead}}`
    }

    app.get('/leads/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }, reply) =>
      sendJson(reply, await pageOf(webCaller, id)),
    )

    app.get(
      '/leads/:id/timeline',
      { schema: { params: IdParameter, querystring: TimelineQuery } },
      async ({ webCaller, params: { id }, query: { limit = 50, before } }, reply) => {
        const page = await readAsActor(database, webCaller, (tx) =>
          readTimeline(tx, { accountId: webCaller.account_id, leadId: id, limit, before }),
        )
        // Every lead has the entry of its creation.
        if (page.total === 0) throw noLead()
        return sendJson(reply, `{"data":${page.json}}`)
      },
    )

    app.get(
      '/leads/:id/timeline/:entry',
      { schema: { params: EntryParameters } },
      async ({ webCaller, params: { id, entry } }, reply) => {
        const whole = await readAsActor(database, webCaller, (tx) => readEntry(tx, webCaller.account_id, id, entry))
        if (whole === null) throw notFound('No timeline entry with this id.')
        return sendJson(reply, `{"data":${whole}}`)
      },
    )

    app.post('/leads', { schema: { body: NewLead } }, async ({ webCaller, body }, reply) => {
      const from = { sender: callerId(webCaller), source: 'Manual', received_at: clock() }
      const submission = await toSubmission(database, webCaller, body, from)
      const saved = await saveLead(database, webCaller, { ...submission, notifiesOwner: true })
      const lead = await buildAnswer(database, webCaller, saved, body)
      const { outcome, hidden } = saved
      const account = await findAccount(database, webCaller.account_id)
      const owner = hidden ? nameOfHiddenOwner(account, saved.lead.assigned_to) : null
      return reply.code(outcome === 'created' ? 201 : 200).send({ data: { ...lead, outcome, hidden, owner } })
    })

    app.post('/leads/match', { schema: { body: LeadContact } }, async ({ webCaller, body }) => {
      return { data: await matchLead(database, webCaller, body) }
    })

    app.patch(
      '/leads/:id',
      { schema: { params: IdParameter, body: LeadChange } },
      async ({ webCaller, params: { id }, body }, reply) => {
        const fields = await fieldsAfter(database, webCaller, body)
        const { call_again_at: again, add_contacts: add = [], remove_contacts: remove = [] } = body
        const previous = await changeLead(database, webCaller, id, {
          fields,
          contacts: { first: [body.phone, body.email].filter((value) => typeof value === 'string'), add, remove },
          call_again_at: typeof again === 'string' ? readInstant(again) : again,
          by: webCaller.user.name,
          at: clock(),
        })
        return sendJson(reply, await pageOf(webCaller, id, { previous }))
      },
    )

    app.post(
      '/leads/:id/notes',
      { schema: { params: IdParameter, body: NewNote } },
      async ({ webCaller, params: { id }, body: { text } }, reply) => {
        const at = clock()
        const fields = (lead: LeadFields) => ({ ...lead, notes: withNote(lead.notes, text, at, webCaller.user.name) })
        await changeLead(database, webCaller, id, { fields, by: webCaller.user.name, at })
        return sendJson(reply.code(201), await pageOf(webCaller, id))
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
  const { call_again_at, add_contacts, remove_contacts, ...given } = others
  if (given.notes !== undefined && notes_version === undefined) {
    throw invalid('notes_version is required with notes: send the version that you read.', 'notes_version')
  }
  const change = {
    ...given,
    ...(deal_value === undefined ? {} : { deal_value: deal_value && inPaise(deal_value) }),
    ...(assigned_to === undefined
      ? {}
      : { assigned_to: assigned_to === null ? null : await assigneeId(database, actor, assigned_to) }),
  }
  return (lead: LeadFields): LeadFields => {
    if (given.notes !== undefined && notes_version !== notesVersion(lead.notes)) {
      throw changedMeanwhile(
        'Another user changed these notes while you wrote. Compare: saving again replaces their version.',
        'notes',
      )
    }
    return { ...lead, ...change, tags: changedTags(lead.tags, add_tags, remove_tags) }
  }
}

/** `me` among the owners is the user who asks. */
export async function filtersOf(database: Database, actor: Actor, query: LeadSearch, now: Date): Promise<LeadFilters> {
  const { status, source, priority, assigned_to, tag, city, last_call, follow_up, search, from_date, to_date } = query
  const { min_value: minValue, max_value: maxValue } = query
  if (minValue !== undefined && maxValue !== undefined && minValue > maxValue) {
    throw invalid('min_value must not be more than max_value.', 'min_value')
  }
  const account = await findAccount(database, actor.account_id)
  const me = account.users.find(({ id }) => id === actor.user_id)
  const emailOf = (owner: string) => (owner === 'me' && me ? me.email : owner)
  const isWithoutDates = from_date === undefined && to_date === undefined
  return {
    status,
    source,
    priority,
    tag,
    city,
    lastCall: last_call && lastCallOf(last_call, now),
    followUp: follow_up && { kind: follow_up, coldBefore: coldBefore(account, now) },
    minValue,
    maxValue,
    window: dateWindow(isWithoutDates && isOfAllDays(query) ? allDays : query, now),
    owners: assigned_to?.length ? findOwners(account, assigned_to.map(emailOf)) : undefined,
    search: search === undefined ? null : searchTerms(search, account.country),
  }
}

function lastCallOf(lastCall: LastCall, now: Date): LeadFilters['lastCall'] {
  if (lastCall === 'never') return null
  const { from } = dateWindow({ from_date: istDay(now) }, now)
  if (lastCall === 'today') return { from }
  return { until: new Date(now.getTime() - Number.parseInt(lastCall, 10) * 86_400_000) }
}

function sendJson(reply: { type(name: string): { send(body: string): unknown } }, body: string) {
  return reply.type('application/json; charset=utf-8').send(body)
}
