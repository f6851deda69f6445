import type { Sql } from '../../server/platform/database/sql.ts'

/** Tables that take less than this share of all are only in the sum. */
const minShare = 0.01

/** Prints the size of the tables and of their indexes per lead, the largest first. */
export async function printTableSizes(owner: Sql, leads: number): Promise<void> {
  const rows = await owner<{ name: string; n: string; heap: string; indexes: string }[]>`
    select relname as name, reltuples::bigint as n, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by pg_total_relation_size(oid) desc`
  const sum = (of: 'heap' | 'indexes') => rows.reduce((bytes, row) => bytes + Number(row[of]), 0)
  const totals = { heap: sum('heap'), indexes: sum('indexes') }
  const minBytes = (totals.heap + totals.indexes) * minShare
  console.log(`\n${'bytes per lead'.padEnd(24)}rows per lead   table  indexes`)
  for (const { name, n, heap, indexes } of rows) {
    if (Number(heap) + Number(indexes) >= minBytes)
      print(name, (Number(n) / leads).toFixed(2), Number(heap), Number(indexes))
  }
  print('all tables', '', totals.heap, totals.indexes)

  function print(name: string, perLead: string, heap: number, indexes: number) {
    const cells = [heap, indexes].map((bytes) => (bytes / leads).toFixed(0))
    console.log(`${name.padEnd(24)}${perLead.padStart(13)}${cells[0]!.padStart(8)}${cells[1]!.padStart(9)}`)
  }
}
