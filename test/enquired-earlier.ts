import type { Sql } from '../server/platform/database/sql.ts'

/** As if leads had enquired an hour ago, because what comes within ten minutes is one enquiry. `leadId`: only this one. */
export async function enquiredEarlier(owner: Sql, leadId: string | null = null): Promise<void> {
  await owner`update enquiries set at = at - interval '1 hour', last_at = last_at - interval '1 hour'
    where ${leadId}::uuid is null or lead_id = ${leadId}::uuid`
  // The enquiry of a lead that came with its fields alone.
  await owner`update timeline_entries set at = at - interval '1 hour'
    where kind = 'created' and (${leadId}::uuid is null or lead_id = ${leadId}::uuid)`
}
