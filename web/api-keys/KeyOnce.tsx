import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Permission } from '#contract/api-keys'
import { useMe } from '../me.ts'
import { CopyableText, CopyButton } from '../ui/CopyButton.tsx'
import { trialOf } from './requests.ts'
import { useStay } from './stay.ts'

export interface ToldKey {
  id: string
  name: string
  key: string
  permissions: readonly Permission[]
  ip_whitelist: readonly string[]
}

/** The one time a key's value is shown: nothing but its button leads out. */
export function KeyOnce({ told, onKept }: { told: ToldKey; onKept(): void }) {
  const { name, email } = useMe()
  const { line, about } = trialOf(told.key, told.permissions, { name, email })
  useStay(true)

  return (
    <Modal
      opened
      onClose={onKept}
      title={`The value of ${told.name}`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap={16}>
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} p={12}>
          This is the only time the value is shown. Keep it where secrets are kept, such as a password manager.
        </Alert>
        <CopyableText label="Key" value={told.key} />
        <div>
          <Text c="dimmed" mb={4}>
            {about}
            {told.ip_whitelist.length > 0 && ` It works from ${told.ip_whitelist.join(', ')} alone.`}
          </Text>
          <CopyableText label="curl line" value={line} />
        </div>
        <Group justify="flex-end" gap={8}>
          <CopyButton withText value={told.key} label="Copy key" />
          <Button onClick={onKept}>I have kept the key</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
