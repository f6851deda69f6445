import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../access/account/queries.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'

interface Props {
  leadName: string
  onChoose(reason: string): void
  onClose(): void
}

/** Asks why a lead was lost, after its status was saved. It may be left open. */
export function LostReasonDialog({ leadName, onChoose, onClose }: Props) {
  const { data: account } = useQuery(accountQuery)
  const reasons = account?.lost_reasons ?? []
  return (
    <Modal opened={reasons.length > 0} onClose={onClose} title={t`Lost reason`}>
      <Text mb={16}>{t`Why was ${leadName} lost?`}</Text>
      <Stack gap={8}>
        {reasons.map((reason) => (
          <Button
            key={reason}
            variant="default"
            fw={400}
            justify="flex-start"
            h="auto"
            mih={36}
            py={6}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start', overflowWrap: 'anywhere', lineHeight: 1.4 } }}
            onClick={() => onChoose(reason)}
          >
            {reason}
          </Button>
        ))}
      </Stack>
      <Group justify="flex-end" mt={16}>
        <Button variant="subtle" color="gray" onClick={onClose}>
          <Trans>Skip</Trans>
        </Button>
      </Group>
    </Modal>
  )
}
