import { istDay } from '../../platform/http/instants.ts'
import { assign } from './assign.ts'
import {
  chooseAssignees,
  type DistributionRule,
  type Full,
  type LeadToAssign,
  type Members,
} from './choose-assignee.ts'
import { takeFrom } from './take-turn.ts'

export interface PastLead extends LeadToAssign {
  /** When it came. */
  at: Date
}

/** Where rules lead a lead. */
export interface Destination {
  /** Null if no rule assigns it. */
  rule_id: string | null
  by_fallback: boolean
  user_id: string | null
  /** Whether the rule offers it. */
  is_offered: boolean
}

/** Returns where the rules lead each lead, from the oldest. Round robins and daily limits start at zero, and are kept in memory only. */
export function replayLeads(leads: PastLead[], rules: DistributionRule[], account: Members): Destination[] {
  const take = takeFrom(new Map())
  return leads.map((lead) => {
    const choose = (full?: Full) => chooseAssignees(rules, lead, account, lead.at, full)
    const choice = { assignment: choose(), choose, day: istDay(lead.at), isOffered: true }
    const { assignment, user_id, offered_to } = assign(choice, take)
    const is_offered = offered_to !== null
    const rule_id = assignment && (user_id || is_offered) ? assignment.rule.id : null
    return { rule_id, by_fallback: assignment?.byFallback ?? false, user_id, is_offered }
  })
}
