import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useLayoutEffect, useState } from 'react'
import type { SignInAnswer } from '#contract/access/sign-in'
import { post } from '../../platform/api/api.ts'
import { noteNewSession } from '../../platform/api/session.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { takeEarlyForm } from './early-form.ts'
import { emailRule, passwordRule } from './rules.ts'

const SecondFactor = lazy(() => import('./SecondFactor.tsx'))

interface Props {
  /** Set when the same user signs in again. */
  email?: string
  onDone(): void
  /** Below the button. */
  foot: ReactNode
  /** Renders a step in its page or dialog. */
  around(title: string, step: ReactNode): ReactNode
}

/** Asks for the password, then for the two-factor code if the user has one. */
export function SignInSteps({ email, onDone, foot, around }: Props) {
  const done = () => {
    noteNewSession()
    onDone()
  }
  const [early] = useState(() => (email === undefined ? takeEarlyForm() : null))
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { email: email ?? early?.email ?? '', password: early?.password ?? '' },
    validate: { email: emailRule, password: passwordRule },
    save: (values) => post<SignInAnswer>('/auth/sign-in/email', values),
    onSaved: (answer) => {
      if ('user' in answer) done()
    },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the browser draws the new fields
  useLayoutEffect(() => {
    const input = early?.focus && form.getInputNode(early.focus)
    if (input) input.focus()
    early?.remove()
    if (early?.isSubmitted) submit()
  }, [])

  if (saving.data && !('user' in saving.data))
    return around(
      t`Two-factor code`,
      <Suspense>
        <SecondFactor onDone={done} onBack={saving.reset} />
      </Suspense>,
    )
  return around(
    email === undefined ? t`Sign in` : t`Sign in again`,
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label={t`Email`}
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
          label={t`Password`}
          autoComplete="current-password"
          required
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Problem error={problem} />
        <Button type="submit" loading={saving.isPending || saving.isSuccess}>
          <Trans>Sign in</Trans>
        </Button>
        {foot}
      </Stack>
    </form>,
  )
}
