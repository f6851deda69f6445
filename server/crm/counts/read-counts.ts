import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import type { CountTables } from './tables.ts'

type Fragment = Statement

export interface CountQuery {
  /** Conditions on columns of both tables: the account and the days. */
  within: Fragment
  /** A condition for each column that is filtered. */
  where?: Record<string, Fragment | undefined>
  /** Other columns that are read. */
  by?: string[]
}

/** Returns counts with the changes that are not moved to them yet, as an item of FROM: `day`, `n`, and the columns of `by`. */
export function readCounts(
  sql: Sql | TransactionSql,
  { counts, changes, columns, kept }: CountTables,
  { within, where = {}, by = [] }: CountQuery,
): Fragment {
  const needed = columns.filter((column) => where[column] || by.includes(column))
  const set = kept.find((set) => needed.every((column) => set.includes(column)))!
  const ofCounts = columns.map((column) => {
    if (!set.includes(column)) return sql`and ${sql(column)} is null`
    return where[column] ? sql`and ${where[column]}` : sql`and ${sql(column)} is not null`
  })
  const ofChanges = columns.map((column) => (where[column] ? sql`and ${where[column]}` : sql``))
  const read = by.reduce((read, column) => sql`${read}, ${sql(column)}`, sql`day, n`)
  return sql`(select ${read} from ${sql(counts)} where ${within} ${ofCounts}
    union all select ${read} from ${sql(changes)} where ${within} ${ofChanges}) counts`
}
