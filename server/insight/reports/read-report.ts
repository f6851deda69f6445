import { findAccount } from '../../access/account/users.ts'
import { coldBefore } from '../../crm/leads/follow-up.ts'
import { findSources } from '../../crm/leads/source-names.ts'
import { type Actor, maySee, readAsActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { istDay } from '../../platform/http/instants.ts'
import { compareNames } from '../../platform/text/contract.ts'
import { countByOrigin, rejectedBySource } from './by-origin.ts'
import {
  callsByCaller,
  closedByOwner,
  currentByOwner,
  leadsByOwner,
  missedByOwner,
  openDeals,
  type ReportFilters,
  timesToFirstCall,
} from './by-user.ts'
import type { OriginQuery, OriginReport, ReportQuery, UserReport } from './contract.ts'
import { forecast } from './forecast.ts'
import { readGoals } from './goals.ts'
import { readCosts } from './origin-costs.ts'
import { originReport } from './origin-report.ts'
import { comparedPeriods, monthsOf } from './period.ts'
import { userReport } from './user-report.ts'

export async function readUserReport(
  database: Database,
  actor: Actor,
  query: ReportQuery,
  now: Date,
): Promise<UserReport> {
  const { account, users, filters, report } = await prepare(database, actor, query, now)
  const read = reading(database, actor)
  const goal_months = filters.source === undefined ? monthsOf(filters.periods.now, istDay(now)) : null
  const [leads, closed, waits, calls, missed, current, deals, goalsOfAll] = await Promise.all([
    read((tx) => leadsByOwner(tx, actor, filters)),
    read((tx) => closedByOwner(tx, actor, filters)),
    read((tx) => timesToFirstCall(tx, actor, filters)),
    read((tx) => callsByCaller(tx, actor, filters)),
    read((tx) => missedByOwner(tx, actor, filters)),
    read((tx) => currentByOwner(tx, actor, { filters, now, coldBefore: coldBefore(account, now) })),
    read((tx) => openDeals(tx, actor, { filters, today: istDay(now) })),
    // Not from a replica, which may not have the goal that was just set.
    goal_months ? readAsActor(database, actor, (tx) => readGoals(tx, actor.account_id, filters.periods.now)) : [],
  ])
  const emailOf = new Map(users.map(({ id, email }) => [id, email]))
  const goals = goalsOfAll.filter(({ user_id }) => emailOf.has(user_id))
  return {
    ...report,
    ...userReport(users, { leads, closed, waits, calls, missed, current, goals }),
    goal_months,
    goals: goals.map(({ user_id, ...goal }) => ({ email: emailOf.get(user_id)!, ...goal })),
    forecast: forecast(deals, account),
  }
}

export async function readOriginReport(
  database: Database,
  actor: Actor,
  { group_by: group = 'source', ...query }: OriginQuery,
  { now, maxRows }: { now: Date; maxRows: number },
): Promise<OriginReport> {
  const { filters, report } = await prepare(database, actor, query, now)
  const window = filters.periods.now
  const { source } = filters
  const isChosen = ({ name }: { name: string }) => source === undefined || name === source
  // A campaign may have leads of several sources, but one cost.
  const hasCosts = filters.users === null && (group === 'source' || source === undefined)
  // Not from a replica, which may not have the cost that was just entered.
  const ofAccount = hasCosts
    ? await readAsActor(database, actor, async (tx) => ({
        rejected: group === 'source' ? (await rejectedBySource(tx, actor.account_id, window)).filter(isChosen) : null,
        costs: (await readCosts(tx, actor.account_id, group, window)).filter(isChosen),
      }))
    : null
  const known = [...(ofAccount?.rejected ?? []), ...(ofAccount?.costs ?? [])].map(({ name }) => name)
  const read = reading(database, actor)
  const counted = await read((tx) => countByOrigin(tx, actor, filters, { group, known, maxRows }))
  return {
    ...report,
    group_by: group,
    ...originReport(window, { counted, ofAccount }),
    ...(ofAccount ? { costs: ofAccount.costs } : {}),
  }
}

/** The users of a report are those whose leads the actor sees; an Admin's also counts what belongs to no user. */
async function prepare(database: Database, actor: Actor, { team, source: wanted, ...dates }: ReportQuery, now: Date) {
  const [source] = await findSources(database, actor, wanted === undefined ? [] : [wanted])
  const account = await findAccount(database, actor.account_id)
  const seen = account.users.filter((user) => maySee(actor, user.id))
  const users = team === undefined ? seen : seen.filter((user) => user.team === team)
  const periods = comparedPeriods(dates, now)
  const isOfAll = actor.sees === 'all' && team === undefined
  const filters: ReportFilters = { periods, source, users: isOfAll ? null : users.map(({ id }) => id) }
  const daysOf = ({ first_day, last_day }: typeof periods.now) => ({ from_date: first_day, to_date: last_day })
  const teams = [...new Set(seen.flatMap(({ team }) => team ?? []))].sort(compareNames)
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
