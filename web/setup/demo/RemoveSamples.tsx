import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { removeSamples } from './queries.ts'

/** Deletes the sample leads, after a question. */
export function RemoveSamples({ leads, onRemoved }: { leads: number; onRemoved?: () => Promise<unknown> }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>
        <Trans>Remove sample data</Trans>
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={t`Delete ${plural(leads, { one: '# sample lead', other: '# sample leads' })}?`}
        action={t`Delete sample leads`}
        onConfirm={async () => {
          const { removed, kept } = await removeSamples()
          await onRemoved?.()
          notify(
            kept > 0
              ? t`${plural(removed, { one: '# sample lead', other: '# sample leads' })} deleted, ${kept} kept`
              : t`${plural(removed, { one: '# sample lead', other: '# sample leads' })} deleted`,
          )
        }}
      >
        <Text>
          <Trans>
            They and their calls are permanently deleted, also those that users changed. Your other leads stay. So do
            sample leads that got a real enquiry or call, or to which a user gave a phone or email.
          </Trans>
        </Text>
      </ConfirmDialog>
    </>
  )
}
