import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMe } from '../me.ts'
import styles from './UserMenu.module.css'
import { useUserMenuItems } from './use-user-menu-items.ts'

/** Who is signed in, and what is theirs alone. */
export function UserMenu({ folded }: { folded: boolean }) {
  const me = useMe()
  const items = useUserMenuItems()
  return (
    <Menu position="top-start" width={224}>
      <Menu.Target>
        <UnstyledButton className={styles.person}>
          <Avatar size={32} radius="xl" name={me.name} color="gray" variant="default" aria-hidden />
          {!folded && (
            <span className={styles.words}>
              <Text span truncate inherit>
                {me.name}
              </Text>
              <Text span truncate size="xs" c="dimmed">
                {me.account.name}
              </Text>
            </span>
          )}
          <VisuallyHidden>{folded && me.name} · Profile, appearance, sign out</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, icon: Icon, act, stays }) => (
          <Menu.Item key={label} leftSection={<Icon size={16} aria-hidden />} onClick={act} closeMenuOnClick={!stays}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
