import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import { actAs, asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { forbidden, notFound } from '../../platform/http/problem.ts'
import { acceptedLanguage } from '../../platform/languages/translate.ts'
import { findLead } from '../leads/store.ts'
import { compareLeads } from './compare-leads.ts'
import { DuplicatesQuery, LeadMerge, LeadPair, OtherLead } from './contract.ts'
import { duplicatesOfLead, listDuplicates } from './list-duplicates.ts'
import { mergeLeads } from './merge-leads.ts'
import { undoMerge } from './undo-merge.ts'

/** Admins and Managers merge leads that they see, and are shown which ones may be duplicates. */
export const duplicateRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async ({ webCaller }) => {
      if (webCaller.user.role === 'Agent')
        throw forbidden('PERMISSION_DENIED', msg`Only Admins and Managers may merge leads.`)
    })

    app.get('/duplicates', { schema: { querystring: DuplicatesQuery } }, async ({ webCaller, query }) => {
      const { limit = 25, offset = 0 } = query
      const { total, data } = await listDuplicates(database, webCaller, { limit, offset })
      return { data, pagination: { limit, offset, total, has_more: offset + data.length < total } }
    })

    app.post('/duplicates/dismissals', { schema: { body: LeadPair } }, async ({ webCaller, body }, reply) => {
      const { account_id } = webCaller
      const [first, second] = [body.lead_id, body.other_id].sort()
      await asActor(database, webCaller, async (tx) => {
        for (const [field, id] of Object.entries(body))
          if (!(await findLead(tx, account_id, id))) throw notFound(msg`No lead with this ${{ field }}.`, field)

        await actAs(tx, forWholeAccount(webCaller))
        const { count } = await tx`update lead_conflicts set dismissed_at = ${clock()}
          where account_id = ${account_id} and lead_id = ${first!} and other_lead_id = ${second!} and dismissed_at is null`
        if (count === 0) return
        const details = { other_lead: body.other_id }
        await recordAudit(tx, webCaller, {
          action: 'lead.duplicate_dismissed',
          subject_id: body.lead_id,
          details,
        })
      })
      return reply.code(201).send({ data: { dismissed: true } })
    })

    app.get('/leads/:id/duplicates', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const data = await duplicatesOfLead(database, webCaller, id, clock())
      if (!data) throw notFound(msg`No lead with this id.`)
      return { data }
    })

    app.get(
      '/leads/:id/comparison',
      { schema: { params: IdParameter, querystring: OtherLead } },
      async ({ webCaller, headers, params: { id }, query: { other_id } }, reply) => {
        const language = acceptedLanguage(headers['accept-language'])
        const compared = await compareLeads(database, webCaller, { keptId: id, otherId: other_id, language })
        return reply.type('application/json; charset=utf-8').send(compared)
      },
    )

    app.post(
      '/leads/:id/merge',
      { schema: { params: IdParameter, body: LeadMerge } },
      async ({ webCaller, params: { id }, body }) => {
        await mergeLeads(database, webCaller, id, body, { at: clock(), by: webCaller.user.name })
        return { data: { id, merged_id: body.other_id } }
      },
    )

    app.delete('/leads/:id/merge', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const restored = await undoMerge(database, webCaller, id, { at: clock(), by: webCaller.user.name })
      return { data: { id, restored_id: restored } }
    })
  }
