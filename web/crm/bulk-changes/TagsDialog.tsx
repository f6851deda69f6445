import { plural, t } from '@lingui/core/macro'
import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { maxTagLength, maxTagsAtOnce } from '#contract/crm/leads'
import { choicesQuery } from '../leads/queries.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import type { DialogProps } from './dialog-props.ts'

export function TagsDialog({ opened, onClose, count, onSave }: DialogProps) {
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const { data: choices } = useQuery(choicesQuery)
  useEffect(() => {
    if (!opened) return
    setAdd([])
    setRemove([])
  }, [opened])
  const field = (label: string, value: string[], onChange: (tags: string[]) => void) => (
    <TagsInput
      label={label}
      placeholder={t`Press Enter after each tag`}
      data={choices?.tags ?? []}
      value={value}
      onChange={onChange}
      maxTags={maxTagsAtOnce}
      maxLength={maxTagLength}
      acceptValueOnBlur
    />
  )
  return (
    <ChangeDialog
      opened={opened}
      onClose={onClose}
      title={t`Tags of ${plural(count, { one: '# lead', other: '# leads' })}`}
      action={t`Change tags`}
      change={add.length + remove.length > 0 ? { add_tags: add, remove_tags: remove } : null}
      onSave={onSave}
    >
      {field(t`Add tags`, add, setAdd)}
      {field(t`Remove tags`, remove, setRemove)}
    </ChangeDialog>
  )
}
