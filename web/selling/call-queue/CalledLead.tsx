import type { QueuedLead } from '#contract/selling/call-queue'
import { EnquiryBrief } from '../../crm/enquiries/EnquiryBrief.tsx'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import type { CallInProgress } from '../../telephony/calls/call-in-progress.ts'
import { LeadHead } from './CurrentLead.tsx'
import { FactsOfLead, LeadFacts, LostDuringCall } from './LeadFacts.tsx'
import { useLeadNow } from './use-lead-now.ts'

interface Props {
  call: CallInProgress
  /** The lead as the queue has it, or had it. */
  queued: QueuedLead | undefined
  isGone: boolean
}

/** Above the form of a call: what the queue knows of its lead, else what is loaded. */
export const CalledLead = ({ call: { lead }, queued, isGone }: Props) =>
  queued ? (
    <QueuedDuringCall lead={queued} isGone={isGone} />
  ) : (
    <div>
      <LeadHead lead={lead} isGone={false} />
      <LostDuringCall leadId={lead.id} />
      <FactsOfLead leadId={lead.id} />
    </div>
  )

function QueuedDuringCall({ lead, isGone }: { lead: QueuedLead; isGone: boolean }) {
  const { now, isLost } = useLeadNow(lead, isGone)
  return (
    <div>
      <LeadHead lead={now} isGone={isGone && !isLost} />
      {isGone && <StatusBadge status={now.status} />}
      {isLost && <LostDuringCall leadId={lead.id} />}
      <EnquiryBrief leadId={lead.id} enquiry={lead.enquiry} isShort />
      <LeadFacts lead={now} aboveForm />
    </div>
  )
}
