import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { permissions } from '#contract/access/api-keys'
import type { SignInAnswer } from '#contract/access/sign-in'
import { type Data, post } from '../../platform/api/api.ts'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { formatDateTime, formatTimeLeft } from '../../platform/ui/time.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { NameFields, nameRules } from '../account/NameFields.tsx'
import { curlToPost } from '../api-keys/curl.ts'
import { CenteredPage } from './CenteredPage.tsx'
import { NewPassword } from './NewPassword.tsx'
import { emailRule, newPasswordRule } from './rules.ts'

interface FirstAdmin {
  id: string
  name: string
  email: string
}

/** The first page of an installation: it names the company and its Admin, who is then signed in. */
export default function SetUp({ token, expiresAt }: { token: string; expiresAt: string }) {
  const [admin, setAdmin] = useState<FirstAdmin | null>(null)
  return (
    <CenteredPage title={admin ? t`Your account is set up` : t`Set up Lead Engine`}>
      {admin ? <Done admin={admin} /> : <Names token={token} expiresAt={expiresAt} onDone={setAdmin} />}
    </CenteredPage>
  )
}

function Names({ token, expiresAt, onDone }: { token: string; expiresAt: string; onDone(admin: FirstAdmin): void }) {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { company: '', name: '', email: '', password: '' },
    validate: { ...nameRules, email: emailRule, password: newPasswordRule },
    save: async ({ password, ...given }) => {
      const [company, name, email] = [given.company, given.name, given.email].map((text) => text.trim())
      await post('/web-public/set-up', { token, company, name, email, password })
      // All is saved: if this fails, the sign-in page takes the new password.
      const signedIn = await post<SignInAnswer>('/auth/sign-in/email', { email, password }).catch(() => null)
      return signedIn && 'user' in signedIn ? { id: signedIn.user.id, name: name!, email: email! } : null
    },
    onSaved: (admin) => (admin ? onDone(admin) : location.assign('/sign-in')),
  })
  return (
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
  )
}

function Done({ admin }: { admin: FirstAdmin }) {
  const { email } = admin
  return (
    <Stack gap={24}>
      <Text role="status">
        <Trans>You are signed in as {email}.</Trans>
      </Text>
      {/* Loads a new page, with the data of the user. */}
      <Button component="a" href="/">
        <Trans>Open Lead Engine</Trans>
      </Button>
      <FirstKey admin={admin} />
    </Stack>
  )
}

/** For who connects a program at once. */
function FirstKey({ admin: { id, name, email } }: { admin: FirstAdmin }) {
  const creating = useMutation({
    mutationFn: () =>
      post<Data<{ key: string }>>('/web/api-keys', {
        user_id: id,
        name: t`Quick start`,
        permissions,
        ip_whitelist: [],
      }),
  })
  const key = creating.data?.data.key
  if (key)
    return (
      <Stack gap={8} role="status">
        <Text>
          <Trans>The API key is shown only once. Save it in a password manager or a secret store.</Trans>
        </Text>
        <CopyableText label={t`Key`} value={key} />
        <Text>
          <Trans>Try it: this command creates a lead with your name and email.</Trans>
        </Text>
        <CopyableText label={t`curl command`} value={curlToPost(key, '/leads', { name, email })} />
        <Anchor href="/docs">
          <Trans>API reference</Trans>
        </Anchor>
      </Stack>
    )
  return (
    <Stack gap={8}>
      <Text c="dimmed">
        <Trans>To connect a program, create an API key for it now, or later under API keys.</Trans>
      </Text>
      <Problem error={creating.error} />
      <Button variant="default" loading={creating.isPending} onClick={() => creating.mutate()}>
        <Trans>Create key</Trans>
      </Button>
    </Stack>
  )
}
