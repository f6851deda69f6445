import { useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import { LeadDuplicates } from '../../crm/duplicates/LeadDuplicates.tsx'
import { useTitle } from '../../platform/ui/Page.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { openCallForm } from '../../telephony/calls/call-in-progress.ts'
import { Calls } from './Calls.tsx'
import { Enquiries } from './Enquiries.tsx'
import styles from './Lead.module.css'
import { LeadFields } from './LeadFields.tsx'
import { LeadHead } from './LeadHead.tsx'
import { useLeadKeys } from './lead-keys.ts'
import { draftLeadId, Notes } from './Notes.tsx'
import { useEnquiries } from './queries.ts'
import { Timeline } from './Timeline.tsx'

interface Props {
  lead: LeadInFull
  beside: boolean
  /** Another lead is loading. */
  passing: boolean
}

export function LeadDrawer({ lead, beside, passing }: Props) {
  const [writing, setWriting] = useState(() => draftLeadId(lead.id))
  const headings = beside ? 3 : 2
  const onPhone = useNarrow()
  useTitle(lead.name)
  const logCall = () => openCallForm(lead)
  useLeadKeys({ c: logCall, m: () => setWriting('new') })

  const enquiries = useEnquiries(lead)
  const messages = enquiries.known.map(({ message }) => message)
  const wanted = <Enquiries key="enquiries" enquiries={enquiries} headings={headings} />
  const noted = { lead, messages, writing, onWriting: setWriting }
  const notes = <Notes key="notes" headings={headings} {...noted} />
  const fields = <LeadFields key="fields" lead={lead} />
  return (
    <div className={styles.lead} data-passing={passing || undefined} aria-busy={passing}>
      <LeadHead lead={lead} beside={beside} onLogCall={logCall} />
      <LeadDuplicates lead={lead} />
      <div className={styles.columns}>
        {/* A phone shows at first what the lead wants. */}
        <div className={styles.column}>{onPhone ? [wanted, notes, fields] : [wanted, fields, notes]}</div>
        <div className={styles.column}>
          <Calls lead={lead} headings={headings} />
          <Timeline lead={lead} headings={headings} />
        </div>
      </div>
    </div>
  )
}
