import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { answerColumn, type LeadSort, type ListColumn, type ListedLead, type OriginField } from '#contract/crm/leads'
import { EmailLink, PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { originNames } from '../../crm/enquiries/origin-names.ts'
import { PriorityBadge, StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { timeOf } from '../../crm/views/view-search.ts'
import type { Column } from '../../platform/ui/DataTable.tsx'
import { formatMoney } from '../../platform/ui/numbers.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { formatIsoDate } from '../../platform/ui/time.ts'
import { startCall } from '../../telephony/calls/call-in-progress.ts'
import { callOutcomeNames } from '../../telephony/calls/call-words.ts'
import { LeadLink } from './LeadLink.tsx'
import styles from './LeadTable.module.css'

type LeadColumn = Column<ListedLead> & {
  /** Columns without a key are always shown. */
  key?: ListColumn
  /** A column of rank 0 is always shown; the others are hidden from the highest rank on. */
  rank: number
  width: number
  isName?: true
}

/** In pixels, at least. A longer name ends in dots. */
const nameWidth = 155

interface Wanted {
  /** Available pixels. Null: the columns may be wider than the page. */
  width: number | null
  /** Users by email; null if all leads are the user's own. */
  names: Map<string, string> | null
  /** The list is of repeat enquiries. */
  showsEnquiries: boolean
  shown: readonly ListColumn[]
  /** The questions whose answers are shown. */
  questions: readonly string[]
  sorted: { sort: LeadSort; reverse: boolean; byClosing: boolean; onSort(sort: LeadSort, reverse: boolean): void }
}

/** Returns the columns that fit. Name and status are always shown, the others by importance. */
export function leadColumns({ width, names, showsEnquiries, shown, questions, sorted }: Wanted): LeadColumn[] {
  const by = (sort: LeadSort) => sortBy(sort, sorted)
  const time = timeOf(sorted.sort)
  const updated: LeadColumn = {
    key: 'updated',
    header: t`Updated`,
    rank: time === 'updated' ? 2 : 9,
    width: 100,
    sort: by('updated'),
    cell: ({ updated_at }) => <Timestamp at={updated_at} short />,
  }
  const closed: LeadColumn = {
    key: 'closed',
    header: t`Closed`,
    rank: time === 'closed' ? 2 : 9.5,
    width: 100,
    ...(sorted.byClosing ? { sort: by('closed') } : {}),
    cell: ({ closed_at }) => (closed_at ? <Timestamp at={closed_at} short /> : <None />),
  }
  const created: LeadColumn = {
    key: 'created',
    header: t`Created`,
    rank: 2,
    width: 100,
    sort: by('newest'),
    cell: ({ created_at }) => <Timestamp at={created_at} short />,
  }
  const columns: (LeadColumn | false)[] = [
    {
      header: t`Name`,
      rank: 0,
      width: nameWidth,
      isName: true,
      sort: by('name'),
      cell: (lead) => <LeadLink lead={lead} className={styles.cut} />,
    },
    { key: 'phone', header: t`Phone`, rank: 1, width: 150, cell: contactOf },
    { key: 'email', header: t`Email`, rank: 3.5, width: 200, cell: ({ email }) => <Email email={email} /> },
    { key: 'company', header: t`Company`, rank: 5.2, width: 150, cell: ({ company }) => <Cut text={company} /> },
    { key: 'source', header: t`Source`, rank: 5, width: 120, cell: ({ source }) => <Cut text={source} /> },
    { header: t`Status`, rank: 0, width: 110, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'priority',
      header: t`Priority`,
      rank: 6,
      width: 95,
      cell: ({ priority }) => <PriorityBadge priority={priority} />,
    },
    {
      key: 'lost_reason',
      header: t`Lost reason`,
      rank: 7.2,
      width: 140,
      cell: ({ lost_reason }) => <Cut text={lost_reason} />,
    },
    {
      key: 'deal_value',
      header: t`Deal value`,
      rank: sorted.sort === 'value' ? 2 : 7,
      width: 120,
      align: 'right',
      sort: by('value'),
      cell: ({ deal_value }) => (deal_value === null ? <None /> : formatMoney(deal_value)),
    },
    {
      key: 'expected_close',
      header: t`Expected closing`,
      rank: 7.1,
      width: 140,
      cell: ({ expected_close }) => (expected_close ? formatIsoDate(expected_close) : <None />),
    },
    {
      key: 'city',
      header: t`City`,
      rank: 9,
      width: 120,
      cell: ({ city }) => <Cut text={city} />,
    },
    {
      key: 'tags',
      header: t`Tags`,
      rank: 6.5,
      width: 150,
      cell: ({ tags }) => <Cut text={tags.length > 0 ? tags.join(', ') : null} />,
    },
    originColumn('product', 5.5),
    originColumn('campaign', 7.5),
    originColumn('ad', 12),
    originColumn('form', 11),
    ...questions.map(
      (question): LeadColumn => ({
        key: answerColumn(question),
        header: question,
        cutsHeader: true,
        rank: 2.5,
        width: 140,
        cell: ({ answers }) => <Cut text={answers?.[question]} />,
      }),
    ),
    names !== null && {
      key: 'owner',
      header: t`Owner`,
      rank: 3,
      width: nameWidth,
      isName: true,
      cell: ({ assigned_to }) =>
        assigned_to === null ? <None>{t`Unassigned`}</None> : <Cut text={names.get(assigned_to) ?? assigned_to} />,
    },
    {
      key: 'call_again',
      header: t`Call again`,
      rank: 3.8,
      width: 110,
      cell: ({ call_again_at }) => (call_again_at ? <Timestamp at={call_again_at} short /> : <None />),
    },
    {
      key: 'last_call',
      header: t`Last call`,
      rank: sorted.sort === 'last_call' ? 2 : 4,
      width: 100,
      sort: by('last_call'),
      cell: lastCallOf,
    },
    {
      key: 'enquired_again',
      header: t`Enquired again`,
      rank: showsEnquiries ? 2 : 10,
      width: 130,
      cell: ({ enquired_again_at }) =>
        enquired_again_at === null ? <None /> : <Timestamp at={enquired_again_at} short />,
    },
    {
      key: 'attempts',
      header: t`Attempts`,
      rank: 8,
      width: 90,
      align: 'right',
      cell: ({ attempts }) => attempts || <None />,
    },
    { key: 'notes', header: t`Notes`, rank: 8.5, width: 240, cell: ({ notes }) => <Cut text={notes} /> },
    shown.includes(time) ? created : { ...{ created, updated, closed }[time], key: 'created' },
    updated,
    closed,
  ]
  const isChosen = ({ key }: LeadColumn) => !key || shown.includes(key)
  return fitting(columns.filter((column) => column !== false).filter(isChosen), width)
}

const originColumn = (key: OriginField, rank: number): LeadColumn => ({
  key,
  header: originNames[key],
  rank,
  width: 140,
  cell: (lead) => <Cut text={lead[key]} />,
})

/** Returns the columns that fit beside those of more importance. The names of leads and owners share what is left. */
function fitting(columns: LeadColumn[], available: number | null): LeadColumn[] {
  let left = available ?? columns.reduce((sum, { width }) => sum + width, 0)
  const fit = new Set<LeadColumn>()
  for (const column of columns.toSorted((one, other) => one.rank - other.rank)) {
    if (column.rank > 0 && column.width > left) break
    left -= column.width
    fit.add(column)
  }
  const shown = columns.filter((column) => fit.has(column))
  const share = Math.max(0, left) / shown.filter(({ isName }) => isName).length
  return shown.map((column) => (column.isName ? { ...column, width: column.width + share } : column))
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
  return <Email email={email} />
}

function Email({ email }: { email: string | null }) {
  if (email === null) return <None />
  return (
    <span className={styles.cut}>
      <EmailLink email={email} />
    </span>
  )
}

function Cut({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return <None />
  return (
    <span className={styles.cut} title={text}>
      {text}
    </span>
  )
}

const None = ({ children = '—' }: { children?: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
)
