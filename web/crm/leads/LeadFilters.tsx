import { plural, t } from '@lingui/core/macro'
import { Group, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  areAllClosed,
  type ClosedDays,
  closedDaysOf,
  type FollowUp,
  followUps,
  isClosed,
  type LastCall,
  type LeadSort,
  lastCalls,
  leadPriorities,
  leadSorts,
  leadStatuses,
  originFields,
} from '#contract/crm/leads'
import { allTime } from '#contract/platform/periods'
import { useMe } from '../../access/account/me.ts'
import { accountQuery } from '../../access/account/queries.ts'
import { DaysFilter } from '../../platform/ui/DaysFilter.tsx'
import { hasDays, noDays } from '../../platform/ui/days.ts'
import { type Filter, Filters } from '../../platform/ui/Filters.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { formatDate } from '../../platform/ui/time.ts'
import { originNames } from '../enquiries/origin-names.ts'
import type { LeadListSearch } from './lead-search.ts'
import { priorityNames, statusNames } from './lead-words.ts'
import { daysOf, ofAllTime } from './listed-days.ts'
import { choicesQuery } from './queries.ts'
import { useListSearch } from './use-list-search.ts'

const noClosedDays = {
  closed_days: undefined,
  closed_period: undefined,
  closed_from: undefined,
  closed_to: undefined,
} satisfies ClosedDays
const noMore = {
  tag: undefined,
  city: undefined,
  product: undefined,
  campaign: undefined,
  ad: undefined,
  form: undefined,
  lost_reason: undefined,
  ...noClosedDays,
  closed_by: undefined,
  first_owner: undefined,
  min_value: undefined,
  max_value: undefined,
  import: undefined,
}
const noFilter = {
  status: undefined,
  source: undefined,
  priority: undefined,
  assigned_to: undefined,
  last_call: undefined,
  follow_up: undefined,
  ...noMore,
  ...noDays,
}
export const everything: LeadListSearch = { ...noFilter, search: undefined, offset: undefined }

export const isFiltered = (search: LeadListSearch) =>
  Object.keys(everything).some((name) => name !== 'offset' && search[name as keyof LeadListSearch] !== undefined)

/** The usual order, and its reverse. */
const sortLabels: Record<LeadSort, [string, string]> = {
  newest: [t`Newest first`, t`Oldest first`],
  updated: [t`Recently updated`, t`Least recently updated`],
  name: [t`Name A–Z`, t`Name Z–A`],
  last_call: [t`Recently called`, t`Longest without a call`],
  value: [t`Highest deal value`, t`Lowest deal value`],
  closed: [t`Recently closed`, t`Least recently closed`],
}
const ordersOf = (search: LeadListSearch) =>
  leadSorts
    .filter((sort) => sort !== 'closed' || areAllClosed(search))
    .flatMap((sort) => sortLabels[sort].map((label, reverse) => ({ value: reverse ? `${sort} reverse` : sort, label })))

const lastCallLabel = (lastCall: LastCall) => {
  if (lastCall === 'never') return t`Uncalled`
  if (lastCall === 'today') return t`Called today`
  return t`Over ${plural({ days: Number.parseInt(lastCall, 10) }, { one: '# day', other: '# days' })} ago`
}

const followUpLabels: Record<FollowUp, string> = {
  enquired_again: t`Enquired again`,
  to_answer: t`Enquired again, not called since`,
  going_cold: t`Going cold`,
  overdue: t`Call overdue`,
}

