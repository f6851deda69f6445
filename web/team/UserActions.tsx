import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowsExchange,
  IconCalendarOff,
  IconDots,
  IconLink,
  IconMail,
  IconPencil,
  IconShieldOff,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import type { ListedUser } from '#contract/team'
import { useMe } from '../me.ts'
import { useReturnFocus } from '../ui/return-focus.ts'
import { useActivate } from './queries.ts'

export type UserDialog = 'edit' | 'availability' | 'email' | 'link' | 'two-factor' | 'deactivate'

interface Props {
  user: ListedUser
  onAsk(dialog: UserDialog): void
}

/** Actions on a user. Users change their own email and password in their profile, and cannot deactivate themselves. */
export function UserActions({ user, onAsk }: Props) {
  const isMe = useMe().id === user.id
  const activate = useActivate()
  // The row moves to the active users, and its button disappears.
  const noteOpener = useReturnFocus(activate.isPending)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} flex="none" aria-label={`Actions for ${user.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onAsk('edit')}>
          Edit
        </Menu.Item>
        {user.active && (
          <Menu.Item leftSection={<IconCalendarOff size={16} aria-hidden />} onClick={() => onAsk('availability')}>
            Availability
          </Menu.Item>
        )}
        {!isMe && (
          <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={() => onAsk('email')}>
            Change email
          </Menu.Item>
        )}
        {user.active && !isMe && (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => onAsk('link')}>
            {user.has_password ? 'New password link' : 'New invitation link'}
          </Menu.Item>
        )}
        {user.two_factor && !isMe && (
          <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => onAsk('two-factor')}>
            Switch off two-factor
          </Menu.Item>
        )}
        {user.active && !isMe && (
          <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => onAsk('deactivate')}>
            Deactivate
          </Menu.Item>
        )}
        {!user.active && (
          <>
            <Menu.Item
              leftSection={<IconUserCheck size={16} aria-hidden />}
              onClick={() => {
                noteOpener()
                activate.mutate(user)
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
