import type { TransactionSql } from '../../platform/database/sql.ts'

export type TimelineKind =
  | 'created'
  | 'merged'
  | 'changed'
  | 'submitted'
  | 'reassigned'
  | 'call_logged'
  | 'call_changed'
  | 'call_deleted'
  | 'whatsapp_opened'

/** Writes an entry on a lead's timeline. `details` contain what the summary omits. Deleted with the lead. */
export async function recordOnTimeline(
  tx: TransactionSql,
  lead: { account_id: string; id: string; assigned_to: string | null },
  entry: { at: Date; kind: TimelineKind; summary: string; details: object },
): Promise<void> {
  await tx`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (${lead.account_id}, ${lead.id}, ${lead.assigned_to}, ${entry.at}, ${entry.kind}, ${entry.summary},
      ${tx.json(entry.details as never)})`
}
