export interface KeptAnswer {
  /** When it came, in milliseconds. */
  at: number
  data: unknown
}

export const limits = { answers: 60, characters: 500_000, ageMs: 3 * 86_400_000 }

/** Returns the newest answers that the limits allow. */
export function withinLimits(answers: Record<string, KeptAnswer>, now: number): Record<string, KeptAnswer> {
  const newest = Object.entries(answers)
    .filter(([, { at }]) => now - at < limits.ageMs)
    .sort(([, one], [, other]) => other.at - one.at)
    .slice(0, limits.answers)
  let room = limits.characters
  const fits = ([, { data }]: [string, KeptAnswer]) => {
    const size = JSON.stringify(data).length
    if (size > room) return false
    room -= size
    return true
  }
  return Object.fromEntries(newest.filter(fits))
}
