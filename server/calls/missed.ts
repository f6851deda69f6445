import type { PendingQuery, Row, TransactionSql } from 'postgres'

type Fragment = PendingQuery<Row[]>

/** Nobody spoke. In the words of the index that holds these calls alone. */
export function missed(tx: TransactionSql): Fragment {
  return tx`(calls.duration_seconds = 0 or calls.outcome = 'Missed')`
}

/** Missed coming in, and nobody has called back or been reached since: of the calls named `calls`. */
export function unreturned(tx: TransactionSql, accountId: string): Fragment {
  return tx`${missed(tx)} and calls.call_type = 'Inbound' and not exists (
    select from call_logs later
    where later.account_id = ${accountId} and later.lead_id = calls.lead_id and later.called_at > calls.called_at
      and (later.call_type = 'Outbound' or later.duration_seconds > 0)
  )`
}
