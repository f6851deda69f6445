import type { Statement, TransactionSql } from '../../platform/database/sql.ts'

interface Options {
  /** In characters. Longer notes are cut, and end with `…`. */
  length: number
  /** The id of a call that is left out. */
  except?: Statement
}

/** The newest call of a lead that has notes, as JSON; null if none has. Later calls without notes do not hide it. */
export const lastCallNotes = (
  tx: TransactionSql,
  accountId: string,
  leadId: Statement,
  { length, except = tx`null` }: Options,
) => tx`(
  select json_build_object('called_at', left(to_json(noted.called_at)#>>'{}', 19) || 'Z',
    'notes', case when length(noted.notes) > ${length} then left(noted.notes, ${length}) || '…' else noted.notes end)
  from call_logs noted where noted.account_id = ${accountId} and noted.lead_id = ${leadId} and noted.notes is not null
    and noted.id is distinct from ${except}
  order by noted.called_at desc, noted.id desc limit 1
)`
