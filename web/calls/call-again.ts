import { toInstant, wallClock } from '../ui/wall-clock.ts'

const [hour, day] = [3_600_000, 86_400_000]

/** Usual times to call again, in India: later today, and at ten on later days. */
export function callAgainTimes(now = Date.now()): { label: string; at: string }[] {
  const atTen = (days: number) => Date.parse(toInstant(`${wallClock(now + days * day).slice(0, 10)}T10:00`))
  const weekday = new Date(`${wallClock(now)}Z`).getUTCDay()
  const untilMonday = (8 - weekday) % 7 || 7
  const times = [
    { label: 'In 1 hour', at: now + hour },
    { label: 'In 3 hours', at: now + 3 * hour },
    { label: 'Tomorrow 10:00', at: atTen(1) },
    ...(untilMonday > 1 ? [{ label: 'Monday 10:00', at: atTen(untilMonday) }] : []),
    { label: 'In a week', at: atTen(7) },
  ]
  // A Monday may be a week from now.
  const distinct = times.filter(({ at }, place) => times.findIndex((other) => other.at === at) === place)
  return distinct.map(({ label, at }) => ({ label, at: `${new Date(at).toISOString().slice(0, 19)}Z` }))
}
