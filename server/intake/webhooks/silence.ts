import type { DeliveryFrequency } from './webhook-health.ts'

const hour = 3_600_000
const twoWeeks = 14 * 24 * hour

/** Returns whether a webhook has had no delivery for five times its usual interval, and for at least a day. */
export function isSilent({ last_at, recent }: Pick<DeliveryFrequency, 'last_at' | 'recent'>, now: Date): boolean {
  const usualInterval = twoWeeks / Math.max(recent, 1)
  return now.getTime() - last_at.getTime() > Math.max(24 * hour, 5 * usualInterval)
}
