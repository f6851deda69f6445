import type { RingingCall } from '#contract/telephony/ringing'

const order = ['ringing', 'answered', 'ended']

type Call = Pick<RingingCall, 'id' | 'state'>

interface Use {
  /** Made small by the user, or by itself after the call. */
  small: ReadonlySet<string>
  /** The card with the focus. */
  usedId: string | null
  max: number
}

/** Returns which calls have a full card: the one in use, and then calls that ring, which no one makes small. */
export function fullCards(calls: readonly Call[], { small, usedId, max }: Use): Set<string> {
  const rank = ({ id, state }: Call) => (id === usedId ? -1 : order.indexOf(state))
  const wanted = calls.filter(({ id, state }) => state === 'ringing' || !small.has(id))
  return new Set(
    wanted
      .toSorted((one, other) => rank(one) - rank(other))
      .slice(0, max)
      .map(({ id }) => id),
  )
}
