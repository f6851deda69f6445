import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyableText } from '../ui/CopyButton.tsx'

/** What was pressed before is gone, and the focus with it; not to the button, which a second Enter would press. */
const takeFocus = (words: HTMLParagraphElement | null) => words?.focus()

/** Shown this once. */
export function BackupCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  return (
    <Stack gap={16}>
      <Text ref={takeFocus} tabIndex={-1}>
        Keep these codes where you keep your passwords. Each lets you in once when your phone is lost, and they are not
        shown again.
      </Text>
      <CopyableText value={codes.join('\n')} label="Backup codes" />
      <Group justify="flex-end">
        <Button onClick={onKept}>I have kept them</Button>
      </Group>
    </Stack>
  )
}
