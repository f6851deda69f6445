import type { ListedWebhook } from '../contract.ts'

type Day = ListedWebhook['days'][number]

/** From so many ignored deliveries, which are so large a part of all, after days on which few were. */
const fewest = 5
const part = 0.25
const usualPart = 0.1

/**
 * Returns since when a webhook ignores many deliveries, though it made leads of nearly all before: the form has changed. Null if it does
 * not. The days are given oldest first.
 */
export function ignoredSince(days: Day[]): { day: string; ignored: number; received: number } | null {
  let found: { day: string; ignored: number; received: number; rise: number } | null = null
  for (let at = 1; at < days.length; at++) {
    if (days[at]!.ignored === 0) continue
    const [before, since] = [total(days.slice(0, at)), total(days.slice(at))]
    if (before.leads < fewest || since.ignored < fewest) continue
    const [was, is] = [before.ignored / before.received, since.ignored / since.received]
    if (was >= usualPart || is < part) continue
    const { ignored, received } = since
    if (found === null || is - was > found.rise) found = { day: days[at]!.day, ignored, received, rise: is - was }
  }
  return found && { day: found.day, ignored: found.ignored, received: found.received }
}

function total(days: Day[]) {
  const sum = { leads: 0, ignored: 0, received: 0 }
  for (const { created, merged, rejected, ignored } of days) {
    sum.leads += created + merged
    sum.ignored += ignored
    sum.received += created + merged + rejected + ignored
  }
  return sum
}
