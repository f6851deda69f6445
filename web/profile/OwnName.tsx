import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patch } from '../api.ts'
import { useMe } from '../me.ts'
import { takeSaved } from '../ui/form-changes.ts'
import { problemOfForm, toFirstProblem } from '../ui/form-problem.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Section } from '../ui/Section.tsx'

const fields = ['name']

export function OwnName() {
  const me = useMe()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: me.name },
    validate: { name: (name) => (name.trim() ? null : 'Give your name.') },
  })
  const [problem, setProblem] = useState<unknown>(null)
  const rename = useMutation({
    mutationFn: ({ saved }: { shown: string; saved: string }) => patch('/web/me', { name: saved }),
    onSuccess: async (_answer, { shown, saved }) => {
      takeSaved(form, { name: shown }, { name: saved })
      await Promise.all([
        client.invalidateQueries({ queryKey: ['me'] }),
        client.invalidateQueries({ queryKey: ['users'] }),
      ])
    },
  })
  const save = async ({ name }: { name: string }) => {
    setProblem(null)
    const before = form.getInitialValues().name
    const after = name.trim()
    try {
      await rename.mutateAsync({ shown: name, saved: after })
      const undo = () => rename.mutateAsync({ shown: after, saved: before })
      notify('Name saved', () => undo().then(() => notify('Undone'), notifyProblem))
    } catch (error) {
      setProblem(problemOfForm(form, fields, error))
    }
  }
  return (
    <Section title="You">
      <form onSubmit={form.onSubmit((values) => void save(values), toFirstProblem(form, fields))} noValidate>
        <Stack gap={16}>
          <TextInput
            label="Name"
            maxLength={200}
            required
            autoComplete="name"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <TextInput label="Email" value={me.email} readOnly variant="filled" description="What you sign in with." />
          <Text c="dimmed">
            {me.role} of {me.account.name}
            {me.team && `, team ${me.team}`}. An Admin can change that under Team.
          </Text>
          <Problem error={problem} />
          <Group>
            <Button type="submit" variant="default" loading={rename.isPending}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
