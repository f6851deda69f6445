import type { TransactionSql } from 'postgres'
import type { Actor } from '../database/actor.ts'
import { wholeSecond } from '../http/date-window.ts'
import type { AuditAction } from './contract.ts'

/**
 * Who did what to which id: `action` is `matter.verb`, as in `api_key.revoked`. `details` must hold no personal
 * data of a lead. Creating a lead or a call log writes its entry in the same database function, in whole seconds; so
 * does this, that the log's order is the order in which things were done.
 */
export async function recordAudit(
  tx: TransactionSql,
  actor: Actor,
  action: AuditAction,
  subjectId: string | null,
  details: Record<string, unknown> = {},
): Promise<void> {
  await tx`insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id, details)
    values (${actor.account_id}, ${wholeSecond(new Date())}, ${actor.user_id}, ${actor.via}, ${actor.via_id}, ${action}, ${subjectId},
      ${tx.json(details as never)})`
}
