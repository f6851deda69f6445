import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { type Icon, IconAddressBook, IconKeyboard, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ListedLead } from '#contract/leads'
import { get, type Page } from '../api.ts'
import { formatPhone } from '../contacts/phone.ts'
import { leadKeys } from '../leads/keys.ts'
import { useMe } from '../me.ts'
import { problemText } from '../ui/Problem.tsx'
import { rateLimitMessage } from '../ui/RateLimitNotice.tsx'
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
  const navigate = useNavigate()
  const { role } = useMe()
  const own = useUserMenuItems()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens on each change
  useEffect(() => spotlight.open(), [opens])

  const {
    data: found,
    error,
    failureReason,
    isPlaceholderData,
  } = useQuery({
    queryKey: leadKeys.palette(search),
    queryFn: ({ signal }) => get<Page<ListedLead>>('/web/leads', { search, limit: 6 }, signal),
    enabled: search.length > 1,
  })
  const problem = error ? problemText(error) : rateLimitMessage(failureReason)
  const isSettled = search === typed.trim() && !isPlaceholderData && (search.length < 2 || found !== undefined)
  const leads = search.length > 1 ? (found?.data ?? []) : []
  const pages = useNavigation()
  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(typed.trim().toLowerCase())
  const actions: Action[] = [
    ...pages.map(({ to, ...page }) => ({ ...page, act: () => void navigate({ to }) })),
    { label: 'Add lead', icon: IconPlus, act: () => void navigate({ to: '/leads', search: { add: true } }) },
    ...(role === 'Agent'
      ? []
      : [{ label: 'Import leads', icon: IconUpload, act: () => void navigate({ to: '/leads/import' }) }]),
    ...own,
    { label: 'Keyboard shortcuts', icon: IconKeyboard, act: onShortcuts },
  ]
  const shown = actions.filter(matches)
  const none = shown.length + leads.length === 0

  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      onSpotlightClose={keepFocus}
      transitionProps={{ duration: 100 }}
      clearQueryOnClose
      // The field does not move while the results grow and shrink.
      centered={false}
      yOffset="12dvh"
    >
      <Spotlight.Search
        placeholder="Go to a page or find a lead"
        leftSection={<IconSearch size={18} aria-hidden />}
        aria-label="Go to a page or find a lead"
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
        {none && (
          <Spotlight.Empty role="status">{problem ?? (isSettled ? 'No matches' : 'Searching…')}</Spotlight.Empty>
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
