import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { LeadImport } from '#contract/intake/lead-import'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { undoImport } from './imports.ts'

interface Props {
  of: LeadImport
  onStarted?: () => void
}

/** A button that asks, and undoes an import. */
export function UndoImport({ of, onStarted }: Props) {
  const [opened, { open, close }] = useDisclosure()
  const { id, file, created, merged } = of
  const undo = async () => {
    await undoImport(id)
    onStarted?.()
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        <Trans>Undo import</Trans>
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={file ? t`Undo the import of ${file}?` : t`Undo this import?`}
        action={t`Undo import`}
        onConfirm={undo}
      >
        <Stack gap={8}>
          {created > 0 && (
            <Text>
              {t`It created ${plural(created, { one: '# lead', other: '# leads' })}. They are permanently deleted, except for those that were called, changed, merged or sent again since.`}
            </Text>
          )}
          {merged > 0 && (
            <Text>
              {t`It merged ${plural(merged, { one: '# row', other: '# rows' })}. What they added to leads that existed is removed, except for what was changed since.`}
            </Text>
          )}
          <Text>
            <Trans>You cannot take this back, but you can import the file again.</Trans>
          </Text>
        </Stack>
      </ConfirmDialog>
    </>
  )
}
