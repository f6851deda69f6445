import { perMinute } from './contract.ts'

/**
 * Returns a function that decides which requests are logged: the first of each minute, more of those that failed. So a busy key
 * costs little, and hides no other.
 */
export function keepSome(now: () => number = () => performance.now()) {
  let minute = Number.NaN
  const counts = {
    failed: { ofSource: new Map<string, number>(), ofAccount: new Map<string, number>() },
    succeeded: { ofSource: new Map<string, number>(), ofAccount: new Map<string, number>() },
  }
  return (accountId: string, sourceId: string, outcome: keyof typeof perMinute): boolean => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) {
      minute = current
      for (const { ofSource, ofAccount } of Object.values(counts)) for (const one of [ofSource, ofAccount]) one.clear()
    }
    const { ofSource, ofAccount } = counts[outcome]
    const limits = perMinute[outcome]
    return isWithin(ofSource, sourceId, limits.ofSource) && isWithin(ofAccount, accountId, limits.ofAccount)
  }
}

function isWithin(counts: Map<string, number>, id: string, limit: number): boolean {
  const count = counts.get(id) ?? 0
  if (count >= limit) return false
  counts.set(id, count + 1)
  return true
}
