/** Round robin by weights: a smooth weighted one, whose users may come and go. */

export interface Share {
  user_id: string
  weight: number
}

/**
 * For each user, their share of the leads until now minus the leads that they got. It does not change while a user is away, so that
 * they do not catch up when they are back.
 */
export type Credits = Record<string, number>

/** Sums of shares are not exact. Of users with equal credits, the first one in the rule is next. */
const nearlyNothing = 1e-6

/** Returns who gets the next lead, and the credits after it. The time depends on the number of users, and not on the weights. */
export function nextAssignee(credits: Credits, people: Share[]): { user_id: string; credits: Credits } {
  const shared = addShares(credits, people, 1)
  let next = people[0]!.user_id
  for (const { user_id } of people) if (shared[user_id]! > shared[next]! + nearlyNothing) next = user_id
  return { user_id: next, credits: { ...shared, [next]: shared[next]! - 1 } }
}

/** Returns the credits as if the user had not got a lead that was shared among `people`. */
export function giveBack(credits: Credits, people: Share[], userId: string): Credits {
  const before = addShares(credits, people, -1)
  return { ...before, [userId]: (before[userId] ?? 0) + 1 }
}

function addShares(credits: Credits, people: Share[], sign: 1 | -1): Credits {
  const total = people.reduce((sum, { weight }) => sum + weight, 0)
  const shares = people.map(({ user_id, weight }) => [user_id, (credits[user_id] ?? 0) + (sign * weight) / total])
  return { ...credits, ...Object.fromEntries(shares) }
}
