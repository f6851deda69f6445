import { useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconBook,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconRocket,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useIsAdmin } from '../me.ts'
import { signOut } from '../sign-in/sign-out.ts'

interface Item {
  label: string
  icon: Icon
  act(): void
  /** It shows what it did where it stands. */
  stays?: boolean
}

/** The next appearance in the round: as the system says, light, dark. */
const appearances = {
  auto: { next: 'light', label: 'Appearance: as the system', icon: IconDeviceDesktop },
  light: { next: 'dark', label: 'Appearance: light', icon: IconSun },
  dark: { next: 'auto', label: 'Appearance: dark', icon: IconMoon },
} as const

/** What is the person's own: behind their name at the side, under More on a phone. */
export function useUserMenuItems(): Item[] {
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { next, ...appearance } = appearances[colorScheme]
  return [
    { label: 'Your profile', icon: IconUser, act: () => void navigate({ to: '/profile' }) },
    ...(isAdmin
      ? [{ label: 'First request', icon: IconRocket, act: () => void navigate({ to: '/first-request' }) }]
      : []),
    { label: 'API reference', icon: IconBook, act: () => location.assign('/docs/') },
    { ...appearance, act: () => setColorScheme(next), stays: true },
    { label: 'Sign out', icon: IconLogout, act: () => void signOut() },
  ]
}
