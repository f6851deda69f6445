import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { post } from '../../platform/api/api.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { CenteredPage } from './CenteredPage.tsx'
import { OnlyAdmin } from './OnlyAdmin.tsx'
import { signInOptionsQuery } from './options.ts'
import { emailRule } from './rules.ts'

export function ForgotPasswordPage() {
  const options = useQuery(signInOptionsQuery)
  return (
    <CenteredPage title={t`Forgot your password?`}>
      <Stack gap={16}>
        {options.isPending && <Skeleton height={120} />}
        <Problem error={options.error} retry={options.refetch} />
        {options.data &&
          (options.data.mail ? (
            <AskForLink />
          ) : (
            <>
              <Text>
                <Trans>
                  Ask an Admin of your account for a link. They create it under Team, and you choose a new password with
                  it.
                </Trans>
              </Text>
              <OnlyAdmin />
            </>
          ))}
        <Anchor component={Link} to="/sign-in">
          <Trans>Back to sign-in</Trans>
        </Anchor>
      </Stack>
    </CenteredPage>
  )
}

function AskForLink() {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { email: '' },
    validate: { email: emailRule },
    save: ({ email }) => post('/web-public/forgotten', { email: email.trim() }),
  })
  if (saving.isSuccess)
    return (
      <Text role="status">
        {t`If ${{ email: saving.variables.email.trim() }} belongs to a user, we sent a link to choose a new password. The link expires in one hour.`}
      </Text>
    )
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label={t`Email`}
          type="email"
          autoComplete="username"
          required
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Problem error={problem} />
        <Button type="submit" loading={saving.isPending}>
          <Trans>Send link</Trans>
        </Button>
      </Stack>
    </form>
  )
}
