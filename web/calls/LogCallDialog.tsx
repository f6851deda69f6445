import { Modal } from '@mantine/core'
import { useNarrow } from '../ui/screen-size.ts'
import { CallForm } from './CallForm.tsx'
import { closeCallForm, useCallInProgress } from './call-in-progress.ts'

/** The form of the call in progress, over any page. */
export function LogCallDialog() {
  const call = useCallInProgress()
  const narrow = useNarrow()
  return (
    <Modal
      opened={call?.isFormOpen ?? false}
      onClose={closeCallForm}
      title={call ? `Log a call with ${call.lead.name}` : ''}
      fullScreen={narrow}
      closeOnClickOutside={false}
    >
      {call && <CallForm key={call.key} call={call} />}
    </Modal>
  )
}
