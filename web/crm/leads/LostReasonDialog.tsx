import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { Modal } from '../../platform/ui/Dialog.tsx'

interface Props {
  opened: boolean
  question: string
  /** The reasons of the account. */
  reasons: readonly string[]
  /** Without a reason if the question is skipped. */
  onChoose(reason?: string): void
  onClose(): void
}

/** Asks why leads are lost. */
export function LostReasonDialog({ opened, question, reasons, onChoose, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Lost reason`}>
      <Text mb={16}>{question}</Text>
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
        <Button variant="subtle" color="gray" onClick={() => onChoose()}>
          <Trans>Skip</Trans>
        </Button>
      </Group>
    </Modal>
  )
}
