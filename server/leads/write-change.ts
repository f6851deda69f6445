import type { Account } from '../account/users.ts'
import type { AuditAction } from '../audit/contract.ts'
import { recordAudit } from '../audit/record.ts'
import { appendChanges } from '../counts/append-changes.ts'
import { leadCounts } from '../counts/tables.ts'
import type { Actor } from '../database/actor.ts'
import type { TransactionSql } from '../database/sql.ts'
import { recordOnTimeline } from '../timeline/record.ts'
import { isNotified } from './create-lead.ts'
import type { LeadField } from './fields.ts'
import type { Change } from './merge-lead.ts'
import { type RepeatEnquiry, recordEnquiry } from './repeat-enquiry.ts'
import { type LeadUpdate, updateLead } from './store.ts'

export interface LeadChange extends LeadUpdate {
  /** Of a merge that brings one. A new owner is notified of the lead instead. */
  enquiry?: RepeatEnquiry | null
  /** The new owner of a lead that passes on is notified, and the one before, if it had one. */
  isPassedOn?: boolean
  /** Of a change of many leads: a new owner is notified of all of them at once. */
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
 * Writes every change of an existing lead, by merge and by hand: the lead, its counts, the rows that contain its assignee,
 * its timeline and the audit log. Fails with 23505 if another lead has one of the contacts.
 */
export async function writeChange(
  tx: TransactionSql,
  actor: Actor,
  { entry, enquiry, isPassedOn = false, isOneOfMany = false, audit, ...update }: LeadChange,
): Promise<void> {
  const { account_id } = actor
  const { before, after } = update
  const { at, kind, summary, details } = entry
  const lead = { account_id, id: before.id, assigned_to: after.assigned_to }
  const recorded = { via: actor.via, via_id: actor.via_id, ...details }
  const isReassigned = after.assigned_to !== before.assigned_to
  const isCounted = leadCounts.columns.some((column) => before[column as LeadField] !== after[column as LeadField])
  // Sent one after the other without waiting for each answer: others wait for the lead.
  await Promise.all([
    updateLead(tx, account_id, update),
    recordOnTimeline(tx, lead, { at, kind, summary, details: recorded }),
    isReassigned && !isOneOfMany && (isPassedOn || isNotified(actor, after.assigned_to, at))
      ? tx`insert into assignments (account_id, lead_id, user_id, at, notify_at)
          values (${account_id}, ${before.id}, ${after.assigned_to}, ${at}, ${at})`
      : null,
    isPassedOn && before.assigned_to !== null
      ? tx`insert into assignments (account_id, lead_id, user_id, at, notify_at, passed_on_to)
          values (${account_id}, ${before.id}, ${before.assigned_to}, ${at}, ${at}, ${after.assigned_to})`
      : null,
    enquiry
      ? recordEnquiry(tx, actor, { ...lead, assigned_to: isReassigned ? null : lead.assigned_to }, enquiry)
      : null,
    recordAudit(tx, actor, {
      action: audit?.action ?? `lead.${kind}`,
      subject_id: before.id,
      details: { ...audit?.details, fields: details.changes.map(({ field }) => field) },
    }),
    isCounted
      ? appendChanges(tx, account_id, leadCounts, [
          { row: before, n: -1 },
          { row: after, n: 1 },
        ])
      : null,
    isReassigned && before.assigned_to === null ? endOffer(tx, account_id, before.id) : null,
    isReassigned ? tx`select reassign_calls(${account_id}, array[${before.id}::uuid], ${after.assigned_to})` : null,
  ])
}

/** A lead with an owner is no longer offered to others. */
export async function endOffer(tx: TransactionSql, accountId: string, leadId: string): Promise<void> {
  await tx`update lead_offers set due_at = null
    where account_id = ${accountId} and lead_id = ${leadId} and due_at is not null`
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
