import type { Rhythm } from './webhook-health.ts'

const hour = 3_600_000
const fortnight = 14 * 24 * hour

/** A webhook is silent after five times its usual pause, and not before a day: a quiet night is no fault. */
export function isSilent({ last_at, lately }: Pick<Rhythm, 'last_at' | 'lately'>, now: Date): boolean {
  const usualPause = fortnight / Math.max(lately, 1)
  return now.getTime() - last_at.getTime() > Math.max(24 * hour, 5 * usualPause)
}
