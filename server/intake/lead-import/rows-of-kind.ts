import { byteOrderMark } from '../../platform/http/csv.ts'
import { type RowKind, textOfKind } from './contract.ts'
import type { ImportPlan } from './import-plan.ts'
import type { LeadFile } from './lead-file.ts'
import { linesWithReason } from './lines-with-reason.ts'
import { readRow } from './read-row.ts'

/** Returns the rows of a file that a dry run rejects, or has a kind of warning for, as CSV with the reasons. */
export async function* rowsOfKind(plan: ImportPlan, file: LeadFile, kind: RowKind): AsyncGenerator<string> {
  const { header, lineOf } = linesWithReason(file.names, kind)
  yield byteOrderMark + header
  for await (const drafts of file.read(plan)) {
    const lines = drafts.flatMap((draft) => {
      const read = readRow(plan, draft)
      const isRejected = 'problem' in read
      const reason =
        kind === 'rejected' ? (isRejected ? read.problem : '') : isRejected ? '' : textOfKind(read.warnings, kind)
      return reason === '' ? [] : [lineOf({ reason, cells: draft.cells })]
    })
    if (lines.length > 0) yield lines.join('')
  }
}
