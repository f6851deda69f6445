import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { forbidden, notFound } from '../../platform/http/problem.ts'
import { acceptedLanguage } from '../../platform/languages/translate.ts'
import { compareLeads } from './compare-leads.ts'
import { Dismissal, DuplicatesQuery, LeadMerge, OtherLead } from './contract.ts'
import { dismissPairs } from './dismiss-pairs.ts'
import { countDuplicates, duplicatesOfLead, listDuplicates } from './list-duplicates.ts'
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

    app.get('/duplicates/count', async ({ webCaller }) => ({ data: await countDuplicates(database, webCaller) }))

    app.post('/duplicates/dismissals', { schema: { body: Dismissal } }, async ({ webCaller, body }, reply) => {
      await dismissPairs(database, webCaller, body.pairs, clock())
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
