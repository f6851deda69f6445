import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { dateWindow } from '../http/date-window.ts'
import { instantText } from '../http/instants.ts'
import { AuditPage, AuditQuery } from './contract.ts'
import { readAudit } from './store.ts'

/** Admins read the audit log, newest first. */
export const auditRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/audit',
      { schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
      async ({ webCaller, query }) => {
        const { limit = 50, from_date, to_date } = query
        const window = dateWindow(query, clock())
        const filter = {
          ...query,
          limit: limit + 1,
          from: from_date === undefined ? null : window.from,
          until: to_date === undefined ? null : window.until,
        }
        const rows = await readAsActor(database, webCaller, (tx) => readAudit(tx, webCaller.account_id, filter))
        const page = rows.slice(0, limit)
        return {
          data: page.map(({ user_id, user_name, email, ...entry }) => ({
            ...entry,
            at: instantText(entry.at),
            user: user_id === null ? null : { id: user_id, name: user_name ?? '', email: email ?? '' },
          })),
          next: rows.length > limit ? page.at(-1)!.id : null,
        }
      },
    )
  }
