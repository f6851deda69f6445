import { Alert, Anchor, Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ShownKey } from '#contract/api-keys'

interface Props {
  /** Undefined while they are on their way. */
  keys: ShownKey[] | undefined
  chosen: ShownKey | undefined
  /** Whether the value of the chosen one is known, since it was made here. */
  known: boolean
  onChoose(id: string): void
  onCreate(): void
}

export function ChooseKey({ keys, chosen, known, onChoose, onCreate }: Props) {
  if (!keys) return <Skeleton height={36} />
  if (!chosen)
    return (
      <Stack gap={12} align="flex-start">
        <Text c="dimmed">A program shows who it is with a key. There is none yet.</Text>
        <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
          Create key
        </Button>
      </Stack>
    )
  return (
    <Stack gap={12}>
      <Group gap={8}>
        <Select
          aria-label="Key"
          data={keys.map(({ id, name, last_four }) => ({ value: id, label: `${name} · le_live_…${last_four}` }))}
          value={chosen.id}
          onChange={(id) => id && onChoose(id)}
          allowDeselect={false}
          searchable={keys.length > 8}
          w={{ base: '100%', xs: 320 }}
        />
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={onCreate}>
          Create key
        </Button>
      </Group>
      <Text c="dimmed">
        {known
          ? 'Its value stands in the lines below, until you leave this page.'
          : `Its value was shown when it was made and is not known here. Put it in the place of le_live_…${chosen.last_four} below.`}
        {chosen.ip_whitelist.length > 0 && ` It works from ${chosen.ip_whitelist.join(', ')} alone.`}
      </Text>
      {!chosen.permissions.includes('write') && (
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} p={12}>
          This key may not create leads. Choose another, or allow Write under{' '}
          <Anchor component={Link} underline="always" to="/settings/api-keys">
            API keys
          </Anchor>
          .
        </Alert>
      )}
    </Stack>
  )
}
