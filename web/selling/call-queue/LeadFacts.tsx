import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import type { QueuedLead } from '#contract/selling/call-queue'
import type { CallPreview } from '#contract/telephony/calls'
import { EmailLink, PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { EnquiryBrief } from '../../crm/enquiries/EnquiryBrief.tsx'
import { newestOf, notesBeside, startOf } from '../../crm/enquiries/notes-beside.ts'
import { previewOf } from '../../crm/enquiries/preview-of.ts'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { leadQuery } from '../../crm/leads/queries.ts'
import { isNotFound } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { CutText } from '../../platform/ui/CutText.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { CallOutcomeBadge } from '../../telephony/calls/CallBadges.tsx'
import { notesOfLast } from '../../telephony/calls/call-words.ts'
import { callQuery } from '../../telephony/calls/queries.ts'
import styles from './CallQueue.module.css'

type Known = Pick<
  QueuedLead,
  | 'id'
  | 'phone'
  | 'email'
  | 'company'
  | 'city'
  | 'source'
  | 'status'
  | 'notes'
  | 'enquiry'
  | 'last_call_at'
  | 'last_call_outcome'
  | 'last_call_notes'
  | 'call_again_at'
>

/** What to know of a lead before the call. `aboveForm`: shorter, with the number, which no button shows there; the
 * form shows when to call again. */
export function LeadFacts({ lead, aboveForm = false }: { lead: Known; aboveForm?: boolean }) {
  const { phone, email, company, city, source, status, enquiry, call_again_at } = lead
  // A webhook adds the message to the notes, too.
  const notes = notesBeside(lead.notes, [enquiry?.message ?? null])
  const limit = aboveForm || enquiry?.message ? 80 : 240
  const newest = notes && newestOf(notes, limit)
  return (
    <dl className={styles.facts}>
      {aboveForm && phone && (
        <Fact name={t`Phone`}>
          <PhoneLink number={phone} />
        </Fact>
      )}
      {newest && (
        <Fact name={t`Notes`}>
          <CutText
            shown={inOneLine(newest)}
            isCut={inOneLine(newest) !== inOneLine(notes)}
            load={() => loadNotes(lead.id)}
          />
        </Fact>
      )}
      <Fact name={t({ message: 'From', context: 'where a lead came from' })}>
        {[source, company, city].filter((part) => part !== null).join(' · ')}
      </Fact>
      {!aboveForm && (
        <Fact name={t`Status`}>
          <StatusBadge status={status} />
        </Fact>
      )}
      <Fact name={t`Last call`}>
        <LastCall lead={lead} />
      </Fact>
      {!aboveForm && (
        <Fact name={t`Call again`}>{call_again_at === null ? t`Not planned` : <Timestamp at={call_again_at} />}</Fact>
      )}
      {email && (aboveForm ? !phone : phone) && (
        <Fact name={t`Email`}>
          <EmailLink email={email} />
        </Fact>
      )}
    </dl>
  )
}

/** Says during a call that the lead is the user’s no longer. */
export function LostDuringCall({ leadId }: { leadId: string }) {
  const { error } = useQuery({ ...leadQuery(leadId), placeholderData: () => undefined })
  if (!isNotFound(error)) return null
  return (
    <Text role="status">
      <Trans>This lead was reassigned or deleted. If it was reassigned, your call and its note are saved.</Trans>
    </Text>
  )
}

/** The same of a lead that is not in the queue, as after a reload during its call. */
export function FactsOfLead({ leadId }: { leadId: string }) {
  const { data } = useQuery({ ...leadQuery(leadId), placeholderData: () => undefined })
  if (!data) return null
  const last_call_notes = notedCall(data) ?? null
  const enquiry = previewOf(data.enquiries)
  return (
    <>
      <EnquiryBrief leadId={leadId} enquiry={enquiry} isShort />
      <LeadFacts lead={{ ...data, last_call_notes, enquiry }} aboveForm />
    </>
  )
}

/** Lines take room before a call. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

const loadNotes = async (leadId: string) => (await queryClient.fetchQuery(leadQuery(leadId))).notes

/** The newest of the loaded calls that has notes. */
export const notedCall = ({ calls: { calls } }: LeadInFull) => calls.find(hasNotes)
const hasNotes = (call: CallPreview): call is CallPreview & { notes: string } => Boolean(call.notes)

async function loadCallNotes(leadId: string): Promise<string | null> {
  const noted = notedCall(await queryClient.fetchQuery(leadQuery(leadId)))
  return noted?.notes_cut ? (await queryClient.fetchQuery(callQuery(noted.id))).notes : (noted?.notes ?? null)
}

function LastCall({ lead: { id, last_call_at, last_call_outcome, last_call_notes: noted } }: { lead: Known }) {
  if (last_call_at === null || last_call_outcome === null) return t`None`
  const shown = startOf(inOneLine(noted?.notes ?? ''), 110)
  const ofLast = notesOfLast(noted, last_call_at)
  return (
    <>
      <CallOutcomeBadge outcome={last_call_outcome} notes={ofLast} /> <Timestamp at={last_call_at} short />
      {noted && !ofLast && (
        <Text size="xs" c="dimmed">
          {t`Earlier call`} <Timestamp at={noted.called_at} short />
        </Text>
      )}
      {noted && <CutText shown={shown} isCut={shown !== inOneLine(noted.notes)} load={() => loadCallNotes(id)} />}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
