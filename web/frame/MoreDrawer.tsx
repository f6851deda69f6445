import { Divider, Drawer, NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useIsAdmin } from '../me.ts'
import { reports, settings } from './navigation.ts'
import { useUserMenuItems } from './use-user-menu-items.ts'

/** On a phone: reports, the settings and the user menu. */
export function MoreDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const isAdmin = useIsAdmin()
  const items = useUserMenuItems()
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" size="auto" title="More">
      {[reports, ...(isAdmin ? settings : [])].map(({ to, label, icon: Icon }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          leftSection={<Icon size={18} aria-hidden />}
          onClick={onClose}
        />
      ))}
      <Divider my={8} />
      {items.map(({ label, icon: Icon, act, keepsOpen }) => (
        <NavLink
          key={label}
          component="button"
          label={label}
          leftSection={<Icon size={18} aria-hidden />}
          onClick={() => {
            act()
            if (!keepsOpen) onClose()
          }}
        />
      ))}
    </Drawer>
  )
}
