import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { dateWindow, daysBeforeToday } from '../../platform/http/date-window.ts'
import { instantText, istDay } from '../../platform/http/instants.ts'
import { AuditExport, AuditPage, AuditQuery } from './contract.ts'
import { exportAudit } from './export-audit.ts'
import { recordAudit } from './record.ts'
import { readAudit } from './store.ts'

/** Admins read the audit log, newest first. */
export const auditRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/audit',
      { schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
      async ({ webCaller, query }) => {
        const { limit = 50 } = query
        const filter = { ...query, ...daysOf(query, clock()), limit: limit + 1 }
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

    app.get('/audit.csv', { schema: { querystring: AuditExport } }, async ({ webCaller, query }, reply) => {
      const now = clock()
      const filter = { ...query, ...daysOf(query, now), limit: 0 }
      await asActor(database, { ...webCaller, silent: true }, (tx) =>
        recordAudit(tx, webCaller, { action: 'audit_log.exported', details: { ...query } }),
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="audit-log-${istDay(now)}.csv"`)
        .send(Readable.from(exportAudit(database, webCaller, filter)))
    })
  }

function daysOf(query: { from_date?: string; to_date?: string }, now: Date) {
  const window = dateWindow(query, now, daysBeforeToday.web)
  return {
    from: query.from_date === undefined ? null : window.from,
    until: query.to_date === undefined ? null : window.until,
  }
}
