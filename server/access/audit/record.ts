import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'
import type { AuditAction } from './contract.ts'

export interface AuditEntry {
  action: AuditAction
  subject_id?: string | null
  details?: Record<string, unknown>
}

/**
 * Records an action in the audit log. `details` must contain no personal data of a lead. The time is in whole seconds,
 * as in the database functions that create leads and calls, so that entries keep their order.
 */
export async function recordAudit(
  tx: TransactionSql,
  actor: Actor,
  { action, subject_id = null, details = {} }: AuditEntry,
): Promise<void> {
  await tx`insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id, details)
    values (${actor.account_id}, ${wholeSecond(new Date())}, ${actor.user_id}, ${actor.via}, ${actor.via_id}, ${action}, ${subject_id},
      ${tx.json(details as never)})`
}
