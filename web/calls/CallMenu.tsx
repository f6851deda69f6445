import { ActionIcon, Menu, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconNote, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ListedCall } from '#contract/call-logs'
import { remove } from '../api.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { tell } from '../ui/tell.tsx'
import { inIst } from '../ui/when.ts'

/** What can be done with one call: read all of its notes, delete it. */
export function CallMenu({ call }: { call: ListedCall }) {
  const queryClient = useQueryClient()
  const [reading, notes] = useDisclosure()
  const [deleting, deletion] = useDisclosure()
  const what = `${call.call_type.toLowerCase()} call with ${call.lead_name}`

  const deleteCall = async () => {
    await remove(`/web/calls/${call.id}`)
    tell('Call deleted')
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['calls'] }),
      queryClient.invalidateQueries({ queryKey: ['leads'] }),
      queryClient.invalidateQueries({ queryKey: ['overview'] }),
    ])
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={`More of the ${what}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {call.notes && (
            <Menu.Item leftSection={<IconNote size={16} aria-hidden />} onClick={notes.open}>
              Read notes
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={deletion.open}
            style={{ color: 'var(--red)' }}
          >
            Delete call
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={reading} onClose={notes.close} title={`Notes of the call of ${inIst(call.called_at)}`}>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{call.notes}</Text>
      </Modal>
      <Confirm
        opened={deleting}
        onClose={deletion.close}
        title="Delete call?"
        action="Delete call"
        onConfirm={deleteCall}
      >
        The {what} of {inIst(call.called_at)} is deleted with its notes, and no longer counts in the overview. The lead
        stays. This cannot be undone.
      </Confirm>
    </>
  )
}
