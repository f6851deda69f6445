import { select, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { IconPhoneX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { CallSort, ListedCall } from '#contract/telephony/calls'
import { PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { closesBack } from '../../crm/leads/close-back.ts'
import { Badge } from '../../platform/ui/Badge.tsx'
import { type Column, columnsFor, type ResponsiveColumn } from '../../platform/ui/DataTable.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { CallOutcomeBadge, CallTypeBadge } from './CallBadges.tsx'
import { CalledBy } from './CalledBy.tsx'
import { CallMenu } from './CallMenu.tsx'
import styles from './CallsPage.module.css'
import { startCall } from './call-in-progress.ts'
import { shownLength } from './call-length.ts'
import { callOutcomeNames } from './call-words.ts'
import { PlayRecording } from './PlayRecording.tsx'
import { ReviewNote } from './ReviewNote.tsx'

interface Shown {
  /** Undefined if all leads are the user's own: then there is no owner column. */
  ownerName: ((email: string) => string) | undefined
  /** Available pixels. */
  width: number
  sort: CallSort
  onSort(sort: CallSort): void
}

/** Below it, the phone is below the name, so that notes have the width. */
const widthForPhone = 1300
const widthForNotes = 1140

/** Returns the columns that fit. Lead, outcome and time are always shown. */
export function callColumns({ ownerName, width, sort, onSort }: Shown): Column<ListedCall>[] {
  const phone = (call: ListedCall) => <LeadPhone call={call} />
  const columns: (ResponsiveColumn<ListedCall> | false)[] = [
    {
      header: t`Lead`,
      from: 0,
      width: 190,
      cell: (call) => (
        <>
          <LeadLink call={call} />
          {width < widthForPhone && phone(call)}
        </>
      ),
    },
    { header: t`Phone`, from: widthForPhone, cell: phone },
    { header: t`Type`, from: 740, cell: ({ call_type }) => <CallTypeBadge type={call_type} /> },
    {
      header: t`Outcome`,
      from: 0,
      cell: (call) => (
        <>
          <Outcome call={call} />
          {call.review && width < widthForNotes && <ReviewNote review={{ ...call.review, remark: null }} short />}
        </>
      ),
    },
    {
      header: t`Duration`,
      from: 860,
      align: 'right',
      sort: {
        state: sort === 'longest' ? 'descending' : 'none',
        onSort: () => onSort(sort === 'longest' ? 'newest' : 'longest'),
      },
      cell: ({ duration_seconds }) => <span className="nowrap">{shownLength(duration_seconds) ?? '–'}</span>,
    },
    {
      header: t`Notes`,
      from: widthForNotes,
      width: '100%',
      cell: ({ notes, review }) => (
        <span className={styles.texts}>
          {notes && <span className={styles.notes}>{notes}</span>}
          {review && <ReviewNote review={review} short />}
        </span>
      ),
    },
    {
      header: t`Called by`,
      from: 640,
      width: 140,
      cell: (call) => (
        <span className={styles.person}>
          <CalledBy call={call} />
        </span>
      ),
    },
    ownerName !== undefined && {
      header: t`Owner`,
      from: 1140,
      width: 140,
      cell: ({ assigned_to }) =>
        assigned_to ? (
          <span className={styles.person}>{ownerName(assigned_to)}</span>
        ) : (
          <Text span inherit c="dimmed">
            <Trans>Unassigned</Trans>
          </Text>
        ),
    },
    {
      header: t`Time`,
      from: 0,
      align: 'right',
      sort: {
        state: sort === 'oldest' ? 'ascending' : sort === 'newest' ? 'descending' : 'none',
        onSort: () => onSort(sort === 'newest' ? 'oldest' : 'newest'),
      },
      cell: ({ called_at }) => <Timestamp at={called_at} short />,
    },
    {
      header: t`More`,
      from: 0,
      align: 'right',
      width: 56,
      cell: (call) => (
        <span className={styles.actions}>
          <PlayRecording call={call} label={recordingLabel(call)} />
          <CallMenu call={call} />
        </span>
      ),
    },
  ]
  return columnsFor(columns, width)
}

export function narrowCall(call: ListedCall) {
  const length = shownLength(call.duration_seconds)
  return {
    first: (
      <>
        <LeadLink call={call} />
        <span className={styles.side}>
          <span className={styles.call}>
            <LeadPhone call={call} />
          </span>
          <PlayRecording call={call} label={recordingLabel(call)} />
          <CallMenu call={call} />
        </span>
      </>
    ),
    second: (
      <>
        <span className={styles.marks}>
          <CallTypeBadge type={call.call_type} />
          <Outcome call={call} />
          {length && <span>{length}</span>}
          {call.review && <ReviewNote review={{ ...call.review, remark: null }} short />}
          <span>
            <CalledBy call={call} />
          </span>
        </span>
        <Timestamp at={call.called_at} short />
      </>
    ),
  }
}

const recordingLabel = ({ call_type, lead_name }: ListedCall) =>
  t`Play recording of the ${select(call_type, { Inbound: 'inbound', other: 'outbound' })} call with ${lead_name}`

function LeadPhone({ call: { lead_id: id, lead_name: name, lead_phone: phone } }: { call: ListedCall }) {
  return phone && <PhoneLink number={phone} onCall={() => startCall({ id, name, phone })} />
}

function LeadLink({ call }: { call: ListedCall }) {
  return (
    <Link
      to="/leads/$leadId"
      params={{ leadId: call.lead_id }}
      state={closesBack}
      className={`${styles.name} ${styles.lead}`}
    >
      {call.lead_name}
    </Link>
  )
}

/** A missed call that is still to call back says so with its outcome. */
function Outcome({ call }: { call: ListedCall }) {
  if (!call.unreturned) return <CallOutcomeBadge {...call} />
  return (
    <Text span inherit fw={600} c="var(--red)" className={styles.unreturned}>
      <Badge colour="red" icon={IconPhoneX}>
        {t`${{ outcome: callOutcomeNames[call.outcome] }}, not called back`}
      </Badge>
    </Text>
  )
}
