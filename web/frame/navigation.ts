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
import { useIsAdmin, useMe } from '../me.ts'

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
const lists: NavigationItem[] = [
  { to: '/leads', label: 'Leads', icon: IconAddressBook, key: 'l' },
  { to: '/calls', label: 'Calls', icon: IconPhone, key: 'c' },
]
/** On a phone it is in the drawer: the bar has no room. */
export const reports: NavigationItem = { to: '/reports', label: 'Reports', icon: IconReportAnalytics, key: 'r' }

/** For Admins. */
export const settings: NavigationItem[] = [
  { to: '/settings/api-keys', label: 'API keys', icon: IconKey, key: 's' },
  { to: '/settings/webhooks', label: 'Webhooks', icon: IconWebhook, key: 'w' },
  { to: '/settings/team', label: 'Team', icon: IconUsers, key: 't' },
  { to: '/settings/distribution', label: 'Lead distribution', icon: IconRoute, key: 'd' },
  { to: '/settings/audit', label: 'Audit log', icon: IconHistory, key: 'a' },
  { to: '/settings/account', label: 'Account', icon: IconSettings },
]

/** The pages of daily work. Agents start with the leads to call. */
export function useWork(): NavigationItem[] {
  const { role } = useMe()
  return role === 'Agent'
    ? [queue, today, { to: '/overview', ...overview }, ...lists]
    : [{ to: '/', ...overview }, queue, today, ...lists]
}

/** The pages that the user may open. */
export function useNavigation(): NavigationItem[] {
  const work = [...useWork(), reports]
  return useIsAdmin() ? [...work, ...settings] : work
}
