import { t } from '@lingui/core/macro'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { CallForm } from './CallForm.tsx'
import { closeCallForm, useCallsInProgress } from './call-in-progress.ts'

/** The form of the call in progress, over any page. */
export function LogCallDialog() {
  const call = useCallsInProgress().find(({ isFormOpen }) => isFormOpen)
  const narrow = useNarrow()
  return (
    <Modal
      opened={call !== undefined}
      onClose={() => call && closeCallForm(call)}
      title={call ? t`Log a call with ${{ name: call.lead.name }}` : ''}
      fullScreen={narrow}
      closeOnClickOutside={false}
    >
      {call && <CallForm key={call.key} call={call} place="dialog" />}
    </Modal>
  )
}
