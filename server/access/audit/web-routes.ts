import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { dateWindow, daysBeforeToday } from '../../platform/http/date-window.ts'
import { instantText, istDay } from '../../platform/http/instants.ts'
import { sendTable, tableFormats } from '../../platform/http/send-table.ts'
import { AuditExport, AuditPage, AuditQuery } from './contract.ts'
import { auditFileColumns, readAuditForFile } from './export-audit.ts'
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

    for (const format of tableFormats)
      app.get(`/audit.${format}`, { schema: { querystring: AuditExport } }, async ({ webCaller, query }, reply) => {
        const now = clock()
        const filter = { ...query, ...daysOf(query, now), limit: 0 }
        await asActor(database, { ...webCaller, silent: true }, (tx) =>
          recordAudit(tx, webCaller, { action: 'audit_log.exported', details: { ...query } }),
        )
        const rows = readAuditForFile(database, webCaller, filter)
        return sendTable(reply, format, `audit-log-${istDay(now)}`, {
          name: 'Audit log',
          columns: auditFileColumns,
          rows,
        })
      })
  }

function daysOf(query: { from_date?: string; to_date?: string }, now: Date) {
  const window = dateWindow(query, now, daysBeforeToday.web)
  return {
    from: query.from_date === undefined ? null : window.from,
    until: query.to_date === undefined ? null : window.until,
  }
}
