import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'

/** Not the button, which a second Enter would press. */
const takeFocus = (words: HTMLParagraphElement | null) => words?.focus()

/** Shows the backup codes once. */
export function BackupCodes({ codes, onSaved }: { codes: string[]; onSaved(): void }) {
  return (
    <Stack gap={16}>
      <Text ref={takeFocus} tabIndex={-1}>
        <Trans>
          Save these codes where you keep your passwords. If you lose your phone, you can sign in once with each. They
          are not shown again.
        </Trans>
      </Text>
      <CopyableText value={codes.join('\n')} label={t`Backup codes`} />
      <Group justify="flex-end">
        <Button onClick={onSaved}>
          <Trans>I saved them</Trans>
        </Button>
      </Group>
    </Stack>
  )
}
