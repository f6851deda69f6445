import type { QueuedLead, QueueReason } from '#contract/call-queue'
import { formatCount } from '../ui/numbers.ts'
import { Timestamp } from '../ui/Timestamp.tsx'

/** Of one lead, and of their number: one, and several. */
const words: Record<QueueReason, [string, string, string]> = {
  due: ['Call again', 'call due', 'calls due'],
  missed: ['Missed call', 'missed call', 'missed calls'],
  enquired_again: ['Enquired again', 'repeat enquiry', 'repeat enquiries'],
  new: ['New, uncalled', 'uncalled', 'uncalled'],
  not_reached: ['Not reached', 'to retry', 'to retry'],
  going_cold: ['Going cold', 'going cold', 'going cold'],
  never_called: ['Never called', 'never called', 'never called'],
}

export const groupName = (reason: QueueReason, n: number) => words[reason][n === 1 ? 1 : 2]

/** Why the lead is in the queue, and since when. */
export function Reason({ lead: { reason, since, last_call_outcome, attempts } }: { lead: QueuedLead }) {
  return (
    <>
      {words[reason][0]} · {reason === 'due' && 'due '}
      <Timestamp at={since} short />
      {reason === 'not_reached' && ` · ${last_call_outcome}, ${formatCount(attempts, 'attempt')}`}
    </>
  )
}
