import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAccount, userByEmail } from '../account/users.ts'
import type { Database } from '../database/connect.ts'
import { Deleted, IdParameter, Page } from '../http/contract.ts'
import { dateWindow } from '../http/date-window.ts'
import { problemResponses } from '../http/describe.ts'
import { readSince } from '../http/instants.ts'
import { sendPage } from '../http/pagination.ts'
import { Lead, LeadQuery } from './contract.ts'
import { leadDocs } from './description.ts'
import { listLeads } from './list-leads.ts'
import { removeLead } from './remove-lead.ts'

/** List and delete leads under /api/v1. */
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
