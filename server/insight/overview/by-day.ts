import type { DateWindow } from '../../platform/http/date-window.ts'
import '../../platform/http/temporal.ts'

type Amounts = Record<string, number>

/** Only the largest sources are listed by name: sources are free text, so there may be very many. */
const maxSources = 8
const otherSources = 'Other'

interface LeadCount {
  day: string
  source: string | null
  status: string | null
  n: number
}

/** Returns the counts of every day of the window, empty days too, and the sums. */
export function leadDays(window: DateWindow, counts: LeadCount[]) {
  const bySource = counts.filter((count) => count.source !== null).map((count) => ({ ...count, key: count.source! }))
  const byStatus = counts.filter((count) => count.status !== null).map((count) => ({ ...count, key: count.status! }))
  const named = Object.keys(sums(bySource)).slice(0, maxSources)
  const grouped = bySource.map((count) => (named.includes(count.key) ? count : { ...count, key: otherSources }))
  const days = daysOf(window).map((day) => {
    const [by_source, by_status] = [grouped, byStatus].map((all) => sums(all.filter((count) => count.day === day)))
    return { day, total: total(by_status!), by_source: by_source!, by_status: by_status! }
  })
  return { total: total(sums(byStatus)), by_source: sums(grouped), by_status: sums(byStatus), days }
}

export function callDays(window: DateWindow, counts: { day: string; outcome: string; n: number }[]) {
  const byOutcome = counts.map((count) => ({ ...count, key: count.outcome }))
  const days = daysOf(window).map((day) => {
    const by_outcome = sums(byOutcome.filter((count) => count.day === day))
    return { day, total: total(by_outcome), by_outcome }
  })
  return { total: total(sums(byOutcome)), by_outcome: sums(byOutcome), days }
}

/** Sums by key, the largest first. */
function sums(counts: { key: string; n: number }[]): Amounts {
  const amounts = new Map<string, number>()
  for (const { key, n } of counts) amounts.set(key, (amounts.get(key) ?? 0) + n)
  return Object.fromEntries([...amounts].sort(([, one], [, other]) => other - one))
}

const total = (amounts: Amounts) => Object.values(amounts).reduce((sum, n) => sum + n, 0)

function daysOf({ first_day, last_day }: DateWindow): string[] {
  const days: string[] = []
  const last = Temporal.PlainDate.from(last_day)
  for (
    let day = Temporal.PlainDate.from(first_day);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  )
    days.push(day.toString())
  return days
}
