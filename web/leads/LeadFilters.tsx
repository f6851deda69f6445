import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { leadPriorities, leadStatuses } from '#contract/leads'
import { useMe } from '../me.ts'
import { DaysFilter } from '../ui/DaysFilter.tsx'
import { hasDays, noDays } from '../ui/days.ts'
import { type Filter, Filters } from '../ui/Filters.tsx'
import { useNarrow } from '../ui/screen-size.ts'
import { type LeadListSearch, leadSorts } from './lead-search.ts'
import { choicesQuery } from './queries.ts'
import { useListSearch } from './use-list-search.ts'

const noFilter = { status: undefined, source: undefined, priority: undefined, assigned_to: undefined, ...noDays }
export const everything: LeadListSearch = { ...noFilter, search: undefined, offset: undefined }

export const isFiltered = (search: LeadListSearch) =>
  Object.keys(everything).some((name) => name !== 'offset' && search[name as keyof LeadListSearch] !== undefined)

const sortLabels = { newest: 'Newest first', updated: 'Recently updated', name: 'Name A–Z' } as const

/** `folded` while a lead is open beside the list. */
export function LeadFilters({ folded }: { folded: boolean }) {
  const { search, choose } = useListSearch()
  const { data: choices } = useQuery(choicesQuery)
  const inSheet = useNarrow() || folded
  const { role } = useMe()
  const filter = (change: LeadListSearch) => choose({ ...change, offset: undefined })

  const filters: Filter[] = [
    {
      label: 'Status',
      value: search.status,
      options: leadStatuses,
      onChange: (status) => filter({ status: status as LeadListSearch['status'] }),
    },
    {
      label: 'Source',
      value: search.source,
      options: withChosen(choices?.sources ?? [], search.source),
      onChange: (source) => filter({ source }),
    },
    {
      label: 'Priority',
      value: search.priority,
      options: leadPriorities.toReversed(),
      onChange: (priority) => filter({ priority: priority as LeadListSearch['priority'] }),
    },
  ]
  if (role !== 'Agent') {
    const people = choices?.people ?? []
    const known = people.map(({ name, email, active }) => ({
      value: email,
      label: active ? name : `${name} (inactive)`,
    }))
    if (role === 'Admin') known.unshift({ value: 'nobody', label: 'Unassigned' })
    const isKnown = search.assigned_to === undefined || known.some(({ value }) => value === search.assigned_to)
    filters.push({
      label: 'Owner',
      value: search.assigned_to,
      options: isKnown ? known : [...known, { value: search.assigned_to!, label: search.assigned_to! }],
      onChange: (assigned_to) => filter({ assigned_to }),
    })
  }

  return (
    <Filters filters={filters} childrenSet={hasDays(search) ? 1 : 0} folded={folded} onClear={() => filter(noFilter)}>
      <DaysFilter
        value={search}
        onChange={filter}
        placeholder={search.search ? 'All time' : '30 days'}
        folded={folded}
      />
      <Select
        aria-label="Sort"
        data={leadSorts.map((sort) => ({ value: sort, label: sortLabels[sort] }))}
        value={search.sort ?? 'newest'}
        onChange={(sort) => filter({ sort: sort === 'newest' ? undefined : (sort as LeadListSearch['sort']) })}
        allowDeselect={false}
        w={inSheet ? '100%' : 165}
      />
    </Filters>
  )
}

/** A link may contain a source that is no longer in use. */
const withChosen = (words: string[], chosen: string | undefined) =>
  chosen === undefined || words.includes(chosen) ? words : [...words, chosen]
