import { isAtLeast } from '../../access/account/contract.ts'
import { type Account, visibleAssignees } from '../../access/account/users.ts'
import type { StoredBulkChange } from './store.ts'

/** Returns why the user may no longer run the bulk change, or undo it; null if they may. */
export function whyStopped(account: Account, job: StoredBulkChange, userId: string): string | null {
  const user = account.users.find(({ id }) => id === userId)
  if (!user?.active) return `${user?.name ?? 'The user'} was deactivated.`
  if (!isAtLeast(user.role, job.role)) return `${user.name} is only ${user.role} now.`
  if (job.state === 'undoing') return null
  const { change } = job
  if (change.delete && !isAtLeast(user.role, account.lowest_role_to.delete))
    return `${user.name} may not delete leads any more.`
  const seen = visibleAssignees(user, account.users)
  for (const { user_id } of change.assign_to ?? []) {
    const to = account.users.find(({ id }) => id === user_id)
    if (!to?.active) return `${to?.name ?? 'A new owner'} was deactivated.`
    if (seen !== 'all' && !seen.includes(user_id)) return `${user.name} may not assign leads to ${to.name} any more.`
  }
  return null
}
