import { t } from '@lingui/core/macro'
import { Checkbox, Stack, TextInput } from '@mantine/core'
import { maxViewNameLength, type View } from '#contract/crm/views'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { changeView } from './queries.ts'
import { useSharing } from './use-sharing.ts'

interface Props {
  /** Undefined: the dialog is closed. */
  named: View | 'new' | undefined
  onAdd(name: string, shared: boolean): Promise<unknown>
  onClose(): void
}

/** Asks for the name of a new view, or renames one. */
export default function ViewNameDialog({ named, onAdd, onClose }: Props) {
  return (
    <FormModal opened={named !== undefined} onClose={onClose} title={named === 'new' ? t`Save view` : t`Rename view`}>
      {named && <ViewNameForm view={named === 'new' ? undefined : named} onAdd={onAdd} onClose={onClose} />}
    </FormModal>
  )
}

type FormProps = Omit<Props, 'named'> & { view: View | undefined }

function ViewNameForm({ view, onAdd, onClose }: FormProps) {
  const shareWith = useSharing()
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { name: view?.name ?? '', shared: false },
    validate: { name: problemOf },
    save: async ({ name, shared }) => {
      await (view ? changeView(view.id, { name, was: { name: view.name } }) : onAdd(name, shared))
      onClose()
      notify(t`Saved “${{ name: name.trim() }}”`)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label={t`Name`}
          description={t`At most ${{ max: maxViewNameLength }} characters`}
          required
          autoComplete="off"
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        {shareWith && !view && (
          <Checkbox
            label={shareWith.label}
            key={form.key('shared')}
            {...form.getInputProps('shared', { type: 'checkbox' })}
          />
        )}
        <FormActions problem={problem} onCancel={onClose} action={t`Save view`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}

function problemOf(name: string): string | null {
  const { length } = [...name.trim()]
  if (length === 0) return t`Enter a name.`
  return length > maxViewNameLength
    ? t`The name has ${{ length }} characters. Shorten it to ${{ max: maxViewNameLength }}.`
    : null
}
