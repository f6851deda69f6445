import { t } from '@lingui/core/macro'
import { Divider, NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Drawer } from '../platform/ui/Dialog.tsx'
import { type NavigationItem, usePhoneWork, useSettings } from './navigation.ts'
import { useUserMenuItems } from './use-user-menu-items.ts'

/** On a phone: the pages that its bar does not show, the settings and the user menu. */
export function MoreDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { menu } = usePhoneWork()
  const settings = useSettings()
  const items = useUserMenuItems()
  const linkTo = ({ to, label, icon: Icon }: NavigationItem) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      label={label}
      leftSection={<Icon size={18} aria-hidden />}
      onClick={onClose}
    />
  )
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" size="auto" title={t`More`}>
      {menu.map(linkTo)}
      <Divider my={8} />
      {settings.length > 0 && (
        <>
          {settings.map(linkTo)}
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
