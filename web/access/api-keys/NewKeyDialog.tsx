import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import type { Permission } from '#contract/access/api-keys'
import { CopyableText, CopyButton } from '../../platform/ui/CopyButton.tsx'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { useMe } from '../account/me.ts'
import { tryKeyCommand } from './curl.ts'
import { openReference, useKeyForReference } from './reference.ts'

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
  useKeyForReference(apiKey.key)

  return (
    <Modal
      opened
      onClose={onClose}
      title={t`API key created: ${{ name: apiKey.name }}`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap={16}>
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} p={12}>
          <Trans>The value is shown only once. Save it in a password manager or a secret store.</Trans>
        </Alert>
        <CopyableText label={t`Key`} value={apiKey.key} />
        <div>
          <Text c="dimmed" mb={4}>
            {about}
            {apiKey.ip_whitelist.length > 0 && ` ${t`It works only from ${{ ips: apiKey.ip_whitelist.join(', ') }}.`}`}
          </Text>
          <CopyableText label={t`curl command`} value={command} />
        </div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" rightSection={<IconExternalLink size={16} aria-hidden />} onClick={openReference}>
            <Trans>Try it in the API reference</Trans>
          </Button>
          <CopyButton withText value={apiKey.key} label={t`Copy key`} />
          <Button onClick={onClose}>
            <Trans>Done, I saved it</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** A key's value is shown only once: neither Back nor a reload leaves the page before the user has saved it. */
export const useBlockNavigation = (blocked: boolean) => useBlocker({ shouldBlockFn: () => true, disabled: !blocked })
