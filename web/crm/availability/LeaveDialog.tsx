import { t } from '@lingui/core/macro'
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { istDay } from '../../platform/ui/time.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { absenceInWords } from './availability-words.ts'
import { availabilityChanges } from './queries.ts'

interface Props {
  userId: string
  opened: boolean
  onClose(): void
}

/** Adds leave of whole days. */
export function LeaveDialog({ userId, opened, onClose }: Props) {
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Add leave`}>
      <LeaveForm userId={userId} onClose={onClose} />
    </FormModal>
  )
}

function LeaveForm({ userId, onClose }: Omit<Props, 'opened'>) {
  const { add } = availabilityChanges(userId)
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { from: istDay(-1), until: istDay(-1) },
    validate: {
      from: (from) => (from ? null : t`Enter the first day.`),
      until: (until, { from }) =>
        until && until < from ? t`This is before the first day.` : until ? null : t`Enter the last day.`,
    },
    save: async (days) => {
      const undo = await add(days)
      onClose()
      notify(t`Added leave: ${{ days: absenceInWords(days) }}`, undo)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <Text c="dimmed">{t`Lead distribution assigns no new leads on these days. Leads that are assigned stay.`}</Text>
        <Group gap={16} grow>
          <TextInput
            type="date"
            label={t`First day`}
            min={istDay()}
            required
            data-autofocus
            key={form.key('from')}
            {...form.getInputProps('from')}
          />
          <TextInput
            type="date"
            label={t`Last day`}
            min={istDay()}
            required
            key={form.key('until')}
            {...form.getInputProps('until')}
          />
        </Group>
        <FormActions problem={problem} onCancel={onClose} action={t`Add leave`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}
