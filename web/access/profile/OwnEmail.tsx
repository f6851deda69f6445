import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { OwnEmail as Answer } from '#contract/access/profile'
import { type Data, post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { meQuery, useMe } from '../account/me.ts'
import { usersQuery } from '../account/users.ts'

export function OwnEmail() {
  const { email, has_password } = useMe()
  const [opened, { open, close }] = useDisclosure()
  if (!has_password)
    return <Section title={t`Email`} about={t`Emails go to ${email}. An Admin can change it under Team.`} />
  return (
    <Section title={t`Email`} about={t`You sign in with ${email}.`}>
      <Button variant="default" onClick={open}>
        <Trans>Change email</Trans>
      </Button>
      <FormModal opened={opened} onClose={close} title={t`Change your email`}>
        <ChangeForm onClose={close} />
      </FormModal>
    </Section>
  )
}

/** With a mail server, a code is sent to the new email, and the form asks for it. */
function ChangeForm({ onClose }: { onClose(): void }) {
  const [sentTo, setSentTo] = useState<string>()
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { email: '', password: '', code: '' },
    save: async ({ email, password, code }) => {
      const change = { email: email.trim(), password, ...(sentTo ? { code } : {}) }
      return (await post<Data<Answer>>('/web/me/email', change)).data
    },
    onSaved: ({ email, code_sent }, values) => {
      if (code_sent) return setSentTo(values.email.trim())
      for (const { queryKey } of [meQuery, usersQuery]) void queryClient.invalidateQueries({ queryKey })
      onClose()
      notify(t`From now on you sign in with ${email}`)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label={t`New email`}
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          readOnly={sentTo !== undefined}
          variant={sentTo ? 'filled' : 'default'}
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t`Your password`}
          required
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {sentTo && (
          <TextInput
            label={t`Code`}
            description={t`Eight digits that were sent to ${{ email: sentTo }}. They are valid for 30 minutes.`}
            required
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
        )}
        <FormActions problem={problem} onCancel={onClose} action={t`Change email`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}
