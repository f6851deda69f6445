import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Group, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { isUncertain } from '#contract/intake/payload'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { formatList } from '../../../platform/ui/lists.ts'
import { notify } from '../../../platform/ui/notify.tsx'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { WaitingButton } from '../../../platform/ui/WaitingButton.tsx'
import { mappedFieldLabel } from '../field-labels.ts'
import { changeWebhook } from '../queries.ts'

/** Asks to check the unsure fields of the first delivery, until the mapping is saved or confirmed. */
export function ConfirmMapping({ webhook, onDone }: { webhook: ShownWebhook; onDone(): void }) {
  const { id, mapping, proposal } = webhook
  const unsure = (proposal ?? []).filter(isUncertain)
  const confirmed = [...mapping, ...unsure.map(({ path, field }) => ({ path, field }))]
  const confirming = useMutation({
    mutationFn: () => changeWebhook(id, { mapping: confirmed, was: { mapping } }),
    onSuccess: () => {
      onDone()
      notify(t`Mapping confirmed`)
    },
  })
  const names = formatList(new Set(unsure.map(({ field }) => mappedFieldLabel(field))))
  return (
    <Alert variant="default" p={12} mb={16} icon={<IconEye color="var(--amber)" />} title={t`Needs a look`}>
      <Group justify="space-between" gap={8}>
        <Text inherit>
          <Trans>Unsure in the first delivery: {names}. Change what is wrong, or confirm the mapping.</Trans>
        </Text>
        <WaitingButton variant="default" size="xs" waiting={confirming.isPending} onClick={() => confirming.mutate()}>
          <Trans>Confirm mapping</Trans>
        </WaitingButton>
      </Group>
      <Problem error={confirming.error} />
    </Alert>
  )
}
