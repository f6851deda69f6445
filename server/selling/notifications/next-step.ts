import type { Account, User } from '../../access/account/users.ts'
import { hoursOf } from '../../crm/availability/availability.ts'
import { afterWorkingMinutes } from '../../crm/availability/hours.ts'
import type { EnquiryPreview } from '../../crm/enquiries/contract.ts'
import type { NoticeKind } from '../../crm/notices/add-notice.ts'
import { type MessageKind, messages, notices } from './kinds.ts'
import { endOfQuietHours } from './quiet-hours.ts'

export interface UserSettings {
  user_id: string
  by_push: boolean
  by_mail: boolean
  quiet_from: number | null
  quiet_until: number | null
  digest: boolean
  weekly_email: boolean
}

export interface DueNotice {
  id: string
  kind: NoticeKind
  lead_id: string
  user_id: string
  at: Date
  state: State
  name: string
  enquiry: EnquiryPreview | null
  assigned_to: string | null
  /** Whether nothing needs to be sent any more. */
  done: boolean
  /** How many leads came to the user by a bulk change; 1 for a lead alone. */
  leads: number
}

const states = ['new', 'notified', 'alerted'] as const
type State = (typeof states)[number]

export interface Step {
  send: MessageKind | null
  state: State
  /** When the next step is due; null if none is. */
  notify_at: Date | null
}

/** Decides what is sent of a notice, at once and while its lead is not called. */
export function nextStep(
  due: DueNotice,
  { account, settings, now }: { account: Account; settings: UserSettings; now: Date },
): Step {
  const { kind, state, at } = due
  const end: Step = { send: null, state, notify_at: null }
  const user = account.users.find(({ id, active }) => id === due.user_id && active)
  if (!user || due.done || !isFor(due, user, account)) return end
  const steps: MessageKind[] = [kind, ...(notices[kind].followedBy ?? [])]
  const sent = states.indexOf(state)
  const send = steps[sent]!
  const { alertAfter } = account
  if (!messages[send].toTeam) {
    const quietUntil = endOfQuietHours(now, quietHours(settings))
    if (quietUntil) return { send: null, state, notify_at: quietUntil }
    if (state === 'notified' && alertAfter === null) return end
  }
  const isLast = sent + 1 === steps.length || alertAfter === null
  const from = state === 'new' ? at : now
  return {
    send,
    state: states[sent + 1] ?? state,
    notify_at: isLast ? null : afterWorkingMinutes(from, alertAfter, hoursOf(account, user)),
  }
}

function isFor({ kind, assigned_to }: DueNotice, user: User, { users }: Account): boolean {
  const isOwner = assigned_to === user.id
  switch (notices[kind].goesTo) {
    case 'owner':
      return isOwner
    case 'ownerOrAdmins':
      return isOwner || (user.role === 'Admin' && !users.some(({ id, active }) => id === assigned_to && active))
    case 'claimers':
      return assigned_to === null
    case 'formerOwner':
      return true
  }
}

export const quietHours = ({ quiet_from, quiet_until }: Pick<UserSettings, 'quiet_from' | 'quiet_until'>) =>
  quiet_from === null || quiet_until === null ? null : { from: quiet_from, until: quiet_until }
