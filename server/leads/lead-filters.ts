import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import type { Actor } from '../database/actor.ts'
import type { DateWindow } from '../http/date-window.ts'
import type { LeadPriority, LeadStatus } from './contract.ts'
import { unassigned } from './counts.ts'
import type { SearchTerms } from './search-terms.ts'

export interface LeadFilters {
  window: DateWindow
  status?: LeadStatus | undefined
  source?: string | undefined
  priority?: LeadPriority | undefined
  /** A user of the account, or 'nobody' for unassigned leads; null for an unknown email, which no lead has. */
  assignee?: { id: string; email: string } | 'nobody' | null | undefined
  search: SearchTerms | null
}

type Fragment = PendingQuery<Row[]>
type FieldFilters = Pick<LeadFilters, 'status' | 'source' | 'priority'>

/** Conditions on columns that `leads` and `lead_counts` share. */
export function fieldConditions(sql: Sql | TransactionSql, { status, source, priority }: FieldFilters): Fragment {
  return sql`${status ? sql`and status = ${status}` : sql``} ${source ? sql`and source = ${source}` : sql``}
    ${priority ? sql`and priority = ${priority}` : sql``}`
}

/** The table of daily counts that these filters need. */
export function countsFor(sql: Sql | TransactionSql, { status, source, priority }: FieldFilters): Fragment {
  const byField = status !== undefined || source !== undefined || priority !== undefined
  return byField ? sql`lead_counts` : sql`lead_day_counts`
}

/** Conditions on `leads`. The assignees that the actor sees are named for the plan; the policy enforces them. */
export function filterConditions(tx: TransactionSql, actor: Actor, filters: LeadFilters): Fragment {
  const { window, assignee } = filters
  return tx`leads.account_id = ${actor.account_id} and leads.created_at >= ${window.from}
    and leads.created_at < ${window.until} ${fieldConditions(tx, filters)}
    ${assignee === 'nobody' ? tx`and assigned_to is null` : assigneeCondition(tx, actor, assignee)}`
}

/** How many leads the filters leave, without the search, by the daily counts. */
export async function countFiltered(tx: TransactionSql, actor: Actor, filters: LeadFilters): Promise<number> {
  const { window, assignee } = filters
  const [counted] = await tx`select coalesce(sum(n), 0)::int as n from ${countsFor(tx, filters)}
    where account_id = ${actor.account_id} and day between ${window.first_day} and ${window.last_day}
      ${fieldConditions(tx, filters)} ${assigneeCondition(tx, actor, assignee === 'nobody' ? { id: unassigned } : assignee)}`
  return counted!.n
}

function assigneeCondition(tx: TransactionSql, actor: Actor, assignee: { id: string } | null | undefined): Fragment {
  if (assignee === null) return tx`and false`
  if (assignee) return tx`and assigned_to = ${assignee.id}`
  return actor.sees === 'all' ? tx`` : tx`and assigned_to = any (${actor.sees as string[]}::uuid[])`
}
