import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, AppShell, Group, NavLink, ScrollArea, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { IconDots, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import '../platform/ui/mantine.css'
import '@mantine/notifications/styles.css'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useEffect, useReducer } from 'react'
import { useMe } from '../access/account/me.ts'
import { bulkChangesQuery } from '../crm/bulk-changes/queries.ts'
import { readPhonesIn } from '../crm/contacts/phone.ts'
import { onNewSession, useSessionEnded } from '../platform/api/session.ts'
import { followChanges } from '../platform/live/follow-changes.ts'
import { topBars } from '../platform/ui/keep-room.ts'
import { undoLast } from '../platform/ui/notify.tsx'
import { usePageKeys } from '../platform/ui/page-keys.ts'
import { useLow, useNarrow } from '../platform/ui/screen-size.ts'
import { keepPush } from '../selling/notifications/push.ts'
import { refreshDevice } from '../selling/notifications/queries.ts'
import { useAssigned } from '../selling/notifications/use-assigned.tsx'
import { useDueCalls } from '../selling/today/use-due-calls.tsx'
import { CallBars } from '../telephony/calls/CallBars.tsx'
import { LogCallDialog } from '../telephony/calls/LogCallDialog.tsx'
import { RingingCalls } from '../telephony/ringing/RingingCalls.tsx'
import { refreshRinging } from '../telephony/ringing/refresh.ts'
import { ConnectionBar } from './ConnectionBar.tsx'
import styles from './Frame.module.css'
import { MoreDrawer } from './MoreDrawer.tsx'
import { type NavigationItem, usePhoneWork, useSettings, useWork } from './navigation.ts'
import { PhoneSearch } from './PhoneSearch.tsx'
import { UserMenu } from './UserMenu.tsx'
import { useKeepCalledLead } from './use-keep-called-lead.ts'
import { useNavigationKeys } from './use-navigation-keys.ts'

const ViewLinks = lazy(() => import('../crm/views/ViewLinks.tsx'))
const SignInAgain = lazy(() => import('../access/sign-in/SignInAgain.tsx'))
const BulkChangeBar = lazy(() => import('../crm/bulk-changes/BulkChangeBar.tsx'))
const CommandPalette = lazy(() => import('./CommandPalette.tsx'))
const KeyboardShortcuts = lazy(() => import('./KeyboardShortcuts.tsx'))

