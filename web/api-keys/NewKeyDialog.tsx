import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import type { Permission } from '#contract/api-keys'
import { useMe } from '../me.ts'
import { CopyableText, CopyButton } from '../ui/CopyButton.tsx'
import { tryKeyCommand } from './curl.ts'

export interface NewKey {
  id: string
  name: string
  key: string
  permissions: readonly Permission[]
  ip_whitelist: readonly string[]
}

/** Shows the value of a new key, once. Only its button closes the dialog. */
export function NewKeyDialog({ apiKey, onClose }: { apiKey: NewKey; onClose(): void }) {
  const { name, email } = useMe()
  const { command, about } = tryKeyCommand(apiKey.key, apiKey.permissions, { name, email })
  useBlockNavigation(true)

  return (
    <Modal
      opened
      onClose={onClose}
      title={`API key created: ${apiKey.name}`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap={16}>
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} p={12}>
          The value is shown only once. Save it in a password manager or a secret store.
        </Alert>
        <CopyableText label="Key" value={apiKey.key} />
        <div>
          <Text c="dimmed" mb={4}>
            {about}
            {apiKey.ip_whitelist.length > 0 && ` It works only from ${apiKey.ip_whitelist.join(', ')}.`}
          </Text>
          <CopyableText label="curl command" value={command} />
        </div>
        <Group justify="flex-end" gap={8}>
          <CopyButton withText value={apiKey.key} label="Copy key" />
          <Button onClick={onClose}>Done, I saved it</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** A key's value is shown only once: neither Back nor a reload leaves the page before the user has saved it. */
export const useBlockNavigation = (blocked: boolean) => useBlocker({ shouldBlockFn: () => true, disabled: !blocked })
