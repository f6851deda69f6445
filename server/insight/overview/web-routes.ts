import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Account, findAccount, type User } from '../../access/account/users.ts'
import { unassigned } from '../../crm/counts/tables.ts'
import { readAsActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { type DateWindow, dateWindow } from '../../platform/http/date-window.ts'
import { instantText, istDay } from '../../platform/http/instants.ts'
import '../../platform/http/temporal.ts'
import { coldBefore } from '../../crm/leads/follow-up.ts'
import { describeActivity } from '../../intake/webhooks/deliveries/activity.ts'
import { isSilent } from '../../intake/webhooks/silence.ts'
import {
  cutByWebhook,
  deliveryFrequencies,
  ignoredByWebhook,
  rejectedByWebhook,
  unsureWebhooks,
} from '../../intake/webhooks/webhook-health.ts'
import { listPendingLines } from '../../telephony/phone-lines/store.ts'
import { callDays, leadDays } from './by-day.ts'
import { type Overview, OverviewQuery } from './contract.ts'
import {
  countCalls,
  countGoingCold,
  countLeads,
  countLeadsByOwner,
  countMissedCalls,
  countRepeatEnquiries,
  medianTimeToFirstCall,
  sumDeals,
  sumWon,
  sumWonByMonth,
} from './leads-and-calls.ts'

/** Leads, calls and, for Admins, webhooks and phone lines that need attention. */
export const overviewRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/overview',
      { schema: { querystring: OverviewQuery } },
      async ({ webCaller, query: { days = 30 } }): Promise<{ data: Overview }> => {
        const now = clock()
        const first = Temporal.PlainDate.from(istDay(now)).subtract({ days: days - 1 })
        const window = dateWindow({ from_date: first.toString() }, now)
        const months = lastMonths(istDay(now))
        const account = await findAccount(database, webCaller.account_id)
        const { users } = account
        const read = <T>(query: (tx: TransactionSql) => Promise<T>) => readReplicaAsActor(database, webCaller, query)
        const [
          leads,
          calls,
          deals,
          won,
          wonByMonth,
          owned,
          first_call,
          missed_calls,
          enquiries,
          going_cold,
          attention,
        ] = await Promise.all([
          read((tx) => countLeads(tx, webCaller, window)),
          read((tx) => countCalls(tx, webCaller, window)),
          read((tx) => sumDeals(tx, webCaller, window)),
          read((tx) => sumWon(tx, webCaller, window)),
          read((tx) => sumWonByMonth(tx, webCaller, dateWindow({ from_date: `${months.at(-1)}-01` }, now).from)),
          read((tx) => countLeadsByOwner(tx, webCaller, { window, owners: users.map(({ id }) => id) })),
          read((tx) => medianTimeToFirstCall(tx, webCaller, window)),
          read((tx) => countMissedCalls(tx, webCaller, window)),
          read((tx) => countRepeatEnquiries(tx, webCaller, window)),
          webCaller.user.role === 'Agent'
            ? null
            : read((tx) => countGoingCold(tx, webCaller, coldBefore(account, now))),
          // Not from a replica, which may still show what an Admin has just fixed.
          webCaller.user.role === 'Admin'
            ? readAsActor(database, webCaller, (tx) => needsAttention(tx, webCaller.account_id, window, now))
            : null,
        ])
        const { first_day: from_date, last_day: to_date } = window
        return {
          data: {
            from_date,
            to_date,
            leads: leadDays(window, leads),
            calls: callDays(window, calls.byDay),
            ...byPerson(users, owned, calls.byCaller),
            first_call,
            missed_calls,
            deals: { ...dealsOf(account, deals), won: won / 100 },
            won_by_month: months.map((month) => ({
              month,
              value: Number(wonByMonth.find((row) => row.month === month)?.paise ?? 0) / 100,
            })),
            repeat_enquiries: {
              total: enquiries.reduce((sum, { n }) => sum + n, 0),
              by_source: Object.fromEntries(enquiries.map(({ source, n }) => [source, n])),
            },
            ...(going_cold === null ? {} : { going_cold }),
            ...(attention ?? {}),
          },
        }
      },
    )
  }

/** The month of a day and the five before, as 2026-11. */
function lastMonths(today: string): string[] {
  const month = Temporal.PlainYearMonth.from(today.slice(0, 7))
  return Array.from({ length: 6 }, (_, months) => month.subtract({ months }).toString())
}

interface Counted {
  user_id: string | null
  n: number
}

function byPerson(users: User[], leads: Counted[], calls: Counted[]) {
  const countOf = (counted: Counted[], id: string | null) => counted.find(({ user_id }) => user_id === id)?.n ?? 0
  return {
    people: users
      .map(({ id, name, email }) => ({ name, email, leads: countOf(leads, id), calls: countOf(calls, id) }))
      .filter((person) => person.leads > 0 || person.calls > 0)
      .sort((one, other) => other.leads - one.leads || other.calls - one.calls),
    unassigned_leads: countOf(leads, unassigned),
    unknown_calls: countOf(calls, null),
  }
}

function dealsOf({ winProbabilities }: Account, sums: { status: string; paise: string }[]) {
  const by_status = Object.fromEntries(sums.map(({ status, paise }) => [status, Number(paise) / 100]))
  const expected = Object.entries(winProbabilities).reduce(
    (sum, [status, percent]) => sum + (by_status[status] ?? 0) * percent,
    0,
  )
  return { by_status, expected: Math.round(expected) / 100 }
}

async function needsAttention(tx: TransactionSql, accountId: string, window: DateWindow, now: Date) {
  const rejected = await rejectedByWebhook(tx, accountId, window)
  const ignored = await ignoredByWebhook(tx, accountId, window)
  const cut_deliveries = await cutByWebhook(tx, accountId, window)
  const webhooks = await deliveryFrequencies(tx, accountId)
  const silent = webhooks.filter((webhook) => isSilent(webhook, now))
  const activityOf = await describeActivity(tx, accountId, now)
  return {
    rejected_deliveries: {
      total: rejected.reduce((sum, webhook) => sum + webhook.rejected, 0),
      newest_at: rejected[0] ? instantText(rejected[0].newest_at) : null,
      webhooks: rejected.map(({ rejected, newest_at, ...webhook }) => ({
        ...webhook,
        rejected,
        newest_at: instantText(newest_at),
      })),
    },
    ignored_deliveries: ignored.map((webhook) => ({ ...webhook, newest_at: instantText(webhook.newest_at) })),
    changed_webhooks: webhooks.flatMap(({ webhook_id, name }) => {
      const since = activityOf(webhook_id).ignored_since
      return since ? [{ webhook_id, name, ...since }] : []
    }),
    cut_deliveries,
    unsure_webhooks: await unsureWebhooks(tx, accountId),
    silent_webhooks: silent.map(({ webhook_id, name, last_at }) => ({
      webhook_id,
      name,
      last_at: instantText(last_at),
    })),
    pending_phone_lines: (await listPendingLines(tx, accountId)).length,
  }
}
