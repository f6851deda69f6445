import { useQuery } from '@tanstack/react-query'
import { callOutcomes, callTypes } from '#contract/calls'
import { choicesQuery } from '../leads/queries.ts'
import { useMe } from '../me.ts'
import { DaysFilter } from '../ui/DaysFilter.tsx'
import { hasDays } from '../ui/days.ts'
import { type Filter, Filters } from '../ui/Filters.tsx'
import { useTight } from '../ui/screen-size.ts'
import { usersQuery } from '../users.ts'
import { type CallListSearch, type OnlyCalls, onlyCalls } from './call-search.ts'

interface Props {
  search: CallListSearch
  onChange(change: Partial<CallListSearch>): void
  onClear(): void
}

const onlyLabels: Record<OnlyCalls, string> = {
  missed: 'All missed calls',
  unreturned: 'Not called back',
  connected: 'Connected',
}

export function CallFilters({ search, onChange, onClear }: Props) {
  const { role } = useMe()
  const isAgent = role === 'Agent'
  const folded = useTight()
  const { data: users = [] } = useQuery(usersQuery)
  const { data: choices } = useQuery(choicesQuery)
  const people = users.map(({ email, name }) => ({ value: email, label: name }))

  const filters: Filter[] = [
    {
      label: 'Type',
      value: search.call_type,
      options: callTypes,
      onChange: (value) => onChange({ call_type: callTypes.find((type) => type === value) }),
    },
    {
      label: 'Outcome',
      value: search.outcome,
      options: callOutcomes,
      onChange: (value) => onChange({ outcome: callOutcomes.find((outcome) => outcome === value) }),
    },
    {
      label: 'Callback',
      value: search.only,
      options: onlyCalls.map((value) => ({ value, label: onlyLabels[value] })),
      onChange: (value) => onChange({ only: onlyCalls.find((only) => only === value) }),
    },
    {
      label: 'Called by',
      value: search.called_by,
      options: [...people, { value: 'unknown', label: 'Unknown or missed' }],
      onChange: (called_by) => onChange({ called_by }),
    },
  ]
  if (!isAgent) {
    filters.push({
      label: 'Owner',
      value: search.assigned_to,
      options: [...(role === 'Admin' ? [{ value: 'nobody', label: 'Unassigned' }] : []), ...people],
      onChange: (value) => onChange({ assigned_to: value }),
    })
  }
  const more: Filter[] = [
    {
      label: 'Source',
      value: search.source,
      options: choices?.sources ?? [],
      onChange: (source) => onChange({ source }),
    },
  ]

  return (
    <Filters filters={filters} more={more} folded={folded} childrenSet={hasDays(search) ? 1 : 0} onClear={onClear}>
      <DaysFilter
        folded={folded}
        value={search}
        onChange={onChange}
        placeholder={search.search ? 'all time' : 'last 30 days'}
      />
    </Filters>
  )
}
