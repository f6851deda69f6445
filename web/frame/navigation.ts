import {
  type Icon,
  IconAddressBook,
  IconCalendarDue,
  IconChartBar,
  IconHistory,
  IconKey,
  IconPhone,
  IconPhoneOutgoing,
  IconReportAnalytics,
  IconRoute,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { useMe } from '../me.ts'

export interface NavigationItem {
  to:
    | '/'
    | '/overview'
    | '/queue'
    | '/today'
    | '/leads'
    | '/calls'
    | '/reports'
    | '/settings/api-keys'
    | '/settings/webhooks'
    | '/settings/team'
    | '/settings/distribution'
    | '/settings/audit'
    | '/settings/account'
  label: string
  icon: Icon
  /** The key to press after `g`. */
  key?: string
}

const overview = { label: 'Overview', icon: IconChartBar, key: 'o' }
const queue: NavigationItem = { to: '/queue', label: 'Call next', icon: IconPhoneOutgoing, key: 'q' }
const today: NavigationItem = { to: '/today', label: 'Today', icon: IconCalendarDue, key: 'y' }
const leads: NavigationItem = { to: '/leads', label: 'Leads', icon: IconAddressBook, key: 'l' }
const calls: NavigationItem = { to: '/calls', label: 'Calls', icon: IconPhone, key: 'c' }
const reports: NavigationItem = { to: '/reports', label: 'Reports', icon: IconReportAnalytics, key: 'r' }

const team: NavigationItem = { to: '/settings/team', label: 'Team', icon: IconUsers, key: 't' }

/** For Admins. */
const settings: NavigationItem[] = [
  { to: '/settings/api-keys', label: 'API keys', icon: IconKey, key: 's' },
  { to: '/settings/webhooks', label: 'Webhooks', icon: IconWebhook, key: 'w' },
  team,
  { to: '/settings/distribution', label: 'Lead distribution', icon: IconRoute, key: 'd' },
  { to: '/settings/audit', label: 'Audit log', icon: IconHistory, key: 'a' },
  { to: '/settings/account', label: 'Account', icon: IconSettings },
]

/** The pages of daily work. Agents start with the leads to call. */
export function useWork(): NavigationItem[] {
  const { role } = useMe()
  return role === 'Agent'
    ? [queue, today, { to: '/overview', ...overview }, leads, calls, reports]
    : [{ to: '/', ...overview }, queue, today, leads, calls, reports]
}

/** Those in the bar of a phone, which has room for five buttons, and those in its menu. */
export function usePhoneWork(): { bar: NavigationItem[]; menu: NavigationItem[] } {
  const work = useWork()
  const { role } = useMe()
  const isInBar = ({ to }: NavigationItem) => ['/', '/queue', '/leads', role === 'Agent' && '/today'].includes(to)
  return { bar: work.filter(isInBar), menu: work.filter((item) => !isInBar(item)) }
}

/** Managers see who of their team is available. */
export function useSettings(): NavigationItem[] {
  const { role } = useMe()
  return role === 'Admin' ? settings : role === 'Manager' ? [team] : []
}

/** The pages that the user may open. */
export const useNavigation = (): NavigationItem[] => [...useWork(), ...useSettings()]
