import { msg } from '@lingui/core/runtime-macro'
import type { Database } from '../../platform/database/connect.ts'
import { HttpProblem } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { ImportCounts, ImportEvent } from './contract.ts'
import type { ImportPlan } from './import-plan.ts'
import { type Import, type ProgressRecord, rejectionReasons } from './progress-record.ts'
import { readRow } from './read-row.ts'
import { rejectedRowsOf } from './rejected-rows.ts'
import type { RowDraft } from './row-draft.ts'
import { type AcceptedRow, openRowSaver, rejectedRow, TooManyRejected } from './row-saver.ts'
import { sharedContacts } from './shared-contacts.ts'

/** Saves the rows of a file in their order, in batches. It uses one connection, so that others have the rest. */
export async function* importRows(
  database: Database,
  opened: Import,
  closing: AbortSignal,
): AsyncGenerator<ImportEvent> {
  const { plan, file, record } = opened
  const skipped = record.rows_done
  const saver = openRowSaver(database, plan, record, closing)
  const kept = rejectedRowsOf(database, opened)
  let read = 0
  const shared = sharedContacts()
  const counts = (): ImportCounts => {
    const { created, merged, rejected, calls } = saver.record
    return { read, created, merged, rejected, calls }
  }
  yield { type: 'started', id: record.id, rows: file.rows, columns: plan.columns, skipped }
  let isDone = false
  try {
    for await (const drafts of file.read(plan)) {
      if (closing.aborted) return yield stopped(msg`The service is restarting.`, counts(), plan.language)
      const { accepted, rejected } = readRows(plan, drafts, { from: read, record })
      read += drafts.length
      for (const { draft } of accepted) shared.add(draft)
      const fresh = accepted.filter(({ at }) => at >= skipped)
      const events = [...rejected, ...(await saver.save(fresh, read))]
      const rejections = events.filter((event) => event.type === 'rejected')
      saver.addRejected(rejections.length)
      await kept.add(rejections)
      yield* events
      yield { type: 'progress', ...counts() }
    }
    await saver.end(true)
    isDone = true
    yield* shared.list().map((one) => ({ type: 'shared' as const, ...one }))
    yield { type: 'done', ...counts() }
  } finally {
    // The reason for the interruption is thrown. Without the database, the import ends silently.
    if (!isDone) await saver.end(false).catch(() => {})
  }
}

interface Position {
  /** The first row, as its position in the file. */
  from: number
  /** What was known when the import began: why the database rejected rows before it was interrupted. */
  record: ProgressRecord
}

/** Splits rows into those to save and those that are rejected. */
function readRows(plan: ImportPlan, drafts: RowDraft[], { from, record }: Position) {
  const reasons = rejectionReasons(record)
  const accepted: AcceptedRow[] = []
  const rejected: ImportEvent[] = []
  for (const [index, draft] of drafts.entries()) {
    const at = from + index
    const read = readRow(plan, draft, record.repeated)
    const problem = 'problem' in read ? read.problem : reasons.get(at)
    if ('submission' in read && problem === undefined) accepted.push({ ...read, at, draft })
    else rejected.push(rejectedRow(draft, problem ?? ''))
  }
  return { accepted, rejected }
}

/** The same for a page, which gets a last event if it stops. Closes the file. */
export async function* importLeads(
  database: Database,
  given: Import,
  closing: AbortSignal,
  report: (error: unknown) => void,
): AsyncGenerator<ImportEvent> {
  let counts: ImportCounts = { read: 0, created: 0, merged: 0, rejected: 0, calls: 0 }
  try {
    for await (const event of importRows(database, given, closing)) {
      if (event.type === 'progress') {
        const { type: _, ...after } = event
        counts = after
      }
      yield event
    }
  } catch (error) {
    const isOfFile = error instanceof TooManyRejected || error instanceof HttpProblem
    if (!isOfFile) report(error)
    yield stopped(isOfFile ? error.text : msg`The import failed.`, counts, given.plan.language)
  } finally {
    given.file.close()
  }
}

const stopped = (reason: Text, counts: ImportCounts, language?: Language): ImportEvent => ({
  type: 'stopped',
  message: translate(msg`${{ reason }} Import the file again to continue.`, language),
  ...counts,
})
