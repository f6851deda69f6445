import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { changeWebhook } from './queries.ts'

/** The secret of a platform, by which answers to its checks of the URL are signed. */
export function SecretTokenForm({ webhook: { id, secret_token } }: { webhook: ShownWebhook }) {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { secret_token: secret_token ?? '' },
    save: async (values) => {
      const saved = await changeWebhook(id, { secret_token: values.secret_token.trim() || null })
      form.setValues({ secret_token: saved.secret_token ?? '' })
      notify(saved.secret_token ? t`Secret token saved` : t`Secret token removed`)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={8} mt={12} maw={420}>
        <TextInput
          key={form.key('secret_token')}
          label={t`Secret token`}
          description={t`Only Admins see it.`}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('secret_token')}
        />
        <Problem error={problem} />
        <Group>
          <Button type="submit" variant="default" loading={saving.isPending}>
            <Trans>Save secret token</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
