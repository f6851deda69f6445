import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Data, get, post } from '../api.ts'
import { Problem } from '../ui/Problem.tsx'
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
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => post('/web-public/forgotten', { email: email.trim() }) })
  if (ask.isSuccess)
    return (
      <Text role="status">
        If {email.trim()} belongs to a user, we sent a link to choose a new password. It works for an hour.
      </Text>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate()
      }}
    >
      <Stack gap={16}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Problem error={ask.error} />
        <Button type="submit" loading={ask.isPending}>
          Send link
        </Button>
      </Stack>
    </form>
  )
}
