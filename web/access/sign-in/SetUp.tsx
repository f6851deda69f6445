import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { SignInAnswer } from '#contract/access/sign-in'
import { post } from '../../platform/api/api.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { formatDateTime, formatTimeLeft } from '../../platform/ui/time.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { NameFields, nameRules } from '../account/NameFields.tsx'
import { CenteredPage } from './CenteredPage.tsx'
import { NewPassword } from './NewPassword.tsx'
import { emailRule, newPasswordRule } from './rules.ts'

/** The first page of an installation: it names the company and its Admin, who is then signed in. */
export default function SetUp({ token, expiresAt }: { token: string; expiresAt: string }) {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { company: '', name: '', email: '', password: '' },
    validate: { ...nameRules, email: emailRule, password: newPasswordRule },
    save: async ({ password, ...given }) => {
      const [company, name, email] = [given.company, given.name, given.email].map((text) => text.trim())
      await post('/web-public/set-up', { token, company, name, email, password })
      // All is saved: if this fails, the sign-in page takes the new password.
      const signedIn = await post<SignInAnswer>('/auth/sign-in/email', { email, password }).catch(() => null)
      // Loads a new page, with the data of the user.
      location.replace(signedIn ? '/' : '/sign-in')
    },
  })
  return (
    <CenteredPage title={t`Set up Lead Engine`}>
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <Text>
            <Trans>Name your company, and choose the email and the password with which you sign in.</Trans>
          </Text>
          <NameFields form={form} autoFocus />
          <TextInput
            label={t`Email`}
            type="email"
            maxLength={254}
            required
            autoComplete="username"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <NewPassword label={t`Password`} key={form.key('password')} {...form.getInputProps('password')} />
          <Problem error={problem} />
          <Button type="submit" loading={saving.isPending || saving.isSuccess}>
            <Trans>Set up</Trans>
          </Button>
          <Text size="xs" c="dimmed">
            {t`Valid until ${{ time: formatDateTime(expiresAt) }} (${{ left: formatTimeLeft(expiresAt) }})`}
          </Text>
        </Stack>
      </form>
    </CenteredPage>
  )
}
