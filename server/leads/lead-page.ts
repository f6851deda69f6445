import type { TransactionSql } from 'postgres'
import { instant } from './visible.ts'

const newest = 50

/** A lead as the actor sees it, with its newest calls and timeline entries, as JSON; null where there is none. */
export async function readLeadPage(tx: TransactionSql, accountId: string, id: string): Promise<string | null> {
  const [found] = await tx<{ lead: string }[]>`
    with page as (select * from leads where account_id = ${accountId} and id = ${id})
    select to_json(lead)::text as lead from (
      select page.id, page.name, page.email, page.phone, page.company, page.city, page.source, page.status,
        page.priority, page.tags, page.deal_value, page.notes, users.email as assigned_to,
        users.name as assigned_name, ${instant(tx, 'created_at')}, ${instant(tx, 'updated_at')},
        calls_of_lead(${accountId}, ${id}, ${newest}) as calls
      from page left join users on users.account_id = page.account_id and users.id = page.assigned_to
    ) lead`
  if (!found) return null
  const timeline = await readTimeline(tx, accountId, id, { limit: newest, offset: 0 })
  return `${found.lead.slice(0, -1)},"timeline":{"total":${timeline.total},"entries":${timeline.rows}}}`
}

/** What happened to a lead, newest first. Empty where the actor sees no such lead. */
export async function readTimeline(
  tx: TransactionSql,
  accountId: string,
  leadId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: string }> {
  const [page] = await tx<{ total: number; rows: string }[]>`
    select (select count(*)::int from timeline_entries where account_id = ${accountId} and lead_id = ${leadId}) as total,
      (select coalesce(json_agg(entry), '[]')::text from (
        select id, left(to_json(at)#>>'{}', 19) || 'Z' as at, kind, summary, details from timeline_entries
        where account_id = ${accountId} and lead_id = ${leadId}
        order by timeline_entries.id desc limit ${limit} offset ${offset}
      ) entry) as rows`
  return page!
}
