import type { Account } from '../account/users.ts'
import { afterWorkingMinutes, endOfQuietHours } from './hours.ts'

export interface UserSettings {
  user_id: string
  by_push: boolean
  by_mail: boolean
  quiet_from: number | null
  quiet_until: number | null
  digest: boolean
}

export interface DueAssignment {
  id: string
  lead_id: string
  user_id: string
  at: Date
  state: 'new' | 'notified' | 'alerted'
  name: string
  assigned_to: string | null
  called: boolean
}

/** `assigned` and `uncalled` go to the owner, `uncalled_in_team` to their Managers. */
export type NoticeKind = 'assigned' | 'uncalled' | 'uncalled_in_team'

export interface Step {
  send: NoticeKind | null
  state: DueAssignment['state']
  /** When the next step is due; null if none is. */
  notify_at: Date | null
}

/** Decides what is sent about a lead that came to a user: at once, and while it is not called. */
export function nextStep(
  due: DueAssignment,
  { account, settings, now }: { account: Account; settings: UserSettings; now: Date },
): Step {
  const { state, at } = due
  const done: Step = { send: null, state, notify_at: null }
  const isActive = account.users.some(({ id, active }) => id === due.user_id && active)
  if (!isActive || due.called || due.assigned_to !== due.user_id) return done
  const { alertAfter, workingHours } = account
  const later = (from: Date) => (alertAfter === null ? null : afterWorkingMinutes(from, alertAfter, workingHours))
  if (state === 'alerted') return { ...done, send: 'uncalled_in_team' }
  const quietUntil = endOfQuietHours(now, quietHours(settings))
  if (quietUntil) return { send: null, state, notify_at: quietUntil }
  if (state === 'new') return { send: 'assigned', state: 'notified', notify_at: later(at) }
  return alertAfter === null ? done : { send: 'uncalled', state: 'alerted', notify_at: later(now) }
}

export const quietHours = ({ quiet_from, quiet_until }: Pick<UserSettings, 'quiet_from' | 'quiet_until'>) =>
  quiet_from === null || quiet_until === null ? null : { from: quiet_from, until: quiet_until }
