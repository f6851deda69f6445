import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon } from '@mantine/core'
import {
  IconArrowsExchange,
  IconCalendarOff,
  IconDots,
  IconLink,
  IconMail,
  IconPencil,
  IconShieldOff,
  IconUnlink,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import type { ListedUser } from '#contract/access/account'
import { useMe } from '../../access/account/me.ts'
import { Menu } from '../../platform/ui/Menu.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { useActivate } from './queries.ts'
import { hasJoined } from './user.ts'

export type UserDialog = 'edit' | 'availability' | 'email' | 'link' | 'two-factor' | 'single-sign-on' | 'deactivate'

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
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          flex="none"
          aria-label={t`Actions for ${{ name: user.name }}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onAsk('edit')}>
          <Trans>Edit</Trans>
        </Menu.Item>
        {user.active && (
          <Menu.Item leftSection={<IconCalendarOff size={16} aria-hidden />} onClick={() => onAsk('availability')}>
            <Trans>Availability</Trans>
          </Menu.Item>
        )}
        {!isMe && (
          <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={() => onAsk('email')}>
            <Trans>Change email</Trans>
          </Menu.Item>
        )}
        {user.active && !isMe && (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => onAsk('link')}>
            {hasJoined(user) ? t`New password link` : t`New invitation link`}
          </Menu.Item>
        )}
        {user.two_factor && !isMe && (
          <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => onAsk('two-factor')}>
            <Trans>Switch off two-factor</Trans>
          </Menu.Item>
        )}
        {user.single_sign_on && !isMe && (
          <Menu.Item leftSection={<IconUnlink size={16} aria-hidden />} onClick={() => onAsk('single-sign-on')}>
            <Trans>Unlink single sign-on</Trans>
          </Menu.Item>
        )}
        {user.active && !isMe && (
          <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => onAsk('deactivate')}>
            <Trans>Deactivate</Trans>
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
              <Trans>Activate</Trans>
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={() => onAsk('deactivate')}>
              <Trans>Reassign leads</Trans>
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
