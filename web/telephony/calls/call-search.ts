import type { Days } from '#contract/platform/periods'
import {
  type CallOutcome,
  type CallSort,
  type CallType,
  callOutcomes,
  callSorts,
  callTypes,
  reviewFilters,
} from '#contract/telephony/calls'
import { count, readChoice, text } from '../../platform/api/search.ts'
import { days } from '../../platform/api/search-days.ts'

export const onlyCalls = ['missed', 'unreturned', 'connected'] as const
export type OnlyCalls = (typeof onlyCalls)[number]

/** The list's part of the URL. */
export interface CallListSearch extends Days {
  search?: string | undefined
  call_type?: CallType | undefined
  outcome?: CallOutcome | undefined
  /** The email of a user, or `unknown`. */
  called_by?: string | undefined
  /** The email of a user, or `nobody`. */
  assigned_to?: string | undefined
  /** Who owned the lead when it was called: the email of a user, or `nobody`. */
  owner_at_call?: string | undefined
  source?: string | undefined
  only?: OnlyCalls | undefined
  /** The least duration. */
  min_minutes?: number | undefined
  review?: (typeof reviewFilters)[number] | undefined
  sort?: CallSort | undefined
  offset?: number | undefined
}

/** Reads the filters of the list of calls from the URL. `only` selects missed calls, those still to call back, or connected calls. */
export const callSearch = (search: Record<string, unknown>): CallListSearch => ({
  search: text(search, 'search'),
  call_type: readChoice(search, 'call_type', callTypes),
  outcome: readChoice(search, 'outcome', callOutcomes),
  called_by: text(search, 'called_by'),
  assigned_to: text(search, 'assigned_to'),
  owner_at_call: text(search, 'owner_at_call'),
  source: text(search, 'source'),
  only: readChoice(search, 'only', onlyCalls),
  min_minutes: count(search, 'min_minutes'),
  review: readChoice(search, 'review', reviewFilters),
  sort: readChoice(search, 'sort', callSorts),
  ...days(search),
  offset: count(search, 'offset'),
})
