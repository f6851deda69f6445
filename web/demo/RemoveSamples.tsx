import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { notify } from '../ui/notify.tsx'
import { formatCount } from '../ui/numbers.ts'
import { removeSamples } from './queries.ts'

/** Deletes the sample leads, after a question. */
export function RemoveSamples({ leads, onRemoved }: { leads: number; onRemoved?: () => Promise<unknown> }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>
        Remove sample data
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={`Delete ${formatCount(leads, 'sample lead')}?`}
        action="Delete sample leads"
        onConfirm={async () => {
          const { removed, kept } = await removeSamples()
          await onRemoved?.()
          notify(`${formatCount(removed, 'sample lead')} deleted${kept > 0 ? `, ${kept} kept` : ''}`)
        }}
      >
        <Text>
          They and their calls are permanently deleted, also those that users changed. Your other leads stay. So do
          sample leads that got a real enquiry or call, or to which a user gave a phone or email.
        </Text>
      </ConfirmDialog>
    </>
  )
}
