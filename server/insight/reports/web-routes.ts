import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAccount } from '../../access/account/users.ts'
import { requirePermission } from '../../access/sign-in/require-session.ts'
import { asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { sendTable, tableFormats } from '../../platform/http/send-table.ts'
import { Goal, maxNames, OriginCost, OriginQuery, ReportQuery } from './contract.ts'
import { saveGoal } from './goals.ts'
import { saveCost } from './origin-costs.ts'
import { readOriginReport, readUserReport } from './read-report.ts'
import { originTable, userTable } from './tables.ts'

/** Figures by user and by origin: source, campaign, ad, form or product. Everybody gets those of the leads and users that they see. */
export const reportRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/reports/users', { schema: { querystring: ReportQuery } }, async ({ webCaller, query }) => ({
      data: await readUserReport(database, webCaller, query, clock()),
    }))

    app.get('/reports/origins', { schema: { querystring: OriginQuery } }, async ({ webCaller, query }) => ({
      data: await readOriginReport(database, webCaller, query, { now: clock(), maxRows: maxNames.page }),
    }))

    for (const format of tableFormats) {
      app.get(
        `/reports/users.${format}`,
        { schema: { querystring: ReportQuery } },
        async ({ webCaller, query }, reply) => {
          requirePermission(webCaller, 'export')
          const report = await readUserReport(database, webCaller, query, clock())
          return sendTable(reply, format, `report-users-${report.from_date}-to-${report.to_date}`, userTable(report))
        },
      )

      app.get(
        `/reports/origins.${format}`,
        { schema: { querystring: OriginQuery } },
        async ({ webCaller, query }, reply) => {
          requirePermission(webCaller, 'export')
          const report = await readOriginReport(database, webCaller, query, { now: clock(), maxRows: maxNames.file })
          return sendTable(
            reply,
            format,
            `report-${report.group_by}s-${report.from_date}-to-${report.to_date}`,
            originTable(report),
          )
        },
      )
    }
  }

export const reportAdminRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.put('/reports/costs', { schema: { body: OriginCost } }, async ({ webCaller, body }) => {
      await asActor(database, webCaller, (tx) => saveCost(tx, webCaller, body))
      return { data: body }
    })

    app.put('/reports/goals', { schema: { body: Goal } }, async ({ webCaller, body }) => {
      const account = await findAccount(database, webCaller.account_id)
      await asActor(database, webCaller, (tx) => saveGoal(tx, webCaller, account, body))
      return { data: body }
    })
  }
