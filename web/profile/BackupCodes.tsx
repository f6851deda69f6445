import { Button, Group, Stack, Text } from '@mantine/core'
import { Copyable } from '../ui/Copy.tsx'

/** Shown this once. */
export function BackupCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  return (
    <Stack gap={16}>
      <Text>
        Keep these codes where you keep your passwords. Each lets you in once when your phone is lost, and they are not
        shown again.
      </Text>
      <Copyable value={codes.join('\n')} label="Backup codes" />
      <Group justify="flex-end">
        <Button onClick={onKept}>I have kept them</Button>
      </Group>
    </Stack>
  )
}
