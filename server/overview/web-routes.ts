import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TransactionSql } from 'postgres'
import { accountOf } from '../account/users.ts'
import { readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { type DateWindow, dateWindow, instantText, istDay } from '../http/date-window.ts'
import type { WebCaller } from '../sign-in/require-session.ts'
import { callDays, leadDays } from './by-day.ts'
import { type Overview, OverviewQuery } from './contract.ts'
import { countCalls, countLeads, countPeople, countUnreturned, medianToFirstCall } from './leads-and-calls.ts'
import { isSilent } from './silence.ts'
import { cutByWebhook, ignoredByWebhook, refusedByWebhook, rhythms } from './webhook-health.ts'

/** What came in and what was done with it, at a glance. */
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
        const asked = <T>(question: (tx: TransactionSql) => Promise<T>) => readAsActor(database, webCaller, question)
        const [leads, calls, people, first_call, missed_calls, webhooks] = await Promise.all([
          asked((tx) => countLeads(tx, webCaller, window)),
          asked((tx) => countCalls(tx, webCaller, window)),
          byPerson(database, webCaller, window),
          asked((tx) => medianToFirstCall(tx, webCaller, window)),
          asked((tx) => countUnreturned(tx, webCaller, window)),
          webCaller.person.role === 'Admin'
            ? asked((tx) => webhookHealth(tx, webCaller.account_id, window, now))
            : null,
        ])
        const { first_day: from_date, last_day: to_date } = window
        return {
          data: {
            ...{ from_date, to_date, leads: leadDays(window, leads), calls: callDays(window, calls), people },
            first_call: { median_seconds: first_call.seconds, leads: first_call.leads },
            missed_calls,
            ...(webhooks ?? {}),
          },
        }
      },
    )
  }

async function byPerson(database: Database, caller: WebCaller, window: DateWindow) {
  const counted = await readAsActor(database, caller, (tx) => countPeople(tx, caller, window))
  const { users } = await accountOf(database, caller.account_id)
  return counted
    .map(({ assigned_to, leads, calls }) => {
      const person = users.find(({ id }) => id === assigned_to)
      return { name: person?.name ?? null, email: person?.email ?? null, leads, calls }
    })
    .sort((one, other) => other.leads - one.leads || other.calls - one.calls)
}

async function webhookHealth(tx: TransactionSql, accountId: string, window: DateWindow, now: Date) {
  const refused = await refusedByWebhook(tx, accountId, window)
  const ignored = await ignoredByWebhook(tx, accountId, window)
  const cut_deliveries = await cutByWebhook(tx, accountId, window)
  const silent = (await rhythms(tx, accountId)).filter((webhook) => isSilent(webhook, now))
  return {
    refused_deliveries: {
      total: refused.reduce((sum, webhook) => sum + webhook.refused, 0),
      newest_at: refused[0] ? instantText(refused[0].newest_at) : null,
      webhooks: refused.map((webhook) => ({ ...webhook, newest_at: instantText(webhook.newest_at) })),
    },
    ignored_deliveries: ignored.map((webhook) => ({ ...webhook, newest_at: instantText(webhook.newest_at) })),
    cut_deliveries,
    silent_webhooks: silent.map(({ webhook_id, name, last_at }) => ({
      webhook_id,
      name,
      last_at: instantText(last_at),
    })),
  }
}
