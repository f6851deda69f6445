import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api.ts'
import { NewPassword } from '../sign-in/NewPassword.tsx'
import { problemOfForm } from '../ui/form-problem.ts'
import { notify } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Section } from '../ui/Section.tsx'

const initialValues = { currentPassword: '', newPassword: '' }

export function OwnPassword() {
  const client = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues })
  const [problem, setProblem] = useState<unknown>(null)
  const change = useMutation({
    mutationFn: (values: typeof initialValues) => post('/auth/change-password', values),
    onSuccess: () => {
      setProblem(null)
      form.reset()
      void client.invalidateQueries({ queryKey: ['sessions'] })
      notify('Password changed. Your other sessions have ended.')
    },
    onError: (error) => setProblem(problemOfForm(form, Object.keys(initialValues), error)),
  })
  return (
    <Section title="Password" about="A new one ends your sessions on other devices.">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack gap={16}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            key={form.key('currentPassword')}
            {...form.getInputProps('currentPassword')}
          />
          <NewPassword label="New password" key={form.key('newPassword')} {...form.getInputProps('newPassword')} />
          <Problem error={problem} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
