import { readCounts } from '../../crm/counts/read-counts.ts'
import { deliveryCounts } from '../../crm/counts/tables.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import { closedIn, createdIn, isNewOfUsers, isUncalled, type ReportFilters } from './by-user.ts'
import type { OriginFigures, OriginGroup } from './contract.ts'

interface Grouping {
  group: OriginGroup
  /** Names that have a row without leads too. */
  known: string[]
  maxRows: number
}

/**
 * Counts the leads that were created or closed in the periods, and the repeat enquiries of the later one, by what names them. Names without room are
 * joined. `name`: null for what names none, and for the joined ones. `names`: of all rows.
 */
export async function countByOrigin(
  tx: TransactionSql,
  actor: Actor,
  filters: ReportFilters,
  { group, known, maxRows }: Grouping,
) {
  const { periods, users, source } = filters
  const isNew = isNewOfUsers(tx, actor, filters)
  type Row = Omit<OriginFigures, 'won_value'> & {
    name: string | null
    is_joined: boolean
    before: boolean
    won_paise: string | null
    enquired_again: number
    names: number
  }
  return tx<Row[]>`
    with counted as materialized (
      select ${tx(group)} as name, created_at < ${periods.now.from} as before, count(*) filter (where ${isNew}) as leads,
        count(*) filter (where ${isUncalled(tx, filters)}) as uncalled,
        count(*) filter (where ${isNew} and status in ('Contacted', 'Qualified', 'Proposal', 'Won')) as contacted,
        count(*) filter (where ${isNew} and status in ('Qualified', 'Proposal', 'Won')) as qualified,
        count(*) filter (where ${isNew} and status = 'Won') as converted, 0 as won, null::numeric as won_paise, 0 as lost,
        0 as enquired_again
      from leads where account_id = ${actor.account_id} and ${createdIn(tx, actor, filters)} group by 1, 2
      union all
      select ${tx(group)}, closed_at < ${periods.now.from}, 0, 0, 0, 0, 0, count(*) filter (where status = 'Won'),
        sum(deal_paise) filter (where status = 'Won'), count(*) filter (where status = 'Lost'), 0
      from leads where account_id = ${actor.account_id} and ${closedIn(tx, actor, filters)} group by 1, 2
      union all
      select ${tx(group)}, false, 0, 0, 0, 0, 0, 0, null, 0, count(*) from enquiries
      where account_id = ${actor.account_id} and is_repeat and at >= ${periods.now.from} and at < ${periods.now.until}
        ${users === null ? tx`` : tx`and assigned_to = any (${users}::uuid[])`}
        ${source === undefined ? tx`` : tx`and source = ${source}`}
      group by 1
      union all
      select name, false, 0, 0, 0, 0, 0, 0, null, 0, 0 from unnest(${known}::text[]) as known (name)
    ), shown as materialized (
      select name from counted where name is not null group by name
      order by coalesce(sum(leads) filter (where not before), 0) + coalesce(sum(won) filter (where not before), 0) desc, name limit ${maxRows}
    )
    select shown.name, counted.name is not null and shown.name is null as is_joined, before, sum(leads)::int as leads,
      sum(uncalled)::int as uncalled, sum(contacted)::int as contacted, sum(qualified)::int as qualified, sum(converted)::int as converted,
      sum(won)::int as won, sum(won_paise) as won_paise, sum(lost)::int as lost, sum(enquired_again)::int as enquired_again,
      (select count(distinct name)::int from counted) as names
    from counted left join shown on shown.name = counted.name group by 1, 2, 3`
}

/** Counts rejected deliveries by the source that their webhook gives its leads. */
export async function rejectedBySource(tx: TransactionSql, accountId: string, { first_day, last_day }: DateWindow) {
  return tx<{ name: string; n: number }[]>`
    select coalesce(lead_sources.name, webhooks.default_source, webhooks.source_label) as name, sum(counted.n)::int as n from (
      select webhook_id, sum(n) as n from ${readCounts(tx, deliveryCounts, {
        within: tx`account_id = ${accountId} and day between ${first_day} and ${last_day}`,
        where: { outcome: tx`outcome = 'rejected'` },
        by: ['webhook_id'],
      })} group by webhook_id having sum(n) > 0
    ) counted join webhooks on webhooks.account_id = ${accountId} and webhooks.id = counted.webhook_id
      left join lead_sources on lead_sources.account_id = ${accountId}
        and lead_sources.key = search_key(coalesce(webhooks.default_source, webhooks.source_label))
    group by 1`
}
