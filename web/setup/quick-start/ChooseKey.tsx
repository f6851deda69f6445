import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ShownKey } from '#contract/access/api-keys'

interface Props {
  /** Undefined while loading. */
  keys: ShownKey[] | undefined
  chosen: ShownKey | undefined
  /** Whether the chosen key was created on this page, so that its value is known. */
  known: boolean
  onChoose(id: string): void
  onCreate(): void
}

export function ChooseKey({ keys, chosen, known, onChoose, onCreate }: Props) {
  if (!keys) return <Skeleton height={36} />
  if (!chosen)
    return (
      <Stack gap={12} align="flex-start">
        <Text c="dimmed">
          <Trans>Programs sign in with an API key. You have none yet.</Trans>
        </Text>
        <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
          <Trans>Create key</Trans>
        </Button>
      </Stack>
    )
  return (
    <Stack gap={12}>
      <Group gap={8}>
        <Select
          aria-label={t`Key`}
          data={keys.map(({ id, name, last_four }) => ({ value: id, label: `${name} · le_live_…${last_four}` }))}
          value={chosen.id}
          onChange={(id) => id && onChoose(id)}
          allowDeselect={false}
          searchable={keys.length > 8}
          w={{ base: '100%', xs: 320 }}
        />
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={onCreate}>
          <Trans>Create key</Trans>
        </Button>
      </Group>
      <Text c="dimmed">
        {known
          ? t`The code below contains its value until you leave this page.`
          : t`Its value was shown only when it was created. Replace ${{ value: `le_live_…${chosen.last_four}` }} in the code below with it.`}
        {chosen.ip_whitelist.length > 0 && ` ${t`It works only from ${{ ips: chosen.ip_whitelist.join(', ') }}.`}`}
      </Text>
      {!chosen.permissions.includes('write') && (
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} p={12}>
          <Trans>
            This key cannot create leads. Choose another, or add the Write permission under{' '}
            <Anchor component={Link} underline="always" to="/settings/api-keys">
              API keys
            </Anchor>
            .
          </Trans>
        </Alert>
      )}
    </Stack>
  )
}
