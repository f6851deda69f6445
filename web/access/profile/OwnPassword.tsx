import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { noteNewSession } from '../../platform/api/session.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { NewPassword } from '../sign-in/NewPassword.tsx'
import { newPasswordRule, passwordRule } from '../sign-in/rules.ts'
import { sessionsQuery } from './queries.ts'

export function OwnPassword() {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { currentPassword: passwordRule, newPassword: newPasswordRule },
    save: (values) => post('/auth/change-password', values),
    onSaved: () => {
      form.reset()
      noteNewSession()
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      notify(t`Password changed. Your other sessions have ended.`)
    },
  })
  return (
    <Section title={t`Password`} about={t`Changing it ends your sessions on other devices.`}>
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <PasswordInput
            label={t`Current password`}
            autoComplete="current-password"
            required
            key={form.key('currentPassword')}
            {...form.getInputProps('currentPassword')}
          />
          <NewPassword label={t`New password`} key={form.key('newPassword')} {...form.getInputProps('newPassword')} />
          <Problem error={problem} />
          <Group>
            <Button type="submit" variant="default" loading={saving.isPending}>
              <Trans>Change password</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
