import type { Account } from '../account/users.ts'
import { hoursOf } from '../availability/availability.ts'
import { afterWorkingMinutes } from '../availability/hours.ts'
import { endOfQuietHours } from './quiet-hours.ts'

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
  /** Whether the lead was called since, or called back; of a missed call and an enquiry, also whether it is part of a message that was sent. */
  done: boolean
  is_missed_call: boolean
  /** A colleague who does not see the lead entered its customer. */
  is_submission: boolean
  /** The lead enquired again. */
  enquired_again: boolean
  /** The lead went from the user to another one, because it was not called in time. */
  is_passed_on: boolean
  /** The lead is offered to the user. */
  is_offered: boolean
  /** How many leads came to the user by a bulk change; 1 for a lead alone. */
  leads: number
}

/**
 * `assigned`, `assigned_in_bulk`, `uncalled`, `missed_call`, `enquired_again`, `submission`, `call_due` and `call_overdue` go to the owner,
 * `offered` to users who may claim the lead, `passed_on` to the owner before, `uncalled_in_team` to their Managers.
 */
export type NoticeKind =
  | 'assigned'
  | 'assigned_in_bulk'
  | 'uncalled'
  | 'uncalled_in_team'
  | 'missed_call'
  | 'enquired_again'
  | 'submission'
  | 'passed_on'
  | 'offered'
  | 'call_due'
  | 'call_overdue'

export interface Step {
  send: NoticeKind | null
  state: DueAssignment['state']
  /** When the next step is due; null if none is. */
  notify_at: Date | null
}

/** Decides what is sent about a lead that came to a user, at once and while it is not called, about its missed call or its new enquiry. */
export function nextStep(
  due: DueAssignment,
  { account, settings, now }: { account: Account; settings: UserSettings; now: Date },
): Step {
  const { state, at } = due
  const done: Step = { send: null, state, notify_at: null }
  const user = account.users.find(({ id, active }) => id === due.user_id && active)
  if (!user || due.done) return done
  const isOpenOffer = due.is_offered && due.assigned_to === null
  if (due.is_offered && !isOpenOffer) return done
  const hasOwner = account.users.some(({ id, active }) => id === due.assigned_to && active)
  const isOfAdmins = (due.is_missed_call || due.is_submission) && !hasOwner && user.role === 'Admin'
  if (due.assigned_to !== user.id && !isOfAdmins && !due.is_passed_on && !isOpenOffer) return done
  const { alertAfter } = account
  const later = (from: Date) =>
    alertAfter === null ? null : afterWorkingMinutes(from, alertAfter, hoursOf(account, user))
  if (state === 'alerted') return { ...done, send: 'uncalled_in_team' }
  const quietUntil = endOfQuietHours(now, quietHours(settings))
  if (quietUntil) return { send: null, state, notify_at: quietUntil }
  if (isOpenOffer) return { send: 'offered', state: 'notified', notify_at: null }
  if (due.is_passed_on) return { send: 'passed_on', state: 'notified', notify_at: null }
  if (due.is_missed_call) return { send: 'missed_call', state: 'notified', notify_at: null }
  if (due.is_submission) return { send: 'submission', state: 'notified', notify_at: null }
  if (due.enquired_again) return { send: 'enquired_again', state: 'notified', notify_at: null }
  if (due.leads > 1) return { send: 'assigned_in_bulk', state: 'notified', notify_at: null }
  if (state === 'new') return { send: 'assigned', state: 'notified', notify_at: later(at) }
  return alertAfter === null ? done : { send: 'uncalled', state: 'alerted', notify_at: later(now) }
}

export const quietHours = ({ quiet_from, quiet_until }: Pick<UserSettings, 'quiet_from' | 'quiet_until'>) =>
  quiet_from === null || quiet_until === null ? null : { from: quiet_from, until: quiet_until }
