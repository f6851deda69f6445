import type { Account } from '../../access/account/users.ts'
import { chooseAssignees, type DistributionRule, noEnquiryValues } from '../../crm/distribution/choose-assignee.ts'
import { keptOf } from '../../crm/enquiries/stored-enquiry.ts'
import type { LeadStatus } from '../../crm/leads/fields.ts'
import { chances, draw, type Random } from './chance.ts'
import type { FirstEnquiry } from './sample-enquiry.ts'

interface LeadToOwn {
  source: string
  city: string | null
  status: LeadStatus
  created_at: Date
  enquiry: FirstEnquiry | null
}

export interface Owner {
  id: string | null
  /** The rule that assigned the lead. */
  rule: { id: string; name: string; byFallback: boolean; because: string } | null
}

export type OwnerOf = (lead: LeadToOwn) => Owner

/** Returns a function that chooses owners: by the rules, or else mostly Agents. Some leads in New are unassigned. */
export function ownersAmong(account: Account, rules: DistributionRule[], random: Random): OwnerOf {
  const share = { Agent: 10, Manager: 6, Admin: 3 }
  const active = account.users.filter((user) => user.active).map(({ id, role }) => [id, share[role]] as const)
  const all = active.reduce((sum, [, weight]) => sum + weight, 0)
  const owners = chances<string | null>(all === 0 ? [[null, 1]] : active)
  const ownersOfNew = chances<string | null>([...active, [null, all === 0 ? 1 : all * 0.5]])
  return ({ enquiry, ...lead }) => {
    const values = enquiry ? { ...keptOf(enquiry.origin), answers: enquiry.answers } : noEnquiryValues
    const toAssign = { ...lead, ...values, tags: [], webhook_id: null }
    const chosen = chooseAssignees(rules, toAssign, account, lead.created_at)
    if (!chosen) return { id: draw(lead.status === 'New' ? ownersOfNew : owners, random), rule: null }
    const { people, byFallback, because } = chosen
    const id = draw(chances(people.map(({ user_id, weight }) => [user_id, weight] as const)), random)
    return { id, rule: { id: chosen.rule.id, name: chosen.rule.name, byFallback, because } }
  }
}
