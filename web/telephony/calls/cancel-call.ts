import { t } from '@lingui/core/macro'
import { notify } from '../../platform/ui/notify.tsx'
import { callDrafts } from './call-draft.ts'
import { type CallInProgress, endCall, resumeCall } from './call-in-progress.ts'

/** Ends a call that was not made. Undo opens its form again with what was typed. */
export function cancelCall(call: CallInProgress) {
  const { id, name } = call.lead
  const draft = callDrafts.get(id)
  callDrafts.delete(id)
  endCall(call.key)
  notify(t`Call with ${name} discarded`, () => {
    if (draft) callDrafts.set(id, draft)
    resumeCall(call)
  })
}
