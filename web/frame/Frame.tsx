import { ActionIcon, AppShell, Group, NavLink, ScrollArea, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { IconDots, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useReducer } from 'react'
import { useIsAdmin } from '../me.ts'
import { useSessionEnded } from '../sign-in/session.ts'
import { usePageKeys } from '../ui/page-keys.ts'
import { useNarrow } from '../ui/screen-size.ts'
import { ConnectionBar } from './ConnectionBar.tsx'
import styles from './Frame.module.css'
import { KeyboardShortcuts } from './KeyboardShortcuts.tsx'
import { MoreDrawer } from './MoreDrawer.tsx'
import { settings, work } from './navigation.ts'
import { UserMenu } from './UserMenu.tsx'
import { useNavigationKeys } from './use-navigation-keys.ts'

const SignInAgain = lazy(() => import('../sign-in/SignInAgain.tsx'))
const CommandPalette = lazy(() => import('./CommandPalette.tsx'))

/** What stands around every page: places at the side, on a phone below. */
export function Frame() {
  const narrow = useNarrow()
  const [folded, setFolded] = useLocalStorage({
    key: 'sidebar-folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [more, { open: openMore, close: closeMore }] = useDisclosure()
  const isAdmin = useIsAdmin()
  const sessionEnded = useSessionEnded()
  const [keysOpened, keys] = useDisclosure()
  const [paletteAsked, askPalette] = useReducer((times: number) => times + 1, 0)
  useNavigationKeys()
  usePageKeys([
    ['?', keys.open],
    ['shift+?', keys.open],
    // A list that can be searched takes it for itself.
    ['/', () => document.querySelector('input[type="search"]') === null && askPalette()],
  ])
  // Within fields too.
  useHotkeys([['mod+K', askPalette]], [])

  return (
    <AppShell
      navbar={{ width: folded ? 64 : 224, breakpoint: 'sm', collapsed: { mobile: true } }}
      footer={{ height: 56, collapsed: !narrow, offset: narrow }}
      transitionDuration={0}
    >
      <a href="#content" className={styles.skip}>
        Skip to the page
      </a>
      {!narrow && (
        <AppShell.Navbar className={styles.navbar} aria-label="Places" data-folded={folded || undefined}>
          <Group justify="space-between" wrap="nowrap" h={56} px={folded ? 16 : 20}>
            {!folded && (
              <Link to="/" className={styles.brand}>
                Lead Engine
              </Link>
            )}
            <Tooltip label={folded ? 'Show the sidebar' : 'Fold the sidebar'} position="right">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={folded ? 'Show the sidebar' : 'Fold the sidebar'}
                onClick={() => setFolded(!folded)}
              >
                {folded ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
              </ActionIcon>
            </Tooltip>
          </Group>
          <ScrollArea flex={1} px={8} type="never">
            {work.map((place) => (
              <PlaceLink key={place.to} folded={folded} {...place} />
            ))}
            {isAdmin && (
              <>
                <Text className={styles.section}>{folded ? '' : 'Settings'}</Text>
                {settings.map((place) => (
                  <PlaceLink key={place.to} folded={folded} {...place} />
                ))}
              </>
            )}
          </ScrollArea>
          <div className={styles.person}>
            <UserMenu folded={folded} />
          </div>
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
        <ConnectionBar />
        <Outlet />
      </AppShell.Main>
      {narrow && (
        <AppShell.Footer className={styles.bottom} component="nav" aria-label="Places">
          {work.map(({ to, label, icon: Icon }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className={styles.tab}>
              <Icon size={20} aria-hidden />
              {label}
            </Link>
          ))}
          <UnstyledButton className={styles.tab} onClick={openMore} aria-haspopup="dialog">
            <IconDots size={20} aria-hidden />
            More
          </UnstyledButton>
          <MoreDrawer opened={more} onClose={closeMore} />
        </AppShell.Footer>
      )}
      <KeyboardShortcuts opened={keysOpened} onClose={keys.close} />
      <Suspense>
        {paletteAsked > 0 && <CommandPalette asked={paletteAsked} onKeys={keys.open} />}
        {sessionEnded && <SignInAgain />}
      </Suspense>
    </AppShell>
  )
}

function PlaceLink({ to, label, icon: Icon, folded }: (typeof work)[number] & { folded: boolean }) {
  const link = (
    <NavLink
      component={Link}
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      activeProps={{ 'data-active': true }}
      label={folded ? undefined : label}
      aria-label={folded ? label : undefined}
      leftSection={<Icon size={18} aria-hidden />}
      className={styles.place}
    />
  )
  return folded ? (
    <Tooltip label={label} position="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}
