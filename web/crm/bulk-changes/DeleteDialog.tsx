import { plural, t } from '@lingui/core/macro'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import type { DialogProps } from './dialog-props.ts'

export function DeleteDialog({ opened, onClose, count, onSave }: DialogProps) {
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Delete ${plural(count, { one: '# lead', other: '# leads' })}?`}
      action={t`Delete ${plural(count, { one: '# lead', other: '# leads' })}`}
      typeName={String(count)}
      onConfirm={() => onSave({ delete: count })}
    >
      {t`${plural(count, { one: '# lead', other: '# leads' })} will be permanently deleted, with their calls, timelines and notes. This cannot be undone.`}
    </ConfirmDialog>
  )
}
