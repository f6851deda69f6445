import type { Account } from '../../access/account/users.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { addNotice } from '../notices/add-notice.ts'

/** The Admins who are notified of a lead without an owner. */
const maxAdmins = 50

/** Returns the active owner of a lead; without an owner, the Admins, who see it. */
export function recipientsOfLead({ users }: Account, assignedTo: string | null): string[] {
  const active = users.filter((user) => user.active)
  const recipients = active.filter(({ id, role }) => (assignedTo === null ? role === 'Admin' : id === assignedTo))
  return recipients.slice(0, maxAdmins).map(({ id }) => id)
}

interface EnteredCustomer {
  account_id: string
  lead_id: string
  submitted_by: string
  at: Date
}

/** Notes that a user entered the customer of a lead that they do not see. */
export async function noteSubmission(
  tx: TransactionSql,
  { account_id, lead_id, submitted_by, at }: EnteredCustomer,
  recipients: string[],
): Promise<void> {
  for (const user_id of recipients)
    await addNotice(tx, account_id, 'submission', { user_id, lead_id, at, about: { user_id: submitted_by } })
}
