import { Stack } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { NewBulkChange } from '#contract/crm/bulk-changes'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import type { DialogProps } from './dialog-props.ts'

interface Props extends Omit<DialogProps, 'count'> {
  title: string
  /** Verb and object. */
  action: string
  /** Null while there is nothing to change. */
  change: NewBulkChange['change'] | null
  children: ReactNode
}

/** A form whose values are set for all selected leads. */
export function ChangeDialog({ opened, onClose, title, action, change, onSave, children }: Props) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (opened) setError(null)
  }, [opened])
  const save = async () => {
    if (!change) return
    setBusy(true)
    setError(null)
    await onSave(change).catch(setError)
    setBusy(false)
  }
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack gap={16}>
          {children}
          <FormActions problem={error} onCancel={onClose} action={action} busy={busy} />
        </Stack>
      </form>
    </Modal>
  )
}
