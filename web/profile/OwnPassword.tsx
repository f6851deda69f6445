import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { post } from '../api.ts'
import { keepPush, noteNewSession } from '../notifications/push.ts'
import { queryClient } from '../query.ts'
import { NewPassword } from '../sign-in/NewPassword.tsx'
import { notify } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Section } from '../ui/Section.tsx'
import { useSaveForm } from '../ui/use-save-form.ts'
import { sessionsQuery } from './queries.ts'

export function OwnPassword() {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { currentPassword: '', newPassword: '' },
    save: (values) => post('/auth/change-password', values),
    onSaved: () => {
      form.reset()
      noteNewSession()
      void keepPush()
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      notify('Password changed. Your other sessions have ended.')
    },
  })
  return (
    <Section title="Password" about="Changing it ends your sessions on other devices.">
      <form onSubmit={submit}>
        <Stack gap={16}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            key={form.key('currentPassword')}
            {...form.getInputProps('currentPassword')}
          />
          <NewPassword label="New password" key={form.key('newPassword')} {...form.getInputProps('newPassword')} />
          <Problem error={problem} />
          <Group>
            <Button type="submit" variant="default" loading={saving.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
