import { istDay, wholeSecond } from '../../platform/http/instants.ts'
import { around, type Random } from './chance.ts'

const [hour, day] = [3_600_000, 24 * 3_600_000]

/** The weight of each hour of an Indian day. */
const hours = [2, 1, 1, 1, 1, 2, 4, 8, 16, 32, 46, 50, 46, 36, 38, 44, 48, 50, 44, 36, 30, 22, 12, 5]
/** The weight of each weekday, from Sunday. */
const weekdays = [0.42, 1.12, 1.1, 1.05, 1.05, 1, 0.78]

interface Span {
  from: number
  length: number
  /** The share of all leads before its end. */
  upTo: number
}

/**
 * Returns a function from a share, 0 for the first lead to 1 for the last, to a time within the last `days` days in
 * India. The times are in order, so that a batch has few different days.
 */
export function spreadOver(days: number, now: Date, random: Random): (share: number) => Date {
  const today = Date.parse(`${istDay(now)}T00:00:00+05:30`)
  const spans: (Span & { weight: number })[] = []
  for (let back = days - 1; back >= 0; back--) {
    const midnight = today - back * day
    const busy = weekdays[new Date(`${istDay(new Date(midnight))}T00:00:00Z`).getUTCDay()]! * around(1, 0.12, random)
    for (const [index, weight] of hours.entries()) {
      const from = midnight + index * hour
      const length = Math.min(hour, now.getTime() - from)
      if (length > 0) spans.push({ from, length, upTo: 0, weight: (weight * busy * length) / hour })
    }
  }
  const all = spans.reduce((sum, { weight }) => sum + weight, 0)
  let before = 0
  for (const span of spans) {
    before += span.weight / all
    span.upTo = before
  }
  return (share) => momentAt(spans, share, now)
}

function momentAt(spans: Span[], share: number, now: Date): Date {
  let [low, high] = [0, spans.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (share < spans[middle]!.upTo) high = middle
    else low = middle + 1
  }
  const span = spans[low]
  // Exactly at midnight the first day has no length yet.
  if (!span) return wholeSecond(now)
  const before = spans[low - 1]?.upTo ?? 0
  const within = Math.min((share - before) / (span.upTo - before), 1)
  return wholeSecond(new Date(span.from + within * span.length))
}
