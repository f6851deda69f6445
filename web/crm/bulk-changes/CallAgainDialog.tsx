import { plural, t } from '@lingui/core/macro'
import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { toInstant } from '../../platform/ui/wall-clock.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import type { DialogProps } from './dialog-props.ts'

export function CallAgainDialog({ opened, onClose, count, onSave }: DialogProps) {
  const [time, setTime] = useState('')
  useEffect(() => {
    if (opened) setTime('')
  }, [opened])
  return (
    <ChangeDialog
      opened={opened}
      onClose={onClose}
      title={t`Call ${plural(count, { one: '# lead', other: '# leads' })} again`}
      action={t`Set time`}
      change={time === '' ? null : { call_again_at: toInstant(time) }}
      onSave={onSave}
    >
      <TextInput
        type="datetime-local"
        label={t`Call again (IST)`}
        required
        value={time}
        onChange={(event) => setTime(event.currentTarget.value)}
        data-autofocus
      />
    </ChangeDialog>
  )
}
