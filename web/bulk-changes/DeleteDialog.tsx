import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { formatCount } from '../ui/numbers.ts'
import type { DialogProps } from './dialog-props.ts'

export function DeleteDialog({ opened, onClose, count, onSave }: DialogProps) {
  const leads = formatCount(count, 'lead')
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${leads}?`}
      action={`Delete ${leads}`}
      typeName={String(count)}
      onConfirm={() => onSave({ delete: count })}
    >
      {leads} will be permanently deleted, with their calls, timelines and notes. This cannot be undone.
    </ConfirmDialog>
  )
}
