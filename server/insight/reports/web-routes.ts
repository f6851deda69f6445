import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAccount } from '../../access/account/users.ts'
import { requirePermission } from '../../access/sign-in/require-session.ts'
import { coldBefore } from '../../crm/leads/follow-up.ts'
import { type Actor, asActor, maySee, readAsActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { istDay } from '../../platform/http/instants.ts'
import { enquiriesBySource, leadsBySource, rejectedBySource } from './by-source.ts'
import {
  callsByCaller,
  currentByOwner,
  leadsByOwner,
  missedByOwner,
  type ReportFilters,
  timesToFirstCall,
} from './by-user.ts'
import { ReportQuery, SourceCost, type SourceReport, type UserReport } from './contract.ts'
import { sourceCsv, userCsv } from './csv.ts'
import { comparedPeriods } from './period.ts'
import { readCosts, saveCost } from './source-costs.ts'
import { sourceReport } from './source-report.ts'
import { userReport } from './user-report.ts'

/** Figures by user and by source. Everybody gets those of the leads and users that they see. */
export const reportRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/reports/users', { schema: { querystring: ReportQuery } }, async ({ webCaller, query }) => ({
      data: await readUserReport(database, webCaller, query, clock()),
    }))

    app.get('/reports/sources', { schema: { querystring: ReportQuery } }, async ({ webCaller, query }) => ({
      data: await readSourceReport(database, webCaller, query, clock()),
    }))

    app.get('/reports/users.csv', { schema: { querystring: ReportQuery } }, async ({ webCaller, query }, reply) => {
      requirePermission(webCaller, 'export')
      return sendCsv(reply, 'users', userCsv(await readUserReport(database, webCaller, query, clock())), clock())
    })

    app.get('/reports/sources.csv', { schema: { querystring: ReportQuery } }, async ({ webCaller, query }, reply) => {
      requirePermission(webCaller, 'export')
      const all = await readSourceReport(database, webCaller, query, clock(), Number.POSITIVE_INFINITY)
      return sendCsv(reply, 'sources', sourceCsv(all), clock())
    })
  }

export const reportAdminRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.put('/reports/costs', { schema: { body: SourceCost } }, async ({ webCaller, body }) => {
      await asActor(database, webCaller, (tx) => saveCost(tx, webCaller, body))
      return { data: body }
    })
  }

async function readUserReport(database: Database, actor: Actor, query: ReportQuery, now: Date): Promise<UserReport> {
  const { account, users, filters, report } = await prepare(database, actor, query, now)
  const read = reading(database, actor)
  const [leads, waits, calls, missed, current] = await Promise.all([
    read((tx) => leadsByOwner(tx, actor, filters)),
    read((tx) => timesToFirstCall(tx, actor, filters)),
    read((tx) => callsByCaller(tx, actor, filters)),
    read((tx) => missedByOwner(tx, actor, filters)),
    read((tx) => currentByOwner(tx, actor, { filters, now, coldBefore: coldBefore(account, now) })),
  ])
  return { ...report, ...userReport(users, { leads, waits, calls, missed, current }) }
}

async function readSourceReport(
  database: Database,
  actor: Actor,
  query: ReportQuery,
  now: Date,
  maxRows?: number,
): Promise<SourceReport> {
  const { filters, report } = await prepare(database, actor, query, now)
  const window = filters.periods.now
  const read = reading(database, actor)
  const of = <T extends { source: string }>(rows: readonly T[]) =>
    rows.filter(({ source }) => query.source === undefined || source === query.source)
  const [leads, enquiries, ofAccount] = await Promise.all([
    read((tx) => leadsBySource(tx, actor, filters)),
    read((tx) => enquiriesBySource(tx, actor, filters)),
    // Not from a replica, which may not have the cost that was just entered.
    filters.users === null
      ? readAsActor(database, actor, async (tx) => ({
          rejected: of(await rejectedBySource(tx, actor.account_id, window)),
          costs: of(await readCosts(tx, actor.account_id, window)),
        }))
      : null,
  ])
  return {
    ...report,
    ...sourceReport(window, { leads, enquiries, ofAccount }, maxRows),
    ...(ofAccount ? { costs: ofAccount.costs } : {}),
  }
}

/** The users of a report are those whose leads the actor sees; an Admin's also counts what belongs to no user. */
async function prepare(database: Database, actor: Actor, { team, source, ...dates }: ReportQuery, now: Date) {
  const account = await findAccount(database, actor.account_id)
  const seen = account.users.filter((user) => maySee(actor, user.id))
  const users = team === undefined ? seen : seen.filter((user) => user.team === team)
  const periods = comparedPeriods(dates, now)
  const isOfAll = actor.sees === 'all' && team === undefined
  const filters: ReportFilters = { periods, source, users: isOfAll ? null : users.map(({ id }) => id) }
  const daysOf = ({ first_day, last_day }: typeof periods.now) => ({ from_date: first_day, to_date: last_day })
  const teams = [...new Set(seen.flatMap(({ team }) => team ?? []))].sort((one, other) => one.localeCompare(other))
  return { account, users, filters, report: { ...daysOf(periods.now), before: daysOf(periods.before), teams } }
}

/** How many leads a period has differs too much for one plan. */
const reading =
  (database: Database, actor: Actor) =>
  <T>(query: (tx: TransactionSql) => Promise<T>) =>
    readReplicaAsActor(database, actor, async (tx) => {
      await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
      return query(tx)
    })

interface Reply {
  type(name: string): Reply
  header(name: string, value: string): Reply
  send(body: string): unknown
}

function sendCsv(reply: Reply, of: string, csv: string, now: Date) {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="report-${of}-${istDay(now)}.csv"`)
    .send(csv)
}
