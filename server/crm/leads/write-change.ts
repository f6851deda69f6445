import type { Account } from '../../access/account/users.ts'
import type { AuditAction } from '../../access/audit/contract.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'
import type { StoredEnquiry } from '../enquiries/stored-enquiry.ts'
import type { NoticeOfLead } from '../notices/add-notice.ts'
import { isNotified } from './create-lead.ts'
import { recordEnquiry } from './lead-enquiry.ts'
import type { Change } from './merge-lead.ts'
import { type LeadUpdate, updateLead } from './store.ts'
import { countedOf, type PassOn, writeLeads } from './write-leads.ts'

export interface LeadChange extends LeadUpdate {
  /** The enquiry that a merge brings. A new owner is notified of the lead instead. */
  enquiry?: { enquiry: StoredEnquiry; replayed?: boolean | undefined } | null
  /** The new owner of a lead that passes on is notified, and the one before, if it had one. */
  isPassedOn?: boolean
  /** When it passes on from its new owner. */
  passOn?: PassOn | null
  /** Part of a bulk change: a new owner is notified of all leads at once. */
  isOneOfMany?: boolean
  /** For the timeline. */
  entry: {
    at: Date
    kind: 'merged' | 'changed'
    summary: string
    details: { changes: Change[] } & Record<string, unknown>
  }
  /** For the audit log, if it is neither an edit nor the merge of a submission. */
  audit?: { action: AuditAction; details: Record<string, unknown> }
}

/**
 * Writes every change of an existing lead, by merge and by hand, and all that follows. Fails with 23505 if another lead has one of the
 * contacts.
 */
export async function writeChange(
  tx: TransactionSql,
  actor: Actor,
  { entry, enquiry, passOn = null, audit, ...change }: LeadChange,
): Promise<void> {
  const { before, after } = change
  const { kind, details } = entry
  const isReassigned = after.assigned_to !== before.assigned_to
  const written = {
    ...countedOf(after),
    id: before.id,
    created_at: before.created_at,
    before: countedOf(before),
    ...entry,
    details: { via: actor.via, via_id: actor.via_id, ...details },
    action: audit?.action ?? (`lead.${kind}` as const),
    audited_at: wholeSecond(new Date()),
    audited: { fields: details.changes.map(({ field }) => field), ...audit?.details },
    notices: isReassigned ? noticesOf(actor, change, entry.at) : null,
    pass_on: passOn,
  }
  // Sent one after the other without waiting for each answer: others wait for the lead.
  await Promise.all([
    updateLead(tx, actor.account_id, change),
    enquiry
      ? recordEnquiry(
          tx,
          actor,
          { id: before.id, assigned_to: after.assigned_to, notified: isReassigned ? null : after.assigned_to },
          enquiry,
        )
      : null,
    writeLeads(tx, actor, [written]),
  ])
}

/** Who is notified of the new owner of a lead. */
function noticesOf(
  actor: Actor,
  { before, after, isPassedOn, isOneOfMany }: Omit<LeadChange, 'entry'>,
  at: Date,
): NoticeOfLead[] {
  if (isOneOfMany) return []
  const owner = after.assigned_to
  return [
    ...(owner !== null && (isPassedOn || isNotified(actor, owner, at))
      ? [{ kind: 'assigned' as const, user_id: owner, at, about: {} }]
      : []),
    ...(isPassedOn && before.assigned_to !== null
      ? [{ kind: 'passed_on' as const, user_id: before.assigned_to, at, about: { user_id: owner } }]
      : []),
  ]
}

/** Timelines name users by their email, as the API does. */
export const findEmail = ({ users }: Account, id: unknown) => users.find((user) => user.id === id)?.email ?? null

export function withOwnerEmails(account: Account, changes: Change[]): Change[] {
  return changes.map((change) =>
    change.field === 'assigned_to'
      ? { ...change, before: findEmail(account, change.before), after: findEmail(account, change.after) }
      : change,
  )
}
