import {
  type Icon,
  IconAddressBook,
  IconChartBar,
  IconHistory,
  IconKey,
  IconPhone,
  IconRoute,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { useIsAdmin } from '../me.ts'

export interface NavigationItem {
  to:
    | '/'
    | '/leads'
    | '/calls'
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

export const work: NavigationItem[] = [
  { to: '/', label: 'Overview', icon: IconChartBar, key: 'o' },
  { to: '/leads', label: 'Leads', icon: IconAddressBook, key: 'l' },
  { to: '/calls', label: 'Calls', icon: IconPhone, key: 'c' },
]

/** For Admins. */
export const settings: NavigationItem[] = [
  { to: '/settings/api-keys', label: 'API keys', icon: IconKey, key: 's' },
  { to: '/settings/webhooks', label: 'Webhooks', icon: IconWebhook, key: 'w' },
  { to: '/settings/team', label: 'Team', icon: IconUsers, key: 't' },
  { to: '/settings/distribution', label: 'Lead distribution', icon: IconRoute, key: 'd' },
  { to: '/settings/audit', label: 'Audit log', icon: IconHistory, key: 'a' },
  { to: '/settings/account', label: 'Account', icon: IconSettings },
]

/** The pages that the user may open. */
export const useNavigation = () => (useIsAdmin() ? [...work, ...settings] : work)
