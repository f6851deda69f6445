import type { Account } from '../../access/account/users.ts'
import type { CallType } from '../calls/contract.ts'

/** What decides which users are shown a call. */
export interface ConcerningCall {
  call_type: CallType
  lead_id: string | null
  /** The owner of the lead. */
  assigned_to: string | null
  user_ids: readonly string[]
}

/**
 * Returns the users who are shown a call: those who are rung or spoke and, if the lead calls, its owner; if it has none, all Admins.
 * `read-ringing.ts` asks the same of the database.
 */
export function concernedUsers({ users }: Account, call: ConcerningCall): string[] {
  const owners = users.filter(({ id, role }) =>
    call.assigned_to === null ? role === 'Admin' && call.lead_id !== null : id === call.assigned_to,
  )
  const concerned = new Set([...call.user_ids, ...(call.call_type === 'Inbound' ? owners.map(({ id }) => id) : [])])
  return users.filter(({ id, active }) => active && concerned.has(id)).map(({ id }) => id)
}
