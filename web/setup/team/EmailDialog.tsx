import { t } from '@lingui/core/macro'
import { PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { ListedUser } from '#contract/access/account'
import { post } from '../../platform/api/api.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { useUsersChanged } from './queries.ts'
import { firstName } from './user.ts'

interface Props {
  user: ListedUser
  opened: boolean
  onClose(): void
}

export function EmailDialog({ user, opened, onClose }: Props) {
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Change the email of ${{ name: user.name }}`}>
      <EmailForm user={user} onClose={onClose} />
    </FormModal>
  )
}

function EmailForm({ user, onClose }: Omit<Props, 'opened'>) {
  const changed = useUsersChanged()
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { email: '', password: '' },
    save: ({ email, password }) => post(`/web/users/${user.id}/email`, { email: email.trim(), password }),
    onSaved: async (_, { email }) => {
      await changed()
      onClose()
      notify(t`${{ name: user.name }} now signs in with ${{ email: email.trim() }}`)
    },
  })
  const sentences = [
    t`${{ name: firstName(user.name) }} signs in with ${{ email: user.email }}, and then with the new email.`,
    user.link_expires_at && t`The link that was sent to the previous email stops working.`,
  ]
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <Text>{sentences.filter(Boolean).join(' ')}</Text>
        <TextInput
          label={t`New email`}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t`Your own password`}
          required
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <FormActions problem={problem} onCancel={onClose} action={t`Change email`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}
