import { type ReactNode, useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import { LeadDuplicates } from '../../crm/duplicates/LeadDuplicates.tsx'
import { bottomBar } from '../../platform/ui/keep-room.ts'
import { useTitle } from '../../platform/ui/Page.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { openCallForm } from '../../telephony/calls/call-in-progress.ts'
import { CallActions } from './CallActions.tsx'
import { Calls } from './Calls.tsx'
import { DetailFields } from './DetailFields.tsx'
import { Enquiries } from './Enquiries.tsx'
import styles from './Lead.module.css'
import { LeadHead } from './LeadHead.tsx'
import { useLeadKeys } from './lead-keys.ts'
import { draftLeadId, Notes } from './Notes.tsx'
import { useEnquiries } from './queries.ts'
import { Timeline } from './Timeline.tsx'
import { WorkFields } from './WorkFields.tsx'

interface Props {
  lead: LeadInFull
  /** The form of a call that is to be logged. */
  form: ReactNode
  beside: boolean
  /** Another lead is loading. */
  passing: boolean
}

export function LeadDrawer({ lead, form, beside, passing }: Props) {
  const [writing, setWriting] = useState(() => draftLeadId(lead.id))
  const headings = beside ? 3 : 2
  const onPhone = useNarrow()
  useTitle(lead.name)
  const logCall = () => openCallForm(lead)
  useLeadKeys({ c: logCall, m: () => setWriting('new') })

  const enquiries = useEnquiries(lead)
  const messages = enquiries.known.map(({ message }) => message)
  const wanted = <Enquiries enquiries={enquiries} headings={headings} />
  const notes = <Notes lead={lead} headings={headings} messages={messages} writing={writing} onWriting={setWriting} />
  const work = <WorkFields lead={lead} />
  const details = <DetailFields lead={lead} />
  const calls = <Calls lead={lead} headings={headings} />
  const timeline = <Timeline lead={lead} headings={headings} folded={onPhone} />
  return (
    <div className={styles.lead} data-passing={passing || undefined} aria-busy={passing}>
      <LeadHead lead={lead} beside={beside} onLogCall={logCall} />
      <LeadDuplicates lead={lead} />
      {onPhone ? (
        // What the lead wants, and what was said, come before what is seldom changed.
        <div className={styles.columns}>
          {wanted}
          {notes}
          {work}
          {calls}
          {timeline}
          {details}
        </div>
      ) : (
        <div className={styles.columns}>
          <div className={styles.column}>
            {wanted}
            {notes}
            {form}
            <div>
              {work}
              {details}
            </div>
          </div>
          <div className={styles.column}>
            {calls}
            {timeline}
          </div>
        </div>
      )}
      {onPhone && (
        <section ref={bottomBar} className={styles.thumb}>
          <CallActions lead={lead} onLogCall={logCall} />
        </section>
      )}
    </div>
  )
}
