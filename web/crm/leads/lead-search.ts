import {
  type AnswerColumn,
  areAllClosed,
  type ClosedDays,
  type FollowUp,
  followUps,
  type LastCall,
  type LeadPriority,
  type LeadSort,
  type LeadStatus,
  type ListColumn,
  lastCalls,
  leadPriorities,
  leadSorts,
  leadStatuses,
  maxQuestions,
  questionOf,
  viewColumns,
} from '#contract/crm/leads'
import { calendarPeriods, type Days } from '#contract/platform/periods'
import { count, flag, readChoice, readChoices, text, texts } from '../../platform/api/search.ts'
import { day, days } from '../../platform/api/search-days.ts'

/** The list's part of the URL. */
export interface LeadListSearch extends Days, ClosedDays {
  search?: string | undefined
  status?: LeadStatus[] | undefined
  source?: string[] | undefined
  priority?: LeadPriority[] | undefined
  /** Emails of users, `me` for the user who opens the list, and `nobody` for unassigned leads. */
  assigned_to?: string[] | undefined
  tag?: string[] | undefined
  city?: string[] | undefined
  product?: string[] | undefined
  campaign?: string[] | undefined
  ad?: string[] | undefined
  form?: string[] | undefined
  last_call?: LastCall | undefined
  follow_up?: FollowUp | undefined
  lost_reason?: string[] | undefined
  /** Who owned them when they were won or lost: emails, `me` and `nobody`. */
  closed_by?: string[] | undefined
  first_owner?: string[] | undefined
  /** Deal values in rupees. */
  min_value?: number | undefined
  max_value?: number | undefined
  /** The id of an import, whose leads are listed. */
  import?: string | undefined
  sort?: LeadSort | undefined
  reverse?: true | undefined
  /** The open view, whose filters are in the URL too, and the shown columns. */
  view?: string | undefined
  columns?: ListColumn[] | undefined
  offset?: number | undefined
  /** The form for a new lead is open, with what was searched for in vain. */
  add?: true | string | undefined
}

export function leadSearch(search: Record<string, unknown>): LeadListSearch {
  const read = readParameters(search)
  return read.sort === 'closed' && !areAllClosed(read) ? { ...read, sort: undefined, reverse: undefined } : read
}

const readParameters = (search: Record<string, unknown>): LeadListSearch => ({
  search: text(search, 'search'),
  status: readChoices(search, 'status', leadStatuses),
  source: texts(search, 'source'),
  priority: readChoices(search, 'priority', leadPriorities),
  assigned_to: texts(search, 'assigned_to'),
  tag: texts(search, 'tag'),
  city: texts(search, 'city'),
  product: texts(search, 'product'),
  campaign: texts(search, 'campaign'),
  ad: texts(search, 'ad'),
  form: texts(search, 'form'),
  last_call: readChoice(search, 'last_call', lastCalls),
  follow_up: readChoice(search, 'follow_up', followUps),
  lost_reason: texts(search, 'lost_reason'),
  closed_days: count(search, 'closed_days'),
  closed_period: readChoice(search, 'closed_period', calendarPeriods),
  closed_from: day(search, 'closed_from'),
  closed_to: day(search, 'closed_to'),
  closed_by: texts(search, 'closed_by'),
  first_owner: texts(search, 'first_owner'),
  min_value: count(search, 'min_value'),
  max_value: count(search, 'max_value'),
  import: text(search, 'import'),
  ...days(search),
  sort: readChoice(search, 'sort', leadSorts),
  reverse: flag(search, 'reverse'),
  view: text(search, 'view'),
  columns: readColumns(search),
  offset: count(search, 'offset'),
  add: flag(search, 'add') ?? text(search, 'add'),
})

function readColumns(search: Record<string, unknown>): ListColumn[] | undefined {
  const answers = texts(search, 'columns')?.filter((column) => questionOf(column)) ?? []
  const columns = [
    ...(readChoices(search, 'columns', viewColumns) ?? []),
    ...(answers.slice(0, maxQuestions) as AnswerColumn[]),
  ]
  return columns.length > 0 ? columns : undefined
}
