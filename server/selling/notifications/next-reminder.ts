import type { Account } from '../../access/account/users.ts'
import { secondReminder } from '../../crm/leads/reminder-times.ts'
import { quietHours, type UserSettings } from './next-step.ts'
import { endOfQuietHours } from './quiet-hours.ts'

export interface DueReminder {
  lead_id: string
  name: string
  assigned_to: string | null
  /** When the first reminder was sent, or null. */
  reminded_at: Date | null
  /** Whether the call is still promised. */
  is_promised: boolean
}

export interface ReminderStep {
  send: 'call_due' | 'call_overdue' | null
  to: string[]
  remind_at: Date | null
  reminded_at: Date | null
}

const maxAdmins = 50

/** Decides who is reminded of a promised call: the owner; of a lead without an active owner, the Admins. Twice, if no one calls. */
export function nextReminder(
  { assigned_to, reminded_at, is_promised }: DueReminder,
  { account, settings, now }: { account: Account; settings: UserSettings | undefined; now: Date },
): ReminderStep {
  const active = account.users.filter((user) => user.active)
  const owner = active.find(({ id }) => id === assigned_to)
  if (!is_promised) return { send: null, to: [], remind_at: null, reminded_at }
  const quietUntil = owner && settings ? endOfQuietHours(now, quietHours(settings)) : null
  if (quietUntil) return { send: null, to: [], remind_at: quietUntil, reminded_at }
  const admins = active.filter(({ role }) => role === 'Admin').slice(0, maxAdmins)
  const to = (owner ? [owner] : admins).map(({ id }) => id)
  return reminded_at === null
    ? { send: 'call_due', to, remind_at: secondReminder(now), reminded_at: now }
    : { send: 'call_overdue', to, remind_at: null, reminded_at }
}
