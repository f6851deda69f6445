import type { Account } from '../../access/account/users.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { LockedLead } from './lead.ts'
import { nextUpdate } from './updated-at.ts'
import { findEmail, writeChange } from './write-change.ts'
import type { PassOn } from './write-leads.ts'

interface OwnerChange {
  account: Account
  lead: LockedLead
  /** Null: the lead is unassigned. */
  userId: string | null
  /** The rule by which the user gets it. Null: none. */
  ruleId: string | null
  isPassedOn?: boolean
  /** When it passes on from the user. */
  passOn?: PassOn | null
  /** For the timeline. */
  summary: string
  now: Date
}

/** Gives a locked lead to a user, or to none. */
export async function changeOwner(
  tx: TransactionSql,
  actor: Actor,
  { account, lead, userId, ruleId, isPassedOn = false, passOn = null, summary, now }: OwnerChange,
): Promise<void> {
  const { phone_key, email_key, ...fields } = lead
  const change = {
    field: 'assigned_to',
    before: findEmail(account, lead.assigned_to),
    after: findEmail(account, userId),
  } as const
  const details = {
    changes: [change],
    ...(isPassedOn ? { passed_on: true } : {}),
    ...(ruleId === null ? {} : { rule_id: ruleId }),
  }
  await writeChange(tx, actor, {
    before: lead,
    after: { ...fields, assigned_to: userId, updated_at: nextUpdate(lead.updated_at, now) },
    keys: { phone_key, email_key },
    isPassedOn,
    passOn,
    entry: { at: now, kind: 'changed', summary, details },
  })
}
