import type { Actor } from '../../platform/database/actor.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'

interface Owners {
  past: Statement
  current: Statement
}

/**
 * Returns who owned a lead when something happened, or its owner now if the actor does not see the leads of that user: the figures of
 * users add up to those of the leads that the actor sees.
 */
export const ownerThen = (
  tx: Sql | TransactionSql,
  { sees }: Pick<Actor, 'sees'>,
  { past, current }: Owners,
): Statement =>
  sees === 'all' ? past : tx`case when ${past} = any (${sees as string[]}::uuid[]) then ${past} else ${current} end`

/** Who owned a lead first, as soon as it had an owner. */
export const firstOwner = (tx: Sql | TransactionSql, actor: Pick<Actor, 'sees'>): Statement =>
  ownerThen(tx, actor, { past: tx`coalesce(leads.first_assignee, leads.assigned_to)`, current: tx`leads.assigned_to` })

/** Who owned a lead when it was closed. */
export const closingOwner = (tx: Sql | TransactionSql, actor: Pick<Actor, 'sees'>): Statement =>
  ownerThen(tx, actor, { past: tx`leads.assignee_at_close`, current: tx`leads.assigned_to` })
