import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Accordion, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { noDefaults, type WebhookToCreate, type WebhookUrl } from '#contract/intake/webhooks'
import { type Data, post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { DefaultsFields, defaultsToSend } from './DefaultsFields.tsx'
import { webhooksQuery } from './queries.ts'

const required = (message: string) => (value: string) => (value.trim() ? null : message)

export const nameRules = { name: required(t`Enter a name.`), source_label: required(t`Enter a source label.`) }

interface Props {
  opened: boolean
  onClose(): void
  /** Opens the page of the webhook, unless it stays on this one. */
  stays?: boolean
}

export function CreateWebhook({ opened, onClose, stays = false }: Props) {
  const create = useCreate(onClose, stays)
  // A request that was sent cannot be cancelled.
  const close = () => {
    if (!create.isPending) onClose()
  }
  return (
    <FormModal opened={opened} onClose={close} title={t`Create webhook`}>
      <CreateForm create={create} onClose={close} />
    </FormModal>
  )
}

function useCreate(onCreated: () => void, stays: boolean) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (webhook: WebhookToCreate) => (await post<Data<WebhookUrl>>('/web/webhooks', webhook)).data,
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })
      onCreated()
      if (stays) return
      await navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId: id } })
      document.getElementById('content')?.focus({ preventScroll: true })
    },
  })
}

interface FormProps {
  create: ReturnType<typeof useCreate>
  onClose(): void
}

function CreateForm({ create, onClose }: FormProps) {
  const ownLabel = useRef(false)
  const [label, setLabel] = useState('')
  const { form, submit, problem } = useSaveForm({
    initialValues: { name: '', source_label: '', ...noDefaults },
    validate: nameRules,
    save: ({ name, source_label, ...defaults }) =>
      create.mutateAsync({ name: name.trim(), source_label: source_label.trim(), ...defaultsToSend(defaults) }),
  })
  form.watch('name', ({ value }) => {
    if (ownLabel.current) return
    form.setFieldValue('source_label', value)
    setLabel(value)
  })
  form.watch('source_label', ({ value }) => setLabel(value))
  const sourceLabel = form.getInputProps('source_label')

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          key={form.key('name')}
          label={t`Name`}
          description={t`For example IndiaMART, Housing portal or Website form.`}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          key={form.key('source_label')}
          label={t`Source label`}
          description={t`Shown with this webhook, and the source of new leads whose payload has none.`}
          maxLength={200}
          autoComplete="off"
          {...sourceLabel}
          onFocus={(event) => {
            sourceLabel.onFocus?.(event)
            event.currentTarget.select()
          }}
          onChange={(event) => {
            ownLabel.current = true
            sourceLabel.onChange(event)
          }}
        />
        <Accordion variant="contained" order={3}>
          <Accordion.Item value="defaults">
            <Accordion.Control>
              <Trans>Defaults</Trans>
            </Accordion.Control>
            <Accordion.Panel>
              <DefaultsFields form={form} sourceLabel={label || t`The source label`} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <FormActions problem={problem} onCancel={onClose} action={t`Create webhook`} busy={create.isPending} />
      </Stack>
    </form>
  )
}
