import { t } from '@lingui/core/macro'
import type { CallOutcome, CallType } from '#contract/telephony/calls'

/** The values of calls, in the language of the page. */

export const callTypeNames: Record<CallType, string> = { Inbound: t`Inbound`, Outbound: t`Outbound` }

export const callOutcomeNames: Record<CallOutcome, string> = {
  Completed: t`Spoke`,
  Busy: t`Busy`,
  'No Answer': t`No answer`,
  Voicemail: t`Voicemail`,
  Missed: t`Missed`,
}
