import { plural, t } from '@lingui/core/macro'
import { maxCounted, type QueuedLead, type QueueReason } from '#contract/selling/call-queue'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { callOutcomeNames } from '../../telephony/calls/call-words.ts'

/** The reason on one lead. */
const reasonNames: Record<QueueReason, string> = {
  due: t`Call again`,
  missed: t`Missed call`,
  enquired_again: t`Enquired again`,
  new: t`New lead`,
  not_reached: t`Not reached`,
  going_cold: t`Going cold`,
  no_next_step: t`No next step`,
  never_called: t`Never called`,
}

const groupTexts: Record<QueueReason, (count: number, amount: string) => string> = {
  due: (count, amount) => plural(count, { one: `${amount} call due`, other: `${amount} calls due` }),
  missed: (count, amount) => plural(count, { one: `${amount} missed call`, other: `${amount} missed calls` }),
  enquired_again: (count, amount) =>
    plural(count, { one: `${amount} repeat enquiry`, other: `${amount} repeat enquiries` }),
  new: (_count, amount) => t`${amount} new`,
  not_reached: (_count, amount) => t`${amount} to retry`,
  going_cold: (_count, amount) => t`${amount} going cold`,
  no_next_step: (_count, amount) => t`${amount} without a next step`,
  never_called: (_count, amount) => t`${amount} never called`,
}

/** "3 calls due", "100+ new" */
export const groupText = (reason: QueueReason, count: number) =>
  groupTexts[reason](count, count >= maxCounted ? `${maxCounted}+` : String(count))

/** Why the lead is in the queue, since when, and that it has no owner. */
export function Reason({ lead: { reason, since, last_call_outcome, attempts, is_unassigned } }: { lead: QueuedLead }) {
  const outcome = last_call_outcome && callOutcomeNames[last_call_outcome]
  return (
    <>
      {reasonNames[reason]} · {reason === 'due' && `${t`due`} `}
      {reason === 'going_cold' && last_call_outcome && `${t`last call`} `}
      <Timestamp at={since} short />
      {reason === 'not_reached' && ` · ${outcome}, ${plural(attempts, { one: '# attempt', other: '# attempts' })}`}
      {is_unassigned && ` · ${t`Unassigned`}`}
    </>
  )
}
