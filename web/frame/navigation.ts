import { t } from '@lingui/core/macro'
import {
  type Icon,
  IconAddressBook,
  IconCalendarDue,
  IconChartBar,
  IconHistory,
  IconKey,
  IconListSearch,
  IconPhone,
  IconPhoneOutgoing,
  IconReportAnalytics,
  IconRoute,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { pages } from '#contract/platform/web-app'
import { useMe } from '../access/account/me.ts'

export interface NavigationItem {
  /** A page without parameters in its URL. */
  to: Exclude<(typeof pages)[keyof typeof pages], `${string}$${string}`>
  label: string
  icon: Icon
  /** The key to press after `g`. */
  key?: string
}

const overview = { label: t`Overview`, icon: IconChartBar, key: 'o' }
const queue: NavigationItem = { to: '/queue', label: t`Call next`, icon: IconPhoneOutgoing, key: 'q' }
const today: NavigationItem = { to: '/today', label: t`Today`, icon: IconCalendarDue, key: 'y' }
const leads: NavigationItem = { to: '/leads', label: t`Leads`, icon: IconAddressBook, key: 'l' }
const calls: NavigationItem = { to: '/calls', label: t`Calls`, icon: IconPhone, key: 'c' }
const reports: NavigationItem = { to: '/reports', label: t`Reports`, icon: IconReportAnalytics, key: 'r' }

const team: NavigationItem = { to: '/settings/team', label: t`Team`, icon: IconUsers, key: 't' }

/** For Admins. */
const settings: NavigationItem[] = [
  { to: '/settings/api-keys', label: t`API keys`, icon: IconKey, key: 's' },
  { to: '/settings/webhooks', label: t`Webhooks`, icon: IconWebhook, key: 'w' },
  { to: '/settings/requests', label: t`Request log`, icon: IconListSearch, key: 'e' },
  team,
  { to: '/settings/distribution', label: t`Lead distribution`, icon: IconRoute, key: 'd' },
  { to: '/settings/audit', label: t`Audit log`, icon: IconHistory, key: 'a' },
  { to: '/settings/account', label: t`Account`, icon: IconSettings },
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
