import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'

type Fragment = PendingQuery<Row[]>

/** The condition of a missed call, exactly as in the partial index of missed calls. */
export function isMissed(sql: Sql | TransactionSql): Fragment {
  return sql`(calls.duration_seconds = 0 or calls.outcome = 'Missed')`
}

/** The condition of a missed inbound call without a later call back or answered call. It reads the alias `calls`. */
export function needsCallback(sql: Sql | TransactionSql, accountId: string): Fragment {
  return sql`${isMissed(sql)} and calls.call_type = 'Inbound' and not exists (
    select from call_logs later
    where later.account_id = ${accountId} and later.lead_id = calls.lead_id and later.called_at > calls.called_at
      and (later.call_type = 'Outbound' or later.duration_seconds > 0)
  )`
}
