import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Data, get, post } from '../api.ts'
import { Problem } from '../ui/Problem.tsx'
import { useSaveForm } from '../ui/use-save-form.ts'
import { CenteredPage } from './CenteredPage.tsx'

export function ForgotPasswordPage() {
  const options = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: async () => (await get<Data<{ mail: boolean }>>('/web-public/sign-in-options')).data,
  })
  return (
    <CenteredPage title="Forgot your password?">
      <Stack gap={16}>
        {options.isPending && <Skeleton height={120} />}
        <Problem error={options.error} retry={options.refetch} />
        {options.data &&
          (options.data.mail ? (
            <AskForLink />
          ) : (
            <>
              <Text>
                Ask an Admin of your account for a new password link. They create it under Team, and you choose a new
                password with it.
              </Text>
              <Text c="dimmed">
                Are you the only Admin? Run <code>npx lead-engine user reset-password you@example.com</code> on the
                server.
              </Text>
            </>
          ))}
        <Anchor component={Link} to="/sign-in">
          Back to sign-in
        </Anchor>
      </Stack>
    </CenteredPage>
  )
}

function AskForLink() {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { email: '' },
    save: ({ email }) => post('/web-public/forgotten', { email: email.trim() }),
  })
  if (saving.isSuccess)
    return (
      <Text role="status">
        If {saving.variables.email.trim()} belongs to a user, we sent a link to choose a new password. It works for an
        hour.
      </Text>
    )
  return (
    <form onSubmit={submit}>
      <Stack gap={16}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Problem error={problem} />
        <Button type="submit" loading={saving.isPending}>
          Send link
        </Button>
      </Stack>
    </form>
  )
}
