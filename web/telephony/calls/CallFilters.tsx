import { plural, t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CallSort, callOutcomes, callSorts, callTypes, reviewFilters } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { usersQuery } from '../../access/account/users.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { DaysFilter } from '../../platform/ui/DaysFilter.tsx'
import { hasDays } from '../../platform/ui/days.ts'
import { type Filter, Filters } from '../../platform/ui/Filters.tsx'
import { useNarrow, useTight } from '../../platform/ui/screen-size.ts'
import { type CallListSearch, type OnlyCalls, onlyCalls } from './call-search.ts'
import { callOutcomeNames, callTypeNames } from './call-words.ts'
import { reviewFilterNames } from './review-words.ts'

interface Props {
  search: CallListSearch
  onChange(change: Partial<CallListSearch>): void
  onClear(): void
}

const onlyLabels: Record<OnlyCalls, string> = {
  missed: t`All missed calls`,
  unreturned: t`Not called back`,
  connected: t`Connected`,
}

const sortLabels: Record<CallSort, string> = {
  newest: t`Newest first`,
  oldest: t`Oldest first`,
  longest: t`Longest first`,
}

const leastMinutes = [1, 2, 5, 10, 30]

export function CallFilters({ search, onChange, onClear }: Props) {
  const { role } = useMe()
  const isAgent = role === 'Agent'
  const folded = useTight()
  const inDrawer = useNarrow() || folded
  const { data: users = [] } = useQuery(usersQuery)
  const { data: choices } = useQuery(choicesQuery)
  const people = users.map(({ email, name }) => ({ value: email, label: name }))

  const filters: Filter[] = [
    {
      label: t`Type`,
      value: search.call_type,
      options: callTypes.map((value) => ({ value, label: callTypeNames[value] })),
      onChange: (value) => onChange({ call_type: callTypes.find((type) => type === value) }),
    },
    {
      label: t`Outcome`,
      value: search.outcome,
      options: callOutcomes.map((value) => ({ value, label: callOutcomeNames[value] })),
      onChange: (value) => onChange({ outcome: callOutcomes.find((outcome) => outcome === value) }),
    },
    {
      label: t`Callback`,
      value: search.only,
      options: onlyCalls.map((value) => ({ value, label: onlyLabels[value] })),
      onChange: (value) => onChange({ only: onlyCalls.find((only) => only === value) }),
    },
    {
      label: t`Called by`,
      value: search.called_by,
      options: [...people, { value: 'unknown', label: t`Unknown or missed` }],
      onChange: (called_by) => onChange({ called_by }),
    },
  ]
  const owners = [...(role === 'Admin' ? [{ value: 'nobody', label: t`Unassigned` }] : []), ...people]
  if (!isAgent) {
    filters.push({
      label: t`Owner`,
      value: search.assigned_to,
      options: owners,
      onChange: (value) => onChange({ assigned_to: value }),
    })
  }
  const minutes = [...new Set([...leastMinutes, ...(search.min_minutes ? [search.min_minutes] : [])])]
  const more: Filter[] = [
    {
      label: t`Duration`,
      value: search.min_minutes?.toString(),
      options: minutes
        .sort((one, other) => one - other)
        .map((least) => ({
          value: String(least),
          label: plural(least, { one: 'At least # minute', other: 'At least # minutes' }),
        })),
      onChange: (least) => onChange({ min_minutes: least === undefined ? undefined : Number(least) }),
    },
    {
      label: t`Review`,
      value: search.review,
      options: reviewFilters.map((value) => ({ value, label: reviewFilterNames[value] })),
      onChange: (value) => onChange({ review: reviewFilters.find((review) => review === value) }),
    },
    ...(isAgent
      ? []
      : [
          {
            label: t`Owner at the time`,
            value: search.owner_at_call,
            options: owners,
            onChange: (owner_at_call: string | undefined) => onChange({ owner_at_call }),
          },
        ]),
    {
      label: t`Source`,
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
        placeholder={search.search ? t`all time` : t`last 30 days`}
      />
      {/* A wide table is sorted by its headers. */}
      {inDrawer && (
        <Select
          aria-label={t`Sort`}
          data={callSorts.map((value) => ({ value, label: sortLabels[value] }))}
          value={search.sort ?? 'newest'}
          onChange={(sort) => onChange({ sort: callSorts.find((one) => one === sort && one !== 'newest') })}
          allowDeselect={false}
        />
      )}
    </Filters>
  )
}
