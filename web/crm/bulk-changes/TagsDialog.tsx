import { plural, t } from '@lingui/core/macro'
import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { maxTagLength, maxTagsAtOnce } from '#contract/crm/leads'
import { KnownValuesField } from '../leads/KnownValuesField.tsx'
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
  const known = choices?.tags
  const limits = { maxTags: maxTagsAtOnce, maxLength: maxTagLength }
  return (
    <ChangeDialog
      opened={opened}
      onClose={onClose}
      title={t`Tags of ${plural(count, { one: '# lead', other: '# leads' })}`}
      action={t`Change tags`}
      change={add.length + remove.length > 0 ? { add_tags: add, remove_tags: remove } : null}
      onSave={onSave}
    >
      <TagsInput
        label={t`Add tags`}
        placeholder={t`Press Enter after each tag`}
        data={known ?? []}
        value={add}
        onChange={setAdd}
        {...limits}
      />
      <KnownValuesField
        label={t`Remove tags`}
        placeholder={t`Press Enter after each tag`}
        known={known}
        value={remove}
        onChange={setRemove}
        {...limits}
      />
    </ChangeDialog>
  )
}
