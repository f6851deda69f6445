import type { AuditAction } from '../../access/audit/contract.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { NoticeOfLead } from '../notices/add-notice.ts'
import type { TimelineKind } from '../timeline/record.ts'
import type { LeadRow } from './lead.ts'

/** The columns by which leads are counted. */
export type Counted = Pick<LeadRow, 'assigned_to' | 'status' | 'source' | 'priority'>

export const countedOf = ({ assigned_to, status, source, priority }: Counted): Counted => ({
  assigned_to,
  status,
  source,
  priority,
})

/** When the lead passes on from its new owner, by which rule. */
export interface PassOn {
  rule_id: string
  due_at: Date
}

/** A lead as the function `write_leads` of the database takes it, with what it writes in other tables. */
export interface WrittenLead extends Counted, Pick<LeadRow, 'id' | 'created_at'> {
  /** Null: it is new. */
  before: Counted | null
  /** The row of a new lead is there already. Otherwise all its columns are here. */
  is_stored?: true
  /** The entry of its timeline. */
  at: Date
  kind: TimelineKind
  summary: string
  details: object
  /** The entry of the audit log. */
  action?: AuditAction
  audited_at?: Date
  audited?: object
  notices?: NoticeOfLead[] | null
  pass_on?: PassOn | null
}

/** Writes all that follows from changes of leads, whose rows are changed in the same transaction. It acts as the actor already. */
export async function writeLeads(tx: TransactionSql, actor: Actor, leads: WrittenLead[]): Promise<void> {
  await tx`select write_leads(account => ${actor.account_id}, person => ${actor.user_id}, sees => null,
    leads => ${tx.json(leads)}, acting_via => ${actor.via}, acting_via_id => ${actor.via_id})`
}
