import { readCounts } from '../../crm/counts/read-counts.ts'
import { deliveryCounts } from '../../crm/counts/tables.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import { createdIn, type ReportFilters } from './by-user.ts'
import type { SourceFigures } from './contract.ts'

/** Counts the leads that were created in the periods by their source, from an index that has all that is counted. */
export async function leadsBySource(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  type Row = Omit<SourceFigures, 'won_value'> & { source: string; before: boolean; won_paise: string | null }
  return tx<Row[]>`
    select source, created_at < ${filters.periods.now.from} as before, count(*)::int as leads,
      count(*) filter (where status = 'New' and last_call_at is null)::int as uncalled,
      count(*) filter (where status in ('Contacted', 'Qualified', 'Proposal', 'Won'))::int as contacted,
      count(*) filter (where status = 'Won')::int as won, sum(deal_paise) filter (where status = 'Won') as won_paise
    from leads where account_id = ${actor.account_id} and ${createdIn(tx, filters)} group by 1, 2`
}

/** Counts the repeat enquiries of the period by their source. */
export async function enquiriesBySource(tx: TransactionSql, actor: Actor, { periods, users, source }: ReportFilters) {
  return tx<{ source: string; n: number }[]>`
    select source, count(*)::int as n from enquiries
    where account_id = ${actor.account_id} and is_repeat and at >= ${periods.now.from} and at < ${periods.now.until}
      ${users === null ? tx`` : tx`and assigned_to = any (${users}::uuid[])`}
      ${source === undefined ? tx`` : tx`and source = ${source}`}
    group by 1`
}

/** Counts rejected deliveries by the source that their webhook gives its leads. */
export async function rejectedBySource(tx: TransactionSql, accountId: string, { first_day, last_day }: DateWindow) {
  return tx<{ source: string; n: number }[]>`
    select coalesce(webhooks.default_source, webhooks.source_label) as source, sum(counted.n)::int as n from (
      select webhook_id, sum(n) as n from ${readCounts(tx, deliveryCounts, {
        within: tx`account_id = ${accountId} and day between ${first_day} and ${last_day}`,
        where: { outcome: tx`outcome = 'rejected'` },
        by: ['webhook_id'],
      })} group by webhook_id having sum(n) > 0
    ) counted join webhooks on webhooks.account_id = ${accountId} and webhooks.id = counted.webhook_id
    group by 1`
}
