import { callOutcomes, callTypes } from '#contract/calls'
import { count, days, readChoice, text } from '../search.ts'

/** Reads the filters of the list of calls from the URL. `only` selects missed calls, or those still to call back. */
export const callSearch = (search: Record<string, unknown>) => ({
  call_type: readChoice(search, 'call_type', callTypes),
  outcome: readChoice(search, 'outcome', callOutcomes),
  assigned_to: text(search, 'assigned_to'),
  only: readChoice(search, 'only', ['missed', 'unreturned']),
  ...days(search),
  offset: count(search, 'offset'),
})
