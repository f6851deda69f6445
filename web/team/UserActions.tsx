import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowsExchange,
  IconDots,
  IconLink,
  IconPencil,
  IconShieldOff,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import type { ListedUser } from '#contract/team'
import { useMe } from '../me.ts'
import { useReturnFocus } from '../ui/return-focus.ts'
import { useActivate } from './queries.ts'

export type PersonDialog = 'edit' | 'link' | 'two-factor' | 'deactivate'

interface Props {
  person: ListedUser
  onAsk(dialog: PersonDialog): void
}

/** One's own password and devices are matters of one's profile, and nobody shuts themselves out. */
export function UserActions({ person, onAsk }: Props) {
  const isMe = useMe().id === person.id
  const activate = useActivate()
  // The row moves to those who are active, and its button goes with it.
  const noteOpener = useReturnFocus(activate.isPending)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} flex="none" aria-label={`Actions for ${person.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onAsk('edit')}>
          Edit
        </Menu.Item>
        {person.active && !isMe && (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => onAsk('link')}>
            {person.has_password ? 'New password link' : 'New invitation link'}
          </Menu.Item>
        )}
        {person.two_factor && !isMe && (
          <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => onAsk('two-factor')}>
            Switch off two-factor
          </Menu.Item>
        )}
        {person.active && !isMe && (
          <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => onAsk('deactivate')}>
            Deactivate
          </Menu.Item>
        )}
        {!person.active && (
          <>
            <Menu.Item
              leftSection={<IconUserCheck size={16} aria-hidden />}
              onClick={() => {
                noteOpener()
                activate.mutate(person)
              }}
            >
              Activate
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={() => onAsk('deactivate')}>
              Reassign leads
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
