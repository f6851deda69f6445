import { t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { CallForm } from './CallForm.tsx'
import { closeCallForm, useCallsInProgress } from './call-in-progress.ts'

/** The form of the call in progress, over any page. That of its lead shows it itself, if there is room. */
export function LogCallDialog() {
  const call = useCallsInProgress().find(({ isFormOpen }) => isFormOpen)
  const narrow = useNarrow()
  const pathname = useLocation({ select: (location) => location.pathname })
  const isOnPage = !narrow && pathname === `/leads/${call?.lead.id}`
  return (
    <Modal
      opened={call !== undefined && !isOnPage}
      onClose={() => call && closeCallForm(call)}
      title={call ? t`Log a call with ${{ name: call.lead.name }}` : ''}
      fullScreen={narrow}
      closeOnClickOutside={false}
    >
      {call && !isOnPage && <CallForm key={call.key} call={call} place="dialog" />}
    </Modal>
  )
}
