import type { Account, User } from '../../access/account/users.ts'
import { availabilityAt, availableFrom, hoursOf } from '../../crm/availability/availability.ts'
import { afterWorkingMinutes, isWithin } from '../../crm/availability/hours.ts'
import type { DistributionRule } from '../../crm/distribution/choose-assignee.ts'
import type { Share } from '../../crm/distribution/share-evenly.ts'

export interface WaitingLead {
  rule_id: string
  user_id: string
  /** All who had the lead. */
  had: string[]
  /** When the present owner got it. */
  since: Date
  /** The present owner. */
  assigned_to: string | null
  /** Whether it was called, or a user changed it, since the owner has it. */
  isTouched: boolean
  /** Whether a telephone system reports a call with it now. */
  isBeingCalled: boolean
}

export type PassOnStep =
  /** To one of these users. */
  | { do: 'pass on'; to: Share[]; since: Date; rule: DistributionRule & { pass_on_after: number } }
  | { do: 'wait'; until: Date }
  | { do: 'end' }

const minute = 60_000
/** In case a user is back earlier than planned, or all have reached the limit of the day. */
export const maxWaitMs = 60 * minute
const callLasts = 2 * minute

/** Decides what happens to a new lead whose owner has had it for the minutes of its rule. */
export function nextPassOn(
  lead: WaitingLead,
  { account, rules, now }: { account: Account; rules: DistributionRule[]; now: Date },
): PassOnStep {
  const rule = rules.find(({ id }) => id === lead.rule_id)
  if (!rule || rule.pass_on_after === null || lead.isTouched || lead.assigned_to !== lead.user_id) return { do: 'end' }
  if (rule.paused) return { do: 'wait', until: new Date(now.getTime() + minute) }
  const owner = account.users.find(({ id }) => id === lead.user_id)
  if (lead.isBeingCalled) return { do: 'wait', until: new Date(now.getTime() + callLasts) }
  // The service may have been stopped at that time, or the hours may have changed.
  if (owner?.active && !isWithin(hoursOf(account, owner), now))
    return { do: 'wait', until: afterWorkingMinutes(now, 1, hoursOf(account, owner)) }
  const isNext = ({ id, active }: User) =>
    active && !lead.had.includes(id) && rule.people.some((one) => one.user_id === id)
  const left = account.users.filter(isNext)
  if (left.length === 0) return { do: 'end' }
  const available = left.filter((user) => availabilityAt(account, user, now).state === 'available')
  const to = rule.people.filter(({ user_id }) => available.some(({ id }) => id === user_id))
  if (to.length > 0)
    return { do: 'pass on', to, since: lead.since, rule: { ...rule, pass_on_after: rule.pass_on_after } }
  const soonest = Math.min(...left.map((user) => availableFrom(account, user, now).getTime()))
  return {
    do: 'wait',
    until: new Date(Math.min(Math.max(soonest, now.getTime() + minute), now.getTime() + maxWaitMs)),
  }
}
