import type { RingingCall } from '#contract/telephony/ringing'

type Call = Pick<RingingCall, 'id' | 'state' | 'is_own' | 'started_at'>

interface Use {
  /** Made small by the user, or by itself after the call. */
  small: ReadonlySet<string>
  /** The card with the focus. */
  usedId: string | null
  /** The calls whose form is edited, the last used one first. */
  edited: readonly string[]
  max: number
}

/**
 * Returns which calls have a full card: the one in use, then that of the user, calls that ring, which no one makes small, edited forms, and
 * the newest.
 */
export function fullCards(calls: readonly Call[], { small, usedId, edited, max }: Use): Set<string> {
  const rank = ({ id, state, is_own }: Call) => {
    if (id === usedId) return 0
    if (state === 'answered' && is_own) return 1
    if (state === 'ringing') return 2
    return edited.includes(id) ? 3 + edited.indexOf(id) : Number.POSITIVE_INFINITY
  }
  const wanted = calls.filter(({ id, state }) => state === 'ringing' || !small.has(id))
  // Two of the last rank differ by no number.
  const order = (one: Call, other: Call) =>
    rank(one) === rank(other) ? Date.parse(other.started_at) - Date.parse(one.started_at) : rank(one) - rank(other)
  return new Set(
    wanted
      .toSorted(order)
      .slice(0, max)
      .map(({ id }) => id),
  )
}
