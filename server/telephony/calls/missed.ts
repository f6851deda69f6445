import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'

type Fragment = Statement

/** The condition of a missed call, exactly as in the partial index of missed calls. */
export function isMissed(sql: Sql | TransactionSql): Fragment {
  return sql`(calls.duration_seconds = 0 or calls.outcome = 'Missed')`
}

/** After so many outgoing calls without an answer, a missed call needs no callback. */
const tries = 3

/**
 * The condition of a missed inbound call to call back: since then there was no conversation with the lead, and fewer than
 * three outgoing calls. It reads the alias `calls`.
 */
export function needsCallback(sql: Sql | TransactionSql, accountId: string): Fragment {
  const later = sql`call_logs later
    where later.account_id = ${accountId} and later.lead_id = calls.lead_id and later.called_at > calls.called_at`
  return sql`${isMissed(sql)} and calls.call_type = 'Inbound' and not exists (
    select from ${later} and later.outcome = 'Completed' and later.duration_seconds > 0
  ) and (select count(*) from (select from ${later} and later.call_type = 'Outbound' limit ${tries}) outgoing) < ${tries}`
}
