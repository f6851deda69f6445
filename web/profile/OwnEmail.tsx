import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { OwnEmail as Answer } from '#contract/profile'
import { type Data, post } from '../api.ts'
import { meQuery, useMe } from '../me.ts'
import { queryClient } from '../query.ts'
import { FormActions } from '../ui/FormActions.tsx'
import { FormModal } from '../ui/FormModal.tsx'
import { notify } from '../ui/notify.tsx'
import { Section } from '../ui/Section.tsx'
import { useSaveForm } from '../ui/use-save-form.ts'
import { usersQuery } from '../users.ts'

export function OwnEmail() {
  const { email } = useMe()
  const [opened, { open, close }] = useDisclosure()
  return (
    <Section title="Email" about={`You sign in with ${email}.`}>
      <Button variant="default" onClick={open}>
        Change email
      </Button>
      <FormModal opened={opened} onClose={close} title="Change your email">
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
      notify(`From now on you sign in with ${email}`)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label="New email"
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
          label="Your password"
          required
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {sentTo && (
          <TextInput
            label="Code"
            description={`Eight digits that were sent to ${sentTo}. They are valid for 30 minutes.`}
            required
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
        )}
        <FormActions problem={problem} onCancel={onClose} action="Change email" busy={saving.isPending} />
      </Stack>
    </form>
  )
}
