import { t } from '@lingui/core/macro'
import { Avatar, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMe } from '../access/account/me.ts'
import { useNotNow } from '../crm/availability/use-not-now.ts'
import { Menu } from '../platform/ui/Menu.tsx'
import styles from './UserMenu.module.css'
import { useUserMenuItems } from './use-user-menu-items.ts'

/** The menu of the signed-in user. */
export function UserMenu({ collapsed }: { collapsed: boolean }) {
  const me = useMe()
  const items = useUserMenuItems()
  const { awayText } = useNotNow()
  return (
    <Menu position="top-start" width={224}>
      <Menu.Target>
        <UnstyledButton className={styles.user}>
          <Avatar size={32} radius="xl" name={me.name} color="gray" variant="default" aria-hidden />
          {!collapsed && (
            <span className={styles.words}>
              <Text span truncate inherit>
                {me.name}
              </Text>
              <Text span truncate size="xs" c="dimmed">
                {awayText ?? me.account.name}
              </Text>
            </span>
          )}
          <VisuallyHidden>
            {collapsed && me.name} {collapsed && awayText} · {t`Profile, theme, sign out`}
          </VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, icon: Icon, act, keepsOpen }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={act}
            closeMenuOnClick={!keepsOpen}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
