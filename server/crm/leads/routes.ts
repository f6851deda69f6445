import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAccount, userByEmail } from '../../access/account/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import { nextCursor, readCursor } from '../../platform/http/change-cursor.ts'
import { Deleted, IdParameter, Page } from '../../platform/http/contract.ts'
import { dateWindow } from '../../platform/http/date-window.ts'
import { problemResponses } from '../../platform/http/describe.ts'
import { sendPage } from '../../platform/http/pagination.ts'
import { Lead, LeadQuery } from './contract.ts'
import { insteadOfChange, leadDocs } from './description.ts'
import type { LeadFilters } from './lead-filters.ts'
import { listLeads } from './list-leads.ts'
import { listLeadsSince } from './list-leads-since.ts'
import { removeLead } from './remove-lead.ts'
import { findSources } from './source-names.ts'

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
        const { status, source, priority, assigned_to } = query
        const now = clock()
        const account = await findAccount(database, caller.account_id)
        const filters: LeadFilters = {
          window: dateWindow(query, now),
          status: status && [status],
          source: source === undefined ? undefined : await findSources(database, caller, [source]),
          priority: priority && [priority],
          owners:
            assigned_to === undefined ? undefined : [userByEmail(account, assigned_to)].filter((user) => user !== null),
          search: null,
        }
        const cursor = readCursor(query)
        if (cursor) {
          const page = await listLeadsSince(database, caller, { ...filters, cursor, limit, offset })
          return sendPage(reply, { ...page, next_cursor: nextCursor(cursor, page.last, now) }, { limit, offset })
        }
        const { capped, ...page } = await listLeads(database, caller, { ...filters, sort: 'newest', limit, offset })
        return sendPage(reply, { ...page, ...(capped ? { capped } : {}) }, { limit, offset })
      },
    )

    app.delete(
      '/leads/:id',
      {
        config: {
          instead: {
            ...insteadOfChange,
            GET: 'There is no route for one lead. GET /api/v1/leads lists leads.',
          },
        },
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
