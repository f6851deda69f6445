import type { TransactionSql } from '../../platform/database/sql.ts'

/** What a notice says besides its lead, by kind. The functions `write_leads` and `create_call_logs` also add notices. */
interface About {
  assigned: object
  /** How many leads came to the user by a bulk change. The notice has one of them. */
  assigned_in_bulk: { leads: number }
  missed_call: { call_log_id: string }
  enquired_again: object
  /** The colleague who entered the customer again and does not see the lead. */
  submission: { user_id: string }
  /** The new owner. */
  passed_on: { user_id: string | null }
  offered: object
}

/** The kinds of notices. `server/selling/notifications/kinds.ts` has what each of them sends. */
export type NoticeKind = keyof About

/** A notice of a lead that is written together with it. */
export type NoticeOfLead = {
  [Kind in NoticeKind]: Omit<NewNotice<Kind>, 'lead_id'> & { kind: Kind }
}[NoticeKind]

interface NewNotice<Kind extends NoticeKind> {
  user_id: string
  lead_id: string
  at: Date
  about: About[Kind]
}

/** Notifies a user of a lead, as soon as the transaction is committed. */
export async function addNotice<Kind extends NoticeKind>(
  tx: TransactionSql,
  accountId: string,
  kind: Kind,
  { user_id, lead_id, at, about }: NewNotice<Kind>,
): Promise<void> {
  await tx`insert into notices (account_id, kind, user_id, lead_id, about, at, notify_at)
    values (${accountId}, ${kind}, ${user_id}, ${lead_id}, ${tx.json(about as never)}, ${at}, ${at})`
}
