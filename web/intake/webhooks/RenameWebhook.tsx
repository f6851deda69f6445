import { t } from '@lingui/core/macro'
import { Stack, TextInput } from '@mantine/core'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { changedValues } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { nameRules } from './CreateWebhook.tsx'
import { changeWebhook } from './queries.ts'

interface Props {
  webhook: ShownWebhook
  opened: boolean
  onClose(): void
}

export const RenameWebhook = ({ webhook, opened, onClose }: Props) => (
  <FormModal opened={opened} onClose={onClose} title={t`Edit ${{ name: webhook.name }}`}>
    <RenameForm webhook={webhook} onClose={onClose} />
  </FormModal>
)

function RenameForm({ webhook, onClose }: Omit<Props, 'opened'>) {
  const { id } = webhook
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { name: webhook.name, source_label: webhook.source_label },
    validate: nameRules,
    save: async ({ name, source_label }) => {
      const before = form.getInitialValues()
      const after = { name: name.trim(), source_label: source_label.trim() }
      await changeWebhook(id, changedValues(before, after))
      onClose()
      notify(t`Saved ${{ name: after.name }}`, () => changeWebhook(id, changedValues(after, before)))
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          key={form.key('name')}
          label={t`Name`}
          maxLength={200}
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          key={form.key('source_label')}
          label={t`Source label`}
          description={t`Shown with this webhook, and the source of new leads whose payload has none. Existing leads keep theirs.`}
          maxLength={200}
          autoComplete="off"
          {...form.getInputProps('source_label')}
        />
        <FormActions problem={problem} onCancel={onClose} action={t`Save changes`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}
