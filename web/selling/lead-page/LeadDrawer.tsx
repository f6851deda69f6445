import { useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import { LeadDuplicates } from '../../crm/duplicates/LeadDuplicates.tsx'
import { useTitle } from '../../platform/ui/Page.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { openCallForm } from '../../telephony/calls/call-in-progress.ts'
import { Calls } from './Calls.tsx'
import styles from './Lead.module.css'
import { LeadFields } from './LeadFields.tsx'
import { LeadHead } from './LeadHead.tsx'
import { useLeadKeys } from './lead-keys.ts'
import { draftLeadId, Notes } from './Notes.tsx'
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

  const notes = <Notes key="notes" lead={lead} headings={headings} writing={writing} onWriting={setWriting} />
  const fields = <LeadFields key="fields" lead={lead} />
  return (
    <div className={styles.lead} data-passing={passing || undefined} aria-busy={passing}>
      <LeadHead lead={lead} beside={beside} onLogCall={logCall} />
      <LeadDuplicates lead={lead} />
      <div className={styles.columns}>
        {/* A phone shows at first what the lead wants. */}
        <div className={styles.column}>{onPhone ? [notes, fields] : [fields, notes]}</div>
        <div className={styles.column}>
          <Calls lead={lead} headings={headings} />
          <Timeline lead={lead} headings={headings} />
        </div>
      </div>
    </div>
  )
}
