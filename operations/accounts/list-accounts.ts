import type { Sql } from '../../server/platform/database/sql.ts'

/** What each account has, from the counts: nothing is counted row by row. */
export function listAccounts(sql: Sql) {
  return sql`
    select id, name,
      (select count(*)::int from users where account_id = accounts.id) as users,
      ((select coalesce(sum(n), 0) from lead_counts
          where account_id = accounts.id and assigned_to is null and status is null and source is null and priority is null)
        + (select coalesce(sum(n), 0) from lead_count_changes where account_id = accounts.id))::float as leads,
      ((select coalesce(sum(n), 0) from delivery_counts where account_id = accounts.id)
        + (select coalesce(sum(n), 0) from delivery_count_changes where account_id = accounts.id))::float as deliveries,
      round((select coalesce(sum(bytes), 0) from webhook_storage where account_id = accounts.id) / 1e6, 1)::float as delivery_mb,
      created_at, suspended_at, closed_for
    from accounts order by lower(name)`
}
