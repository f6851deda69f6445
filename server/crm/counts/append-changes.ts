import type { TransactionSql } from '../../platform/database/sql.ts'
import { istDay } from '../../platform/http/instants.ts'
import { type CountTables, unassigned } from './tables.ts'

/** A row that is added to the counts, or subtracted from them, with its columns and its time. */
export interface CountChange<Row> {
  row: Row
  n: number
}

/** Appends what a transaction changes to counts. It waits for no other transaction. */
export async function appendChanges<Row extends object>(
  tx: TransactionSql,
  accountId: string,
  { changes, columns, time }: CountTables,
  changed: CountChange<Row>[],
): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map(({ row, n }) => {
    const values = { assigned_to: null, ...row } as Record<string, unknown>
    const counted = columns.map((column) => [column, values[column] ?? unassigned])
    return { ...Object.fromEntries(counted), day: istDay(values[time] as Date), n }
  })
  const names = tx.unsafe([...columns, 'day', 'n'].join(', '))
  await tx`insert into ${tx(changes)} (account_id, ${names}) select ${accountId}, ${names}
    from jsonb_populate_recordset(null::${tx(changes)}, ${tx.json(rows as never)}) returning 1`
}
