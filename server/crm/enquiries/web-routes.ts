import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { notFound } from '../../platform/http/problem.ts'
import { EnquiriesQuery } from './contract.ts'
import { readEnquiries } from './store.ts'

/** The older enquiries of a lead. Its newest ones come with its page. */
export const enquiryWebRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/leads/:id/enquiries',
      { schema: { params: IdParameter, querystring: EnquiriesQuery } },
      async ({ webCaller, params: { id }, query: { before } }, reply) => {
        const { account_id } = webCaller
        const page = await readAsActor(database, webCaller, async (tx) => {
          const [lead] = await tx`select 1 from leads where account_id = ${account_id} and id = ${id}`
          return lead ? readEnquiries(tx, { accountId: account_id, leadId: id, before }) : null
        })
        if (page === null) throw notFound(msg`No lead with this id.`)
        return reply.type('application/json; charset=utf-8').send(`{"data":${page}}`)
      },
    )
  }
