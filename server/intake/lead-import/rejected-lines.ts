import { byteOrderMark, csvLines } from '../../platform/http/csv.ts'
import { rejectionColumn } from './column-names.ts'

export interface RejectedCells {
  reason: string
  cells: string[]
}

/** The start of a file with rejected rows: corrected, it can be imported. A file that was corrected has the last column already. */
export const rejectedHeader = (names: string[]): string =>
  byteOrderMark + csvLines([[...names.filter((name) => name !== rejectionColumn), rejectionColumn]])

/** A line of it: the reason behind the columns, and what is more than these behind the reason. */
export function rejectedLine(names: string[], { reason, cells }: RejectedCells): string {
  const kept = names.flatMap((name, index) => (name === rejectionColumn ? [] : [cells[index] ?? '']))
  return csvLines([[...kept, reason, ...cells.slice(names.length)]])
}
