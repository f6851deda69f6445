import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ModalProps } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Modal } from './Dialog.tsx'

interface Props extends ModalProps {
  /** False while there is nothing to discard: it is saved, or being saved. */
  asks?: boolean
}

/** A dialog with a form. Escape and its close button ask before they discard what was typed. */
export function FormModal({ onClose, asks = true, children, ...props }: Props) {
  const [isTouched, setTouched] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const close = () => {
    setAsking(false)
    onClose()
  }
  return (
    <>
      <Modal
        {...props}
        // Later, so that the same key does not close the question.
        onClose={() => (isTouched && asks ? setTimeout(() => setAsking(true)) : close())}
        closeOnEscape={!isAsking}
        onExitTransitionEnd={() => {
          setTouched(false)
          props.onExitTransitionEnd?.()
        }}
        closeOnClickOutside={false}
      >
        <div onInput={() => setTouched(true)}>{children}</div>
      </Modal>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t`Discard what you typed?`}
        action={t`Discard`}
        onConfirm={async () => close()}
      >
        <Trans>It is not saved yet.</Trans>
      </ConfirmDialog>
    </>
  )
}
