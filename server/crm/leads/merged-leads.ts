import type { TransactionSql } from '../../platform/database/sql.ts'

/** Returns the id of the lead into which a user merged this one. Call it for the whole account: it says nothing of who sees that lead. */
export async function keptLeadOf(tx: TransactionSql, accountId: string, id: string): Promise<string | null> {
  const [row] = await tx<{ kept_lead_id: string }[]>`
    select kept_lead_id from merged_leads where account_id = ${accountId} and lead_id = ${id}`
  return row?.kept_lead_id ?? null
}

/** Returns the ids of the leads that users merged into this one. */
export async function mergedIdsOf(tx: TransactionSql, accountId: string, keptId: string): Promise<string[]> {
  const rows = await tx<{ lead_id: string }[]>`
    select lead_id from merged_leads where account_id = ${accountId} and kept_lead_id = ${keptId} order by merged_at`
  return rows.map(({ lead_id }) => lead_id)
}
