import type { TransactionSql } from '../../../platform/database/sql.ts'
import { instantText, istDay } from '../../../platform/http/instants.ts'
import type { ListedWebhook } from '../contract.ts'
import { type DayOfDeliveries, deliveriesByDay, ignoredNeedingAttention } from './counts.ts'
import { ignoredSince } from './ignored-since.ts'
import { lastDeliveries } from './store.ts'

type Activity = Pick<ListedWebhook, 'last_delivery' | 'attention' | 'ignored_since' | 'today' | 'days'>

const shownDays = 14
const dayLength = 86_400_000

/** Returns the activity of the account's webhooks, or of one: counts by day, the last delivery, what needs attention. */
export async function describeActivity(
  tx: TransactionSql,
  accountId: string,
  now: Date,
  webhookId: string | null = null,
): Promise<(webhookId: string) => Activity> {
  const days = Array.from({ length: shownDays }, (_, index) =>
    istDay(new Date(now.getTime() - (shownDays - 1 - index) * dayLength)),
  )
  const [counts, last] = [
    Map.groupBy(await deliveriesByDay(tx, accountId, days[0]!, webhookId), (count) => count.webhook_id),
    new Map((await lastDeliveries(tx, accountId, webhookId)).map((delivery) => [delivery.webhook_id, delivery])),
  ]
  const attention = new Map(
    (await ignoredNeedingAttention(tx, accountId, days[0]!, webhookId)).map(({ webhook_id, ignored }) => [
      webhook_id,
      ignored,
    ]),
  )
  return (id) => {
    const byDay = days.map((day) => dayOf(day, counts.get(id) ?? []))
    const { created, merged, rejected, ignored } = byDay.at(-1)!
    const waiting = counts.get(id)?.find(({ day }) => day === days.at(-1))?.waiting ?? 0
    const newest = last.get(id)
    return {
      last_delivery: newest ? { received_at: instantText(newest.received_at), outcome: newest.outcome } : null,
      attention: attention.get(id) ?? 0,
      ignored_since: ignoredSince(byDay),
      today: { received: created + merged + rejected + ignored + waiting, rejected, waiting },
      days: byDay,
    }
  }
}

function dayOf(day: string, counts: DayOfDeliveries[]) {
  const { created = 0, merged = 0, rejected = 0, ignored = 0 } = counts.find((one) => one.day === day) ?? {}
  return { day, created, merged, rejected, ignored }
}
