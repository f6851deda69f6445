import { type LeadPriority, type LeadSort, type LeadStatus, leadPriorities, leadStatuses } from '#contract/leads'
import { count, days, flag, oneOf, text } from '../search.ts'
import type { Days } from '../ui/days.ts'

export const leadSorts = ['newest', 'updated', 'name'] as const satisfies readonly LeadSort[]

/** The list's part of the URL. */
export interface LeadListSearch extends Days {
  search?: string | undefined
  status?: LeadStatus | undefined
  source?: string | undefined
  priority?: LeadPriority | undefined
  /** The email of a user, or `nobody` for unassigned leads. */
  assigned_to?: string | undefined
  sort?: LeadSort | undefined
  offset?: number | undefined
  /** The form for a new lead is open. */
  add?: true | undefined
}

export const leadSearch = (search: Record<string, unknown>): LeadListSearch => ({
  search: text(search, 'search'),
  status: oneOf(search, 'status', leadStatuses),
  source: text(search, 'source'),
  priority: oneOf(search, 'priority', leadPriorities),
  assigned_to: text(search, 'assigned_to'),
  ...days(search),
  sort: oneOf(search, 'sort', leadSorts),
  offset: count(search, 'offset'),
  add: flag(search, 'add'),
})
