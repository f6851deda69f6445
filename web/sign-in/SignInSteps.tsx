import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SignInAnswer } from '#contract/sign-in'
import { post } from '../api.ts'
import { Problem } from '../ui/Problem.tsx'
import { SecondFactor } from './SecondFactor.tsx'

interface Props {
  /** Known where one signs in again. */
  email?: string
  onDone(): void
  /** Below the button. */
  foot: ReactNode
  /** What stands around a step of that title. */
  around(title: string, step: ReactNode): ReactNode
}

/** The password, then the second factor of who has one. */
export function SignInSteps({ email, onDone, foot, around }: Props) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: email ?? '', password: '' } })
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) => post<SignInAnswer>('/auth/sign-in/email', values),
    onSuccess: (answer) => {
      if ('user' in answer) onDone()
    },
  })

  if (signIn.data && !('user' in signIn.data))
    return around('Your second factor', <SecondFactor onDone={onDone} onBack={signIn.reset} />)
  return around(
    email === undefined ? 'Sign in' : 'Sign in again',
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <Stack gap={16}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus={email === undefined}
          readOnly={email !== undefined}
          variant={email === undefined ? 'default' : 'filled'}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Problem error={signIn.error} />
        <Button type="submit" loading={signIn.isPending || signIn.isSuccess}>
          Sign in
        </Button>
        {foot}
      </Stack>
    </form>,
  )
}
