import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { type Icon, IconAddressBook, IconKeyboard, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ListedLead } from '#contract/leads'
import { get, type Page } from '../api.ts'
import { useMe } from '../me.ts'
import { formatPhone } from '../ui/ContactLink.tsx'
import { problemText } from '../ui/Problem.tsx'
import { rateLimitMessage } from '../ui/RateLimitNotice.tsx'
import { useNavigation } from './navigation.ts'
import { useUserMenuItems } from './use-user-menu-items.ts'

interface Deed {
  label: string
  icon: Icon
  act(): void
}

interface Props {
  /** How often it was asked for; it comes with the first time. */
  asked: number
  onKeys(): void
}

/** Every place and deed, and leads by name, phone or email. */
export default function CommandPalette({ asked, onKeys }: Props) {
  const navigate = useNavigate()
  const { role } = useMe()
  const own = useUserMenuItems()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for
  useEffect(() => spotlight.open(), [asked])

  const {
    data: found,
    error,
    failureReason,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['leads', 'palette', search],
    queryFn: ({ signal }) => get<Page<ListedLead>>('/web/leads', { search, limit: 6 }, signal),
    enabled: search.length > 1,
  })
  const problem = error ? problemText(error) : rateLimitMessage(failureReason)
  const isSettled = search === typed.trim() && !isPlaceholderData && (search.length < 2 || found !== undefined)
  const leads = search.length > 1 ? (found?.data ?? []) : []
  const places = useNavigation()
  const isWanted = ({ label }: { label: string }) => label.toLowerCase().includes(typed.trim().toLowerCase())
  const deeds: Deed[] = [
    ...places.map(({ to, ...place }) => ({ ...place, act: () => void navigate({ to }) })),
    { label: 'Add lead', icon: IconPlus, act: () => void navigate({ to: '/leads', search: { add: true } }) },
    ...(role === 'Agent'
      ? []
      : [{ label: 'Import leads', icon: IconUpload, act: () => void navigate({ to: '/leads/import' }) }]),
    ...own,
    { label: 'Keys', icon: IconKeyboard, act: onKeys },
  ]
  const shown = deeds.filter(isWanted)
  const none = shown.length + leads.length === 0

  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      onSpotlightClose={holdFocus}
      transitionProps={{ duration: 100 }}
      clearQueryOnClose
      // Its field stays where it is while what is found grows and shrinks.
      centered={false}
      yOffset="12dvh"
    >
      <Spotlight.Search
        placeholder="Go to a place, find a lead"
        leftSection={<IconSearch size={18} aria-hidden />}
        aria-label="Go to a place, find a lead"
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
          <Spotlight.Empty role="status">
            {problem ?? (isSettled ? 'No place and no lead like that' : 'Looking …')}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      {problem && !none && <Spotlight.Footer role="status">{problem}</Spotlight.Footer>}
    </Spotlight.Root>
  )
}

/** What was chosen may have taken away what had the focus before. */
const holdFocus = () =>
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
  }, 200)
