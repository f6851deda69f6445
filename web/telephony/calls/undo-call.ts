import { t } from '@lingui/core/macro'
import type { LeadChange } from '#contract/crm/leads'
import type { LoggedCall } from '#contract/telephony/calls'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { patch, remove } from '../../platform/api/api.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { type CallDraft, callDrafts } from './call-draft.ts'
import { type CallInProgress, resumeCall } from './call-in-progress.ts'
import { removeWaitingCall } from './waiting-calls.ts'

interface Logged {
  call: CallInProgress
  draft: CallDraft
  /** Null if the call waits in this browser, as what it changes of the lead may. */
  logged: LoggedCall | null
  /** Undoes what was changed of the lead besides. */
  change: LeadChange
}

/** Takes back a call that was just logged, with the status and the next call of its lead. Its form opens again as it was. */
export async function undoCall({ call, draft, logged, change }: Logged): Promise<void> {
  const { lead } = call
  if (logged) {
    await remove(`/web/calls/${logged.data.id}`)
    const back = { ...change, ...logged.previous }
    if (Object.keys(back).length > 0) await patch(`/web/leads/${lead.id}`, back)
  }
  removeWaitingCall(call.key)
  callDrafts.set(lead.id, draft)
  resumeCall(call)
  notify(t`Call with ${{ name: lead.name }} is not logged`)
  await refreshLeads()
}