/** `folded` while a lead is open beside the list. */
export function LeadFilters({ folded }: { folded: boolean }) {
  const { search, choose } = useListSearch()
  const { data: choices } = useQuery(choicesQuery)
  const { data: account } = useQuery(accountQuery)
  const inSheet = useNarrow() || folded
  const { role } = useMe()
  const filter = (change: LeadListSearch) => choose({ ...change, offset: undefined })
  const created = daysOf(search)
  const closedDays = closedDaysOf(search)
  const hasClosedDays = hasDays(closedDays)
  // A phone has room for what is likely.
  const offersClosing = !inSheet || hasClosedDays || Boolean(search.closed_by) || search.status?.some(isClosed) === true

  const filters: Filter[] = [
    {
      label: t`Status`,
      several: true,
      values: search.status,
      options: leadStatuses.map((value) => ({ value, label: statusNames[value] })),
      onChange: (status) => filter({ status: status as LeadListSearch['status'] }),
    },
    {
      label: t`Source`,
      several: true,
      values: search.source,
      options: choices?.sources ?? [],
      onChange: (source) => filter({ source }),
    },
    {
      label: t`Priority`,
      several: true,
      values: search.priority,
      options: leadPriorities.toReversed().map((value) => ({ value, label: priorityNames[value] })),
      onChange: (priority) => filter({ priority: priority as LeadListSearch['priority'] }),
    },
  ]
  const ofPast: Filter[] = []
  if (role !== 'Agent') {
    const people = choices?.people ?? []
    const known = people.map(({ name, email, active }) => ({
      value: email,
      label: active ? name : t`${name} (inactive)`,
    }))
    if (role === 'Admin') known.unshift({ value: 'nobody', label: t`Unassigned` })
    known.unshift({ value: 'me', label: t`Me` })
    const byUser = (label: string, name: 'assigned_to' | 'closed_by' | 'first_owner'): Filter => ({
      label,
      several: true,
      values: search[name],
      options: known,
      onChange: (users) => filter({ [name]: users }),
    })
    filters.push(byUser(t`Owner`, 'assigned_to'))
    if (offersClosing) ofPast.push(byUser(t`Closed by`, 'closed_by'))
    if (!inSheet || search.first_owner) ofPast.push(byUser(t`First owner`, 'first_owner'))
  }
  filters.push({
    label: t`Last call`,
    value: search.last_call,
    options: lastCalls.map((value) => ({ value, label: lastCallLabel(value) })),
    onChange: (last_call) => filter({ last_call: last_call as LastCall | undefined }),
  })
  const lostReason: Filter = {
    label: t`Lost reason`,
    several: true,
    values: search.lost_reason,
    options: account?.lost_reasons ?? [],
    open: true,
    onChange: (lost_reason) => filter({ lost_reason }),
  }
  const imports = (choices?.imports ?? []).map(({ id, file, at }) => ({
    value: id,
    label: t`${{ file: file || t`File` }}, ${{ day: formatDate(at) }}`,
  }))
  const isListed = !search.import || imports.some(({ value }) => value === search.import)
  const ofImport: Filter = {
    label: t`Import`,
    value: search.import,
    options: isListed ? imports : [...imports, { value: search.import!, label: t`An import` }],
    width: 220,
    onChange: (id) => filter({ import: id }),
  }
  // Shown with its leads, and else among the others.
  if (search.import) filters.push(ofImport)
  const more: Filter[] = [
    {
      label: t`Follow-up`,
      value: search.follow_up,
      options: followUps.map((value) => ({ value, label: followUpLabels[value] })),
      onChange: (follow_up) => filter({ follow_up: follow_up as FollowUp | undefined }),
    },
    ...ofPast,
    ...(search.lost_reason || search.status?.includes('Lost') ? [lostReason] : []),
    {
      label: t`Tag`,
      several: true,
      values: search.tag,
      options: choices?.tags ?? [],
      open: true,
      onChange: (tag) => filter({ tag }),
    },
    {
      label: t`City`,
      several: true,
      values: search.city,
      options: choices?.cities ?? [],
      open: true,
      onChange: (city) => filter({ city }),
    },
    ...originFields
      .filter((field) => search[field] || choices?.[field].length)
      .map(
        (field): Filter => ({
          label: originNames[field],
          several: true,
          values: search[field],
          options: choices?.[field] ?? [],
          open: true,
          onChange: (values) => filter({ [field]: values }),
        }),
      ),
    ...(!search.import && imports.length > 0 ? [ofImport] : []),
  ]

  const closed = (inMore: boolean) => (
    <DaysFilter
      label={t`Closed`}
      value={closedDays}
      onChange={({ days, period, from_date, to_date }) =>
        filter({ closed_days: days, closed_period: period, closed_from: from_date, closed_to: to_date })
      }
      placeholder={t`at any time`}
      withAllTime={false}
      folded={inMore || folded}
    />
  )

  return (
    <Filters
      filters={filters}
      more={more}
      moreChildren={
        <>
          {!hasClosedDays && offersClosing && closed(true)}
          <ValueFilter search={search} onChange={filter} />
        </>
      }
      moreSet={search.min_value || search.max_value ? 1 : 0}
      childrenSet={(hasDays(search) ? 1 : 0) + (hasClosedDays ? 1 : 0)}
      folded={folded}
      onClear={() => filter(noFilter)}
    >
      <DaysFilter
        label={t`Created`}
        value={created.days === allTime ? noDays : created}
        onChange={(chosen) => filter(hasDays(chosen) ? chosen : ofAllTime)}
        placeholder={t`all time`}
        folded={folded}
      />
      {hasClosedDays && closed(false)}
      <Select
        aria-label={t`Sort`}
        data={ordersOf(search)}
        value={`${search.sort ?? 'newest'}${search.reverse ? ' reverse' : ''}`}
        onChange={(order) => {
          const [sort, reverse] = (order ?? 'newest').split(' ') as [LeadSort, string?]
          filter({ sort: sort === 'newest' ? undefined : sort, reverse: reverse ? true : undefined })
        }}
        allowDeselect={false}
        w={inSheet ? '100%' : 166}
      />
    </Filters>
  )
}

interface ValueFilterProps {
  search: LeadListSearch
  onChange(change: LeadListSearch): void
}

/** A lowest and a highest deal value. */
function ValueFilter({ search, onChange }: ValueFilterProps) {
  const field = (label: string, name: 'min_value' | 'max_value') => {
    const value = search[name]
    return (
      <NumberInput
        // The URL changed.
        key={`${name} ${value}`}
        label={label}
        leftSection="₹"
        defaultValue={value}
        thousandSeparator=","
        thousandsGroupStyle="lakh"
        allowNegative={false}
        allowDecimal={false}
        hideControls
        max={9_999_999_999_999}
        onBlur={({ currentTarget }) => {
          const typed = Number(currentTarget.value.replaceAll(',', '')) || undefined
          if (typed !== value) onChange({ [name]: typed })
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur()
        }}
      />
    )
  }
  return (
    <Group gap={8} grow wrap="nowrap" align="flex-end">
      {field(t`Deal value from`, 'min_value')}
      {field(t({ message: 'to', context: 'the highest deal value' }), 'max_value')}
    </Group>
  )
}
