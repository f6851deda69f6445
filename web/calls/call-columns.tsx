import { Text } from '@mantine/core'
import { IconPhoneX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ListedCall } from '#contract/call-logs'
import type { Column } from '../ui/DataTable.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Phone } from '../ui/Phone.tsx'
import { When } from '../ui/When.tsx'
import { duration } from '../ui/when.ts'
import { CallOutcomeMark, CallTypeMark } from './CallMarks.tsx'
import { CallMenu } from './CallMenu.tsx'
import styles from './CallsPage.module.css'

interface Shown {
  /** Without it all calls are the reader's own, and whose they are is not shown. */
  nameOf: ((email: string) => string) | undefined
  /** Room for the phone beside the name, and for notes. */
  wide: boolean
}

export function callColumns({ nameOf, wide }: Shown): Column<ListedCall>[] {
  const phone = ({ lead_phone }: ListedCall) => lead_phone && <Phone number={lead_phone} />
  return [
    {
      header: 'Lead',
      width: 190,
      cell: (call) => (
        <>
          <LeadLink call={call} />
          {!wide && phone(call)}
        </>
      ),
    },
    ...(wide ? [{ header: 'Phone', cell: phone }] : []),
    { header: 'Type', cell: ({ call_type }) => <CallTypeMark type={call_type} /> },
    { header: 'Outcome', cell: (call) => <Outcome call={call} /> },
    {
      header: 'Duration',
      align: 'right',
      cell: ({ duration_seconds: seconds }) => (seconds ? duration(seconds) : '–'),
    },
    ...(wide
      ? [
          {
            header: 'Notes',
            width: 240,
            cell: ({ notes }: ListedCall) => notes && <span className={styles.notes}>{notes}</span>,
          },
        ]
      : []),
    ...(nameOf
      ? [
          {
            header: 'Who',
            width: 130,
            cell: ({ assigned_to }: ListedCall) =>
              assigned_to ? (
                <span className={styles.who}>{nameOf(assigned_to)}</span>
              ) : (
                <Text span inherit c="dimmed">
                  Nobody
                </Text>
              ),
          },
        ]
      : []),
    { header: 'When', align: 'right', cell: ({ called_at }) => <When at={called_at} short /> },
    { header: 'More', align: 'right', width: 56, cell: (call) => <CallMenu call={call} /> },
  ]
}

export function narrowCall(call: ListedCall) {
  return {
    first: (
      <>
        <LeadLink call={call} />
        <span className={styles.side}>
          {call.lead_phone && (
            <span className={styles.call}>
              <Phone number={call.lead_phone} />
            </span>
          )}
          <CallMenu call={call} />
        </span>
      </>
    ),
    second: (
      <>
        <span className={styles.marks}>
          <CallTypeMark type={call.call_type} />
          <Outcome call={call} />
          {call.duration_seconds > 0 && <span>{duration(call.duration_seconds)}</span>}
        </span>
        <When at={call.called_at} short />
      </>
    ),
  }
}

function LeadLink({ call }: { call: ListedCall }) {
  return (
    <Link to="/leads/$leadId" params={{ leadId: call.lead_id }} className={`${styles.name} ${styles.lead}`}>
      {call.lead_name}
    </Link>
  )
}

/** A missed call that nobody returned says so in place of its outcome: that is what there is to do. */
function Outcome({ call: { outcome, unreturned } }: { call: ListedCall }) {
  if (!unreturned) return <CallOutcomeMark outcome={outcome} />
  return (
    <Text span inherit fw={600} c="var(--red)">
      <Mark colour="red" icon={IconPhoneX}>
        {outcome === 'Missed' ? 'Missed, not returned' : `${outcome}, not returned`}
      </Mark>
    </Text>
  )
}
