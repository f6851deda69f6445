import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { defaultsOf, type ShownWebhook, type WebhookDefaults } from '#contract/intake/webhooks'
import { ConfirmLeave } from '../../platform/ui/ConfirmLeave.tsx'
import { changedValues, changesSince } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { DefaultsFields, defaultsToSend } from './DefaultsFields.tsx'
import { changeWebhook } from './queries.ts'

const changedDefaults = (before: WebhookDefaults, after: WebhookDefaults) =>
  changesSince(defaultsToSend(before), defaultsToSend(after))

export function DefaultsTab({ webhook }: { webhook: ShownWebhook }) {
  const [dirty, setDirty] = useState(false)
  const saved = useRef(defaultsOf(webhook))
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: saved.current,
    onValuesChange: (values) => setDirty(Object.keys(changedDefaults(saved.current, values)).length > 0),
    save: (values) => changeWebhook(webhook.id, changedDefaults(saved.current, values)),
    onSaved: (_webhook, values) => {
      const before = saved.current
      noteSaved(values)
      notify(t`Defaults saved`, () => undo(before, values))
    },
  })
  /** Further changes may have been made while these were on their way. */
  const noteSaved = (values: WebhookDefaults) => {
    saved.current = values
    setDirty(Object.keys(changedDefaults(values, form.getValues())).length > 0)
  }
  const undo = async (before: WebhookDefaults, after: WebhookDefaults) => {
    await changeWebhook(webhook.id, changedDefaults(after, before))
    const back = changedValues(after, before)
    noteSaved({ ...saved.current, ...back })
    form.setValues(back)
  }

  return (
    <form onSubmit={submit}>
      <ConfirmLeave when={dirty} tab="defaults" what={t`the defaults`} />
      <Stack gap={16} maw={560}>
        <Text c="dimmed">
          <Trans>Used for new leads if the payload has no value. Existing leads do not change.</Trans>
        </Text>
        <DefaultsFields form={form} sourceLabel={webhook.source_label} />
        <Problem error={problem} />
        <Group gap={8}>
          <Button type="submit" loading={saving.isPending} disabled={!dirty}>
            <Trans>Save defaults</Trans>
          </Button>
          {dirty && (
            <Text c="dimmed">
              <Trans>Unsaved changes</Trans>
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}
