import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShownWebhook } from '#contract/webhooks'
import { problemOfForm } from '../ui/form-problem.ts'
import { LeaveUnsaved } from '../ui/LeaveUnsaved.tsx'
import { Problem } from '../ui/Problem.tsx'
import { tell } from '../ui/tell.tsx'
import { DefaultsFields, defaultsFields, defaultsToSend } from './DefaultsFields.tsx'
import { changeWebhook } from './queries.ts'

export function DefaultsTab({ webhook }: { webhook: ShownWebhook }) {
  const [problem, setProblem] = useState<unknown>(null)
  const [dirty, setDirty] = useState(false)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      default_assignee: webhook.default_assignee,
      default_status: webhook.default_status as string,
      default_source: webhook.default_source ?? '',
      default_tags: webhook.default_tags,
    },
    onValuesChange: () => setDirty(form.isDirty()),
  })
  const save = useMutation({
    mutationFn: (values: typeof form.values) => changeWebhook(webhook.id, defaultsToSend(values)),
    onSuccess: (_webhook, values) => {
      form.resetDirty(values)
      setDirty(false)
      tell('Defaults saved')
    },
    onError: (error) => setProblem(problemOfForm(form, defaultsFields, error)),
  })

  return (
    <form
      onSubmit={form.onSubmit((values) => {
        setProblem(null)
        save.mutate(values)
      })}
    >
      <LeaveUnsaved when={dirty} tab="defaults" what="the defaults" />
      <Stack gap={16} maw={560}>
        <Text c="dimmed">
          What a new lead gets where the payload says nothing. Leads that are there already keep theirs.
        </Text>
        <DefaultsFields form={form} sourceLabel={webhook.source_label} />
        <Problem error={problem} />
        <Group gap={8}>
          <Button type="submit" loading={save.isPending} disabled={!dirty}>
            Save defaults
          </Button>
          {dirty && <Text c="dimmed">Unsaved changes</Text>}
        </Group>
      </Stack>
    </form>
  )
}
