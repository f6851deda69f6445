import { callOutcomes } from '#contract/calls'
import { count, days, oneOf, text } from '../search.ts'

export const callTypes = ['Inbound', 'Outbound'] as const

/** What the address bar holds of the list of calls. `only` narrows it to calls in which nobody spoke. */
export const callSearch = (search: Record<string, unknown>) => ({
  call_type: oneOf(search, 'call_type', callTypes),
  outcome: oneOf(search, 'outcome', callOutcomes),
  assigned_to: text(search, 'assigned_to'),
  only: oneOf(search, 'only', ['missed', 'unreturned']),
  ...days(search),
  offset: count(search, 'offset'),
})
