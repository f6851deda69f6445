import { csvLines } from '../../platform/http/csv.ts'
import { reasonColumns } from './column-names.ts'

export interface RowWithReason {
  reason: string
  cells: string[]
}

/** Writes rows of a file with a reason in a last column: corrected, they can be imported again. */
export function linesWithReason(names: string[], kind: string) {
  const column = kind === 'rejected' ? reasonColumns.rejected : reasonColumns.warned
  return {
    header: csvLines([[...names.filter((name) => name !== column), column]]),
    lineOf({ reason, cells }: RowWithReason): string {
      // A file of rejected rows that was corrected has the column already.
      const kept = names.flatMap((name, index) => (name === column ? [] : [cells[index] ?? '']))
      // Behind the reason, so that it stays in its column.
      return csvLines([[...kept, reason, ...cells.slice(names.length)]])
    },
  }
}
