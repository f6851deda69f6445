import { t } from '@lingui/core/macro'
import { useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconBook,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconRocket,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useIsAdmin } from '../access/account/me.ts'
import { useNotNow } from '../crm/availability/use-not-now.ts'
import { signOut } from './sign-out.ts'

interface Item {
  label: string
  icon: Icon
  act(): void
  /** The menu stays open after it. */
  keepsOpen?: boolean
}

/** Each theme, and the next one in the cycle. */
const themes = {
  auto: { next: 'light', label: t`Theme: System`, icon: IconDeviceDesktop },
  light: { next: 'dark', label: t`Theme: Light`, icon: IconSun },
  dark: { next: 'auto', label: t`Theme: Dark`, icon: IconMoon },
} as const

/** The items of the user menu; on a phone they are under More. */
export function useUserMenuItems(): Item[] {
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { isAway, toggle } = useNotNow()
  const { next, ...theme } = themes[colorScheme]
  return [
    isAway
      ? { label: t`Get new leads again`, icon: IconPlayerPlay, act: toggle }
      : { label: t`Pause new leads today`, icon: IconPlayerPause, act: toggle },
    { label: t`Your profile`, icon: IconUser, act: () => void navigate({ to: '/profile' }) },
    ...(isAdmin
      ? [
          { label: t`API quick start`, icon: IconRocket, act: () => void navigate({ to: '/first-request' }) },
          { label: t`API reference`, icon: IconBook, act: () => location.assign('/docs/') },
        ]
      : []),
    { ...theme, act: () => setColorScheme(next), keepsOpen: true },
    { label: t`Sign out`, icon: IconLogout, act: () => void signOut() },
  ]
}
