import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Divider, Text } from '@mantine/core'
import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { type Icon, IconAddressBook, IconKeyboard, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { useMe } from '../access/account/me.ts'
import { formatPhone, usePhonePlans } from '../crm/contacts/phone.ts'
import { type RecentLead, recentLeads } from '../crm/leads/recent-leads.ts'
import { useFoundLeads } from '../crm/leads/use-found-leads.ts'
import { useBackCloses } from '../platform/ui/back-closes.ts'
import { contains } from '../platform/ui/find-options.ts'
import { useNavigation } from './navigation.ts'
import { useUserMenuItems } from './use-user-menu-items.ts'

interface Action {
  label: string
  icon: Icon
  act(): void
}

interface Props {
  /** How often it was opened; each change opens it. */
  opens: number
  onShortcuts(): void
}

const [palette, { open, close }] = createSpotlight()

/** Offers recent leads, and finds pages and actions, and leads by name, phone or email. */
export default function CommandPalette({ opens, onShortcuts }: Props) {
  usePhonePlans()
  const navigate = useNavigate()
  const { id, role } = useMe()
  const own = useUserMenuItems()
  const [typed, setTyped] = useState('')
  const recentId = useId()
  const { opened } = useSpotlight(palette)
  useBackCloses(opened, close)
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens on each change
  useEffect(open, [opens])

  const { leads, problem, isSettled } = useFoundLeads(typed)
  const recent = opened && typed.trim() === '' ? recentLeads(id) : []
  const pages = useNavigation()
  const matches = ({ label }: { label: string }) => contains(label, typed)
  const actions: Action[] = [
    ...pages.map(({ to, ...page }) => ({ ...page, act: () => void navigate({ to }) })),
    { label: t`Add lead`, icon: IconPlus, act: () => void navigate({ to: '/leads', search: { add: true } }) },
    ...(role === 'Agent'
      ? []
      : [{ label: t`Import leads`, icon: IconUpload, act: () => void navigate({ to: '/leads/import' }) }]),
    ...own,
    { label: t`Keyboard shortcuts`, icon: IconKeyboard, act: onShortcuts },
  ]
  const shown = actions.filter(matches)
  const none = shown.length + leads.length === 0

  return (
    <Spotlight.Root
      store={palette}
      attributes={{ content: { 'aria-label': t`Go to a page or find a lead` } }}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      onSpotlightClose={keepFocus}
      transitionProps={{ duration: 100 }}
      clearQueryOnClose
      // Below a call that rings.
      zIndex={300}
      // The field does not move while the results grow and shrink.
      centered={false}
      yOffset="12dvh"
    >
      <Spotlight.Search
        placeholder={t`Go to a page or find a lead`}
        leftSection={<IconSearch size={18} aria-hidden />}
        aria-label={t`Go to a page or find a lead`}
      />
      <Spotlight.ActionsList>
        {recent.length > 0 && (
          <section aria-labelledby={recentId}>
            <Text id={recentId} size="xs" c="dimmed" px={16} py={4}>
              <Trans>Recent leads</Trans>
            </Text>
            {recent.map((lead) => (
              <LeadAction key={lead.id} {...lead} />
            ))}
            <Divider my={8} />
          </section>
        )}
        {shown.map(({ label, icon: Icon, act }) => (
          <Spotlight.Action key={label} label={label} leftSection={<Icon size={18} aria-hidden />} onClick={act} />
        ))}
        {leads.map((lead) => (
          <LeadAction key={lead.id} {...lead} />
        ))}
        {none && isSettled && !problem && (
          <Spotlight.Action
            label={t`Add lead “${{ typed: typed.trim() }}”`}
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => void navigate({ to: '/leads', search: { add: typed.trim() } })}
          />
        )}
        {none && (
          <Spotlight.Empty role="status">{problem ?? (isSettled ? t`No matches` : t`Searching…`)}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      {problem && !none && <Spotlight.Footer role="status">{problem}</Spotlight.Footer>}
    </Spotlight.Root>
  )
}

function LeadAction({ id, name, phone, email, city }: RecentLead & { city?: string | null }) {
  const navigate = useNavigate()
  return (
    <Spotlight.Action
      label={name}
      description={[phone && formatPhone(phone), email, city].filter(Boolean).join(' · ')}
      leftSection={<IconAddressBook size={18} aria-hidden />}
      onClick={() => void navigate({ to: '/leads/$leadId', params: { leadId: id } })}
    />
  )
}

/** The element that had the focus may be gone. */
const keepFocus = () =>
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
  }, 200)
