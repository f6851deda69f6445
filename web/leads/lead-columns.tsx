import { Text } from '@mantine/core'
import type { ListedLead } from '#contract/leads'
import { EmailLink, PhoneLink } from '../ui/ContactLink.tsx'
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
  byChange: boolean
}

/** Returns the columns that fit. Name and status are always shown, the others by importance. */
export function leadColumns({ width, names, byChange }: Wanted): Column<ListedLead>[] {
  const columns: (ResponsiveColumn<ListedLead> | false)[] = [
    { header: 'Name', from: 0, cell: (lead) => <LeadLink lead={lead} className={styles.cut} /> },
    { header: 'Phone', from: 340, width: 160, cell: contactOf },
    { header: 'Source', from: 780, width: 120, cell: ({ source }) => <Cut text={source} /> },
    { header: 'Status', from: 0, width: 110, cell: ({ status }) => <StatusBadge status={status} /> },
    { header: 'Priority', from: 880, width: 100, cell: ({ priority }) => <PriorityBadge priority={priority} /> },
    {
      header: 'Deal value',
      from: 990,
      width: 120,
      align: 'right',
      cell: ({ deal_value }) => (deal_value === null ? <None /> : formatMoney(deal_value)),
    },
    { header: 'City', from: 1090, width: 120, cell: ({ city }) => (city === null ? <None /> : <Cut text={city} />) },
    names !== null && {
      header: 'Owner',
      from: 660,
      width: 130,
      cell: ({ assigned_to }) =>
        assigned_to === null ? <None>Unassigned</None> : <Cut text={names.get(assigned_to) ?? assigned_to} />,
    },
    byChange
      ? { header: 'Updated', from: 480, width: 100, cell: ({ updated_at }) => <Timestamp at={updated_at} short /> }
      : { header: 'Created', from: 480, width: 100, cell: ({ created_at }) => <Timestamp at={created_at} short /> },
  ]
  return columnsFor(columns, width)
}

/** The email is shown if there is no phone. */
function contactOf({ phone, email }: ListedLead) {
  if (phone !== null) return <PhoneLink number={phone} />
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
