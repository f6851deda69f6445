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
import { useRef } from 'react'
import { useMe } from '../me.ts'
import type { Member } from './member.ts'
import { useActivate } from './queries.ts'

export type PersonDialog = 'edit' | 'link' | 'two-factor' | 'deactivate'

interface Props {
  person: Member
  onAsk(dialog: PersonDialog): void
}

/** One's own password and devices are matters of one's profile, and nobody shuts themselves out. */
export function PersonActions({ person, onAsk }: Props) {
  const isMe = useMe().id === person.id
  const activate = useActivate()
  const target = useRef<HTMLButtonElement>(null)
  // A dialog gives the focus back to where it was: the item will be gone, the button stays.
  const ask = (dialog: PersonDialog) => {
    target.current?.focus()
    onAsk(dialog)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          ref={target}
          variant="subtle"
          color="gray"
          size={32}
          flex="none"
          aria-label={`Actions for ${person.name}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => ask('edit')}>
          Edit
        </Menu.Item>
        {person.active && !isMe && (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => ask('link')}>
            {person.has_password ? 'New password link' : 'New invitation link'}
          </Menu.Item>
        )}
        {person.two_factor && !isMe && (
          <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => ask('two-factor')}>
            Switch off two-factor
          </Menu.Item>
        )}
        {person.active && !isMe && (
          <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => ask('deactivate')}>
            Deactivate
          </Menu.Item>
        )}
        {!person.active && (
          <>
            <Menu.Item leftSection={<IconUserCheck size={16} aria-hidden />} onClick={() => activate.mutate(person)}>
              Activate
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={() => ask('deactivate')}>
              Hand over leads
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
