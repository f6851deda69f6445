import { Text } from '@mantine/core'
import type { LeadSort, ListedLead } from '#contract/leads'
import { startCall } from '../calls/call-in-progress.ts'
import { EmailLink, PhoneLink } from '../contacts/ContactLink.tsx'
import { type Column, columnsFor, type ResponsiveColumn } from '../ui/DataTable.tsx'
import { formatMoney } from '../ui/numbers.ts'
import { Timestamp } from '../ui/Timestamp.tsx'
import { PriorityBadge, StatusBadge } from './LeadBadges.tsx'
import { LeadLink } from './LeadLink.tsx'
import styles from './LeadTable.module.css'

interface Wanted {
  /** Available pixels. */
  width: number
  /** Users by email; null if all leads are the user's own. */
  names: Map<string, string> | null
  /** The list is of repeat enquiries. */
  showsEnquiries: boolean
  sorted: { sort: LeadSort; reverse: boolean; onSort(sort: LeadSort, reverse: boolean): void }
}

/** Returns the columns that fit. Name and status are always shown, the others by importance. */
export function leadColumns({ width, names, showsEnquiries, sorted }: Wanted): Column<ListedLead>[] {
  const by = (sort: LeadSort) => sortBy(sort, sorted)
  const byChange = sorted.sort === 'updated'
  const further = showsEnquiries ? 130 : 0
  const columns: (ResponsiveColumn<ListedLead> | false)[] = [
    { header: 'Name', from: 0, sort: by('name'), cell: (lead) => <LeadLink lead={lead} className={styles.cut} /> },
    { header: 'Phone', from: 340, width: 160, cell: contactOf },
    { header: 'Source', from: 890, width: 120, cell: ({ source }) => <Cut text={source} /> },
    { header: 'Status', from: 0, width: 110, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      header: 'Priority',
      from: 990 + further,
      width: 100,
      cell: ({ priority }) => <PriorityBadge priority={priority} />,
    },
    {
      header: 'Deal value',
      from: sorted.sort === 'value' ? 480 : 1090 + further,
      width: 120,
      align: 'right',
      sort: by('value'),
      cell: ({ deal_value }) => (deal_value === null ? <None /> : formatMoney(deal_value)),
    },
    {
      header: 'City',
      from: 1270 + further,
      width: 120,
      cell: ({ city }) => (city === null ? <None /> : <Cut text={city} />),
    },
    names !== null && {
      header: 'Owner',
      from: 660,
      width: 130,
      cell: ({ assigned_to }) =>
        assigned_to === null ? <None>Unassigned</None> : <Cut text={names.get(assigned_to) ?? assigned_to} />,
    },
    {
      header: 'Last call',
      from: sorted.sort === 'last_call' ? 480 : 770,
      width: 110,
      sort: by('last_call'),
      cell: lastCallOf,
    },
    {
      header: 'Enquired again',
      from: showsEnquiries ? 480 : 1390,
      width: 130,
      cell: ({ enquired_again_at }) =>
        enquired_again_at === null ? <None /> : <Timestamp at={enquired_again_at} short />,
    },
    {
      header: 'Attempts',
      from: 1170 + further,
      width: 90,
      align: 'right',
      cell: ({ attempts }) => attempts || <None />,
    },
    byChange
      ? {
          header: 'Updated',
          from: 480,
          width: 110,
          sort: by('updated'),
          cell: ({ updated_at }) => <Timestamp at={updated_at} short />,
        }
      : {
          header: 'Created',
          from: 480,
          width: 110,
          sort: by('newest'),
          cell: ({ created_at }) => <Timestamp at={created_at} short />,
        },
  ]
  return columnsFor(columns, width)
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
  if (last_call_at === null) return <None>Uncalled</None>
  return (
    <span title={last_call_outcome ?? undefined}>
      <Timestamp at={last_call_at} short />
    </span>
  )
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
