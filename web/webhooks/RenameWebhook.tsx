import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShownWebhook } from '#contract/webhooks'
import { FormActions } from '../ui/FormActions.tsx'
import { changesOf } from '../ui/form-changes.ts'
import { problemOfForm, toFirstProblem } from '../ui/form-problem.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { naming } from './naming.ts'
import { changeWebhook } from './queries.ts'

interface Props {
  webhook: ShownWebhook
  opened: boolean
  onClose(): void
}

export const RenameWebhook = ({ webhook, opened, onClose }: Props) => (
  <Modal opened={opened} onClose={onClose} title={`Edit ${webhook.name}`} closeOnClickOutside={false}>
    <RenameForm webhook={webhook} onClose={onClose} />
  </Modal>
)

const fields = ['name', 'source_label']

function RenameForm({ webhook, onClose }: Omit<Props, 'opened'>) {
  const { id } = webhook
  const [problem, setProblem] = useState<unknown>(null)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: webhook.name, source_label: webhook.source_label },
    validate: naming,
  })
  const save = useMutation({
    mutationFn: (values: typeof form.values) => changeWebhook(id, changesOf(form.getInitialValues(), values)),
    onSuccess: (_webhook, values) => {
      const before = changesOf(values, form.getInitialValues())
      onClose()
      notify(`Saved ${values.name}`, () => changeWebhook(id, before).catch(notifyProblem))
    },
    onError: (error) => setProblem(problemOfForm(form, fields, error)),
  })
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => {
          setProblem(null)
          save.mutate({ name: values.name.trim(), source_label: values.source_label.trim() })
        },
        toFirstProblem(form, fields),
      )}
      noValidate
    >
      <Stack gap={16}>
        <TextInput
          key={form.key('name')}
          label="Name"
          maxLength={200}
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          key={form.key('source_label')}
          label="Source label"
          description="For leads from now on. Those that are there keep their source."
          maxLength={200}
          autoComplete="off"
          {...form.getInputProps('source_label')}
        />
        <FormActions problem={problem} onCancel={onClose} action="Save changes" busy={save.isPending} />
      </Stack>
    </form>
  )
}