/** The layout around each page: navigation at the side, on a phone at the bottom. */
export function Frame() {
  readPhonesIn(useMe().account.country)
  const narrow = useNarrow()
  const low = useLow()
  const [collapsed, setCollapsed] = useLocalStorage({
    key: 'sidebar-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [more, { open: openMore, close: closeMore }] = useDisclosure()
  const settings = useSettings()
  const work = useWork()
  const { bar } = usePhoneWork()
  const sessionEnded = useSessionEnded()
  const hasBulkChanges = (useQuery(bulkChangesQuery).data?.length ?? 0) > 0
  // The queue has the form on the page.
  const isQueue = useLocation({ select: ({ pathname }) => pathname === '/queue' })
  const [keysOpened, keys] = useDisclosure()
  const [paletteOpens, openPalette] = useReducer((times: number) => times + 1, 0)
  useEffect(() => followChanges(refreshRinging), [])
  useEffect(() => {
    const keep = () => void keepPush().then(refreshDevice)
    keep()
    return onNewSession(keep)
  }, [])
  useKeepCalledLead()
  useAssigned()
  useDueCalls()
  useNavigationKeys()
  usePageKeys([
    ['mod+Z', undoLast],
    ['?', keys.open],
    ['shift+?', keys.open],
    // A list with a search field handles this key itself.
    ['/', () => document.querySelector('input[type="search"]') === null && openPalette()],
  ])
  // Also while a field has the focus.
  useHotkeys(
    [
      ['mod+K', openPalette],
      ['mod+Enter', submitForm],
    ],
    [],
  )

  return (
    <AppShell
      {...(narrow ? {} : { navbar: { width: collapsed ? 64 : 224, breakpoint: 'sm' } })}
      footer={{ height: low ? 36 : 56, collapsed: !narrow, offset: narrow }}
      transitionDuration={0}
    >
      <a href="#content" className={styles.skip}>
        <Trans>Skip to content</Trans>
      </a>
      {!narrow && (
        <AppShell.Navbar className={styles.navbar} aria-label={t`Navigation`} data-collapsed={collapsed || undefined}>
          <Group justify="space-between" wrap="nowrap" h={56} px={collapsed ? 16 : 20}>
            {!collapsed && (
              <Link to="/" className={styles.brand}>
                Lead Engine
              </Link>
            )}
            <Tooltip label={collapsed ? t`Expand sidebar` : t`Collapse sidebar`} position="right">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={collapsed ? t`Expand sidebar` : t`Collapse sidebar`}
                onClick={() => setCollapsed(!collapsed)}
              >
                {collapsed ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
              </ActionIcon>
            </Tooltip>
          </Group>
          <ScrollArea flex={1} px={8} type="never">
            {work.map((item) => (
              <Fragment key={item.to}>
                <NavigationLink collapsed={collapsed} {...item} />
                <Suspense>{item.to === '/leads' && !collapsed && <ViewLinks />}</Suspense>
              </Fragment>
            ))}
            {settings.length > 0 && (
              <>
                <Text className={styles.section}>{collapsed ? '' : t`Settings`}</Text>
                {settings.map((item) => (
                  <NavigationLink key={item.to} collapsed={collapsed} {...item} />
                ))}
              </>
            )}
          </ScrollArea>
          <div className={styles.user}>
            <UserMenu collapsed={collapsed} />
          </div>
        </AppShell.Navbar>
      )}
      <RingingCalls />
      <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
        <section ref={topBars} className={styles.bars}>
          <div id="bars">
            <ConnectionBar />
            <CallBars isQueue={isQueue} />
          </div>
          <Suspense>{hasBulkChanges && <BulkChangeBar />}</Suspense>
        </section>
        <Outlet />
      </AppShell.Main>
      {narrow && (
        <AppShell.Footer
          className={styles.bottom}
          component="nav"
          aria-label={t`Navigation`}
          data-low={low || undefined}
        >
          {bar.map(({ to, label, icon: Icon }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className={styles.tab}>
              <Icon size={20} aria-hidden />
              {label}
            </Link>
          ))}
          <PhoneSearch className={styles.tab} />
          <UnstyledButton className={styles.tab} onClick={openMore} aria-haspopup="dialog">
            <IconDots size={20} aria-hidden />
            <Trans>More</Trans>
          </UnstyledButton>
          <MoreDrawer opened={more} onClose={closeMore} />
        </AppShell.Footer>
      )}
      {!isQueue && <LogCallDialog />}
      <Notifications
        position={narrow ? 'bottom-center' : 'bottom-right'}
        containerWidth={narrow ? 440 : 360}
        limit={3}
        transitionDuration={120}
        className="notifications"
      />
      <Suspense>
        {keysOpened && <KeyboardShortcuts onClose={keys.close} />}
        {paletteOpens > 0 && <CommandPalette opens={paletteOpens} onShortcuts={keys.open} />}
        {sessionEnded && <SignInAgain />}
      </Suspense>
    </AppShell>
  )
}

/** In a text of several lines, Enter alone does not save. */
const submitForm = ({ target }: KeyboardEvent) => target instanceof Element && target.closest('form')?.requestSubmit()

function NavigationLink({ to, label, icon: Icon, collapsed }: NavigationItem & { collapsed: boolean }) {
  const link = (
    <NavLink
      component={Link}
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      activeProps={{ 'data-active': true }}
      label={collapsed ? undefined : label}
      aria-label={collapsed ? label : undefined}
      leftSection={<Icon size={18} aria-hidden />}
      className={styles.item}
    />
  )
  return collapsed ? (
    <Tooltip label={label} position="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}
