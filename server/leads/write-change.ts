import type { TransactionSql } from 'postgres'
import type { Account } from '../account/users.ts'
import { recordAudit } from '../audit/record.ts'
import type { Actor } from '../database/actor.ts'
import { recordOnTimeline } from '../timeline/record.ts'
import { type CountChange, countChanges, countLeads } from './counts.ts'
import type { Change } from './merge-lead.ts'
import { type LeadUpdate, updateLead } from './store.ts'

export interface LeadChange extends LeadUpdate {
  /** For the timeline. */
  entry: {
    at: Date
    kind: 'merged' | 'changed'
    summary: string
    details: { changes: Change[] } & Record<string, unknown>
  }
  /** Of a batch, which writes the counts of all its leads together. */
  batchCounts?: CountChange[] | undefined
}

/**
 * Writes every change of an existing lead, by merge and by hand: the lead, its counts, the rows that contain its assignee,
 * its timeline and the audit log. Fails with 23505 if another lead has the phone or the email.
 */
export async function writeChange(
  tx: TransactionSql,
  actor: Actor,
  { before, after, keys, entry, batchCounts }: LeadChange,
): Promise<void> {
  const { account_id } = actor
  const { at, kind, summary, details } = entry
  await updateLead(tx, account_id, { before, after, keys })
  const lead = { account_id, id: before.id, assigned_to: after.assigned_to }
  const recorded = { via: actor.via, via_id: actor.via_id, ...details }
  await recordOnTimeline(tx, lead, { at, kind, summary, details: recorded })
  if (after.assigned_to !== before.assigned_to) {
    await tx`select note_assignment(${account_id}, ${before.id}, ${after.assigned_to}, ${actor.user_id}, ${actor.via}, ${at})`
  }
  await recordAudit(tx, actor, {
    action: `lead.${kind}`,
    subject_id: before.id,
    details: { fields: details.changes.map(({ field }) => field) },
  })
  const counted = countChanges(before, after)
  if (batchCounts) batchCounts.push(...counted)
  else await countLeads(tx, account_id, counted)
  if (before.assigned_to !== after.assigned_to)
    await tx`select reassign_calls(${account_id}, ${before.id}, ${after.assigned_to})`
}

/** Timelines name users by their email, as the API does. */
export const emailOf = ({ users }: Account, id: unknown) => users.find((user) => user.id === id)?.email ?? null

export function withOwnerEmails(account: Account, changes: Change[]): Change[] {
  return changes.map((change) =>
    change.field === 'assigned_to'
      ? { ...change, before: emailOf(account, change.before), after: emailOf(account, change.after) }
      : change,
  )
}
