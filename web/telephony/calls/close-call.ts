import { t } from '@lingui/core/macro'
import { notify } from '../../platform/ui/notify.tsx'
import { callDrafts } from './call-draft.ts'
import { type CallInProgress, endCall, resumeCall } from './call-in-progress.ts'
import { removeWaitingCall } from './waiting-calls.ts'

/** Forgets a call that is logged or was not made, with its draft and the rejected call that it corrects. */
export function closeCall({ key, lead, rejectedKey }: CallInProgress) {
  if (rejectedKey) removeWaitingCall(rejectedKey)
  callDrafts.delete(lead.id)
  endCall(key)
}

/** Closes a call that was not made. Undo opens its form again with what was typed. */
export function cancelCall(call: CallInProgress) {
  const { id, name } = call.lead
  const draft = callDrafts.get(id)
  closeCall(call)
  notify(t`No call with ${name}`, () => {
    if (draft) callDrafts.set(id, draft)
    resumeCall(call)
  })
}
