export interface StoredAnswer {
  key: string
  /** When it came, in milliseconds. */
  at: number
  characters: number
}

export const limits = { answers: 60, characters: 500_000, ageMs: 3 * 86_400_000 }

/** Returns the keys of the answers to remove: the newest ones stay, as many as the limits allow. */
export function beyondLimits(answers: StoredAnswer[], now: number): string[] {
  let [count, room] = [limits.answers, limits.characters]
  return answers
    .toSorted((one, other) => other.at - one.at)
    .filter(({ at, characters }) => {
      if (!(now - at < limits.ageMs) || count === 0 || characters > room) return true
      count--
      room -= characters
      return false
    })
    .map(({ key }) => key)
}
