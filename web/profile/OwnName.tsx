import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patch } from '../api.ts'
import { useMe } from '../me.ts'
import { problemOfForm } from '../ui/form-problem.ts'
import { Problem } from '../ui/Problem.tsx'
import { Section } from '../ui/Section.tsx'
import { tell } from '../ui/tell.tsx'

export function OwnName() {
  const me = useMe()
  const client = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: me.name } })
  const [problem, setProblem] = useState<unknown>(null)
  const rename = useMutation({
    mutationFn: (change: { name: string }) => patch('/web/me', change),
    onSuccess: async () => {
      setProblem(null)
      await Promise.all([
        client.invalidateQueries({ queryKey: ['me'] }),
        client.invalidateQueries({ queryKey: ['people'] }),
      ])
      tell('Name saved')
    },
    onError: (error) => setProblem(problemOfForm(form, ['name'], error)),
  })
  return (
    <Section title="You">
      <form onSubmit={form.onSubmit((values) => rename.mutate(values))}>
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
