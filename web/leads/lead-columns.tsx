import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { LeadSort, ListedLead } from '#contract/leads'
import type { ViewColumn } from '#contract/views'
import { startCall } from '../calls/call-in-progress.ts'
import { callOutcomeNames } from '../calls/call-words.ts'
import { EmailLink, PhoneLink } from '../contacts/ContactLink.tsx'
import { type Column, columnsFor, type ResponsiveColumn } from '../ui/DataTable.tsx'
import { formatMoney } from '../ui/numbers.ts'
import { Timestamp } from '../ui/Timestamp.tsx'
import { PriorityBadge, StatusBadge } from './LeadBadges.tsx'
import { LeadLink } from './LeadLink.tsx'
import styles from './LeadTable.module.css'

type LeadColumn = ResponsiveColumn<ListedLead> & {
  /** Columns without a key are always shown. */
  key?: ViewColumn
}

interface Wanted {
  /** Available pixels. */
  width: number
  /** Users by email; null if all leads are the user's own. */
  names: Map<string, string> | null
  /** The list is of repeat enquiries. */
  showsEnquiries: boolean
  /** The columns that the user chose. Undefined: all. */
  shown: readonly ViewColumn[] | undefined
  sorted: { sort: LeadSort; reverse: boolean; onSort(sort: LeadSort, reverse: boolean): void }
}

/** Returns the columns that fit. Name and status are always shown, the others by importance. */
export function leadColumns({ width, names, showsEnquiries, shown, sorted }: Wanted): Column<ListedLead>[] {
  const by = (sort: LeadSort) => sortBy(sort, sorted)
  const byChange = sorted.sort === 'updated'
  const further = showsEnquiries ? 130 : 0
  const columns: (LeadColumn | false)[] = [
    { header: t`Name`, from: 0, sort: by('name'), cell: (lead) => <LeadLink lead={lead} className={styles.cut} /> },
    { key: 'phone', header: t`Phone`, from: 340, width: 160, cell: contactOf },
    { key: 'source', header: t`Source`, from: 890, width: 120, cell: ({ source }) => <Cut text={source} /> },
    { header: t`Status`, from: 0, width: 110, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'priority',
      header: t`Priority`,
      from: 990 + further,
      width: 100,
      cell: ({ priority }) => <PriorityBadge priority={priority} />,
    },
    {
      key: 'deal_value',
      header: t`Deal value`,
      from: sorted.sort === 'value' ? 480 : 1090 + further,
      width: 120,
      align: 'right',
      sort: by('value'),
      cell: ({ deal_value }) => (deal_value === null ? <None /> : formatMoney(deal_value)),
    },
    {
      key: 'city',
      header: t`City`,
      from: 1270 + further,
      width: 120,
      cell: ({ city }) => (city === null ? <None /> : <Cut text={city} />),
    },
    names !== null && {
      key: 'owner',
      header: t`Owner`,
      from: 660,
      width: 130,
      cell: ({ assigned_to }) =>
        assigned_to === null ? <None>{t`Unassigned`}</None> : <Cut text={names.get(assigned_to) ?? assigned_to} />,
    },
    {
      key: 'last_call',
      header: t`Last call`,
      from: sorted.sort === 'last_call' ? 480 : 770,
      width: 110,
      sort: by('last_call'),
      cell: lastCallOf,
    },
    {
      key: 'enquired_again',
      header: t`Enquired again`,
      from: showsEnquiries ? 480 : 1390,
      width: 130,
      cell: ({ enquired_again_at }) =>
        enquired_again_at === null ? <None /> : <Timestamp at={enquired_again_at} short />,
    },
    {
      key: 'attempts',
      header: t`Attempts`,
      from: 1170 + further,
      width: 90,
      align: 'right',
      cell: ({ attempts }) => attempts || <None />,
    },
    byChange
      ? {
          key: 'created',
          header: t`Updated`,
          from: 480,
          width: 110,
          sort: by('updated'),
          cell: ({ updated_at }) => <Timestamp at={updated_at} short />,
        }
      : {
          key: 'created',
          header: t`Created`,
          from: 480,
          width: 110,
          sort: by('newest'),
          cell: ({ created_at }) => <Timestamp at={created_at} short />,
        },
  ]
  if (!shown) return columnsFor(columns, width)
  const chosen = columns.filter((column) => column !== false && (!column.key || shown.includes(column.key)))
  return columnsFor(fitted(chosen as LeadColumn[]), width)
}

/** Chosen columns use the space of the hidden ones: a column fits beside the name and the columns of more importance. */
function fitted(columns: LeadColumn[]): LeadColumn[] {
  let used = 200
  const from = new Map<LeadColumn, number>()
  for (const column of columns.toSorted((one, other) => one.from - other.from)) {
    used += column.width ?? 0
    from.set(column, column.from === 0 ? 0 : Math.min(column.from, used))
  }
  return columns.map((column) => ({ ...column, from: from.get(column)! }))
}

/** The first press sorts in the usual order, the next ones reverse it. Names ascend, all others descend. */
function sortBy(own: LeadSort, { sort, reverse, onSort }: Wanted['sorted']): Column<ListedLead>['sort'] {
  const isSorted = sort === own
  const ascends = (own === 'name') !== reverse
  return {
    state: !isSorted ? 'none' : ascends ? 'ascending' : 'descending',
    onSort: () => onSort(own, isSorted && !reverse),
  }
}

/** The outcome is in the title: on the list it matters whether and when somebody called. */
function lastCallOf({ last_call_at, last_call_outcome }: ListedLead) {
  if (last_call_at === null) return <None>{t`Uncalled`}</None>
  return <Timestamp at={last_call_at} short note={last_call_outcome && callOutcomeNames[last_call_outcome]} />
}

/** The email is shown if there is no phone. */
function contactOf(lead: ListedLead) {
  const { phone, email } = lead
  if (phone !== null) return <PhoneLink number={phone} onCall={() => startCall(lead)} />
  if (email === null) return <None />
  return (
    <span className={styles.cut}>
      <EmailLink email={email} />
    </span>
  )
}

const Cut = ({ text }: { text: string }) => (
  <span className={styles.cut} title={text}>
    {text}
  </span>
)

const None = ({ children = '—' }: { children?: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
)
