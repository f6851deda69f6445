import { Divider, Drawer, NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSettings } from './navigation.ts'
import { useUserMenuItems } from './use-user-menu-items.ts'

/** On a phone: the settings and the user menu. */
export function MoreDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const settings = useSettings()
  const items = useUserMenuItems()
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" size="auto" title="More">
      {settings.length > 0 && (
        <>
          {settings.map(({ to, label, icon: Icon }) => (
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
        </>
      )}
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
