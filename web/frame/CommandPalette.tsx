import { t } from '@lingui/core/macro'
import '@mantine/spotlight/styles.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { type Icon, IconAddressBook, IconKeyboard, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMe } from '../access/account/me.ts'
import { formatPhone, usePhonePlans } from '../crm/contacts/phone.ts'
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

/** Finds pages and actions, and leads by name, phone or email. */
export default function CommandPalette({ opens, onShortcuts }: Props) {
  usePhonePlans()
  const navigate = useNavigate()
  const { role } = useMe()
  const own = useUserMenuItems()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  useBackCloses(isOpen, spotlight.close)
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens on each change
  useEffect(() => spotlight.open(), [opens])

  const { leads, problem, isSettled } = useFoundLeads(typed)
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
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => {
        setOpen(false)
        keepFocus()
      }}
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
        {shown.map(({ label, icon: Icon, act }) => (
          <Spotlight.Action key={label} label={label} leftSection={<Icon size={18} aria-hidden />} onClick={act} />
        ))}
        {leads.map((lead) => (
          <Spotlight.Action
            key={lead.id}
            label={lead.name}
            description={[lead.phone && formatPhone(lead.phone), lead.email, lead.city].filter(Boolean).join(' · ')}
            leftSection={<IconAddressBook size={18} aria-hidden />}
            onClick={() => void navigate({ to: '/leads/$leadId', params: { leadId: lead.id } })}
          />
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

/** The element that had the focus may be gone. */
const keepFocus = () =>
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
  }, 200)
