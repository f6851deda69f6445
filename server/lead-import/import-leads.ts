import { setTimeout as pause } from 'node:timers/promises'
import { asActor, forWholeAccount } from '../database/actor.ts'
import { type Database, isBusy, isRejectedRow } from '../database/connect.ts'
import type { Submission } from '../leads/lead.ts'
import { saveLeads } from '../leads/save-leads.ts'
import type { ImportCounts, ImportEvent } from './contract.ts'
import type { LeadFile } from './lead-file.ts'
import { type ProgressRecord, rejectionReasons, writeRecord } from './progress-record.ts'
import { type ImportPlan, submissionOf } from './read-row.ts'
import type { RowDraft } from './row-draft.ts'
import { saveCalls } from './save-calls.ts'

/** By the database, in one import: the record keeps them. */
const mostRejected = 200

interface Import {
  plan: ImportPlan
  file: LeadFile
  /** Where an ended import continues. */
  record: ProgressRecord
}

/** The database rejected so many rows that something else than the rows may be wrong. */
class TooManyRejected extends Error {
  constructor(reason: string) {
    super(`The database rejected ${mostRejected} rows of this file. The reason for the last one: ${reason}`)
  }
}

/**
 * Saves the rows like all leads, in their order, a batch in one transaction. It uses one connection, so that others have the
 * rest. A row that the database rejects is skipped. Any other error stops the import between two transactions.
 */
export async function* importRows(
  database: Database,
  { plan, file, record }: Import,
  closing: AbortSignal,
): AsyncGenerator<ImportEvent> {
  const { account_id } = plan.actor
  const skipped = record.rows_done
  let written = record
  let read = 0
  let refused = 0
  const counts = (): ImportCounts => {
    const { created, merged, calls } = written
    return { read, created, merged, refused, calls }
  }

  /** Saves rows in one transaction with the record, which then continues at the row `next`. */
  async function saveTogether(rows: AcceptedRow[], next: number): Promise<ImportEvent[]> {
    const before = written
    let after = before
    const saved = await whenFree(closing, () =>
      saveLeads(
        database,
        plan.actor,
        rows.map(({ submission }) => submission),
        async (tx, all) => {
          const merged = all.filter(({ outcome }) => outcome === 'merged').length
          const calls = rows.flatMap(({ draft: { call } }, index) => (call ? [{ call, saved: all[index]! }] : []))
          after = {
            ...before,
            rows_done: next,
            created: before.created + all.length - merged,
            merged: before.merged + merged,
            calls: before.calls + (await saveCalls(tx, plan, calls)),
          }
          await writeRecord(tx, account_id, before, { ...after, state: 'running', now: new Date() })
        },
      ),
    )
    written = after
    return rows.flatMap(({ draft: { line }, warnings }, index) =>
      warnings.length > 0 ? [{ type: 'warned', line, lead_id: saved[index]!.lead.id, warnings }] : [],
    )
  }

  /** Saves rows. If the database rejects one of them, it is found by saving the halves by themselves. */
  async function save(rows: AcceptedRow[], next: number): Promise<ImportEvent[]> {
    const [first] = rows
    if (!first) return []
    try {
      return await saveTogether(rows, next)
    } catch (error) {
      if (!isRejectedRow(error)) throw error
      if (rows.length === 1) return [await reject(first, next, reasonOf(error as Error))]
    }
    const half = rows.length >> 1
    return [...(await save(rows.slice(0, half), rows[half]!.at)), ...(await save(rows.slice(half), next))]
  }

  async function reject({ at, draft }: AcceptedRow, next: number, reason: string): Promise<ImportEvent> {
    const before = written
    if (before.rejections.length >= mostRejected) throw new TooManyRejected(reason)
    const after = { ...before, rows_done: next, rejections: [...before.rejections, { at, reason }] }
    await asActor(database, forWholeAccount(plan.actor), (tx) =>
      writeRecord(tx, account_id, before, { ...after, state: 'running', now: new Date() }),
    )
    written = after
    refused++
    return rejection(draft, reason)
  }

  yield { type: 'started', rows: file.rows, columns: plan.columns, skipped }
  const reasons = rejectionReasons(record)
  for await (const drafts of file.read(plan.columns, plan.account.country, plan.now)) {
    if (closing.aborted) return yield stopped('The service is restarting.', counts())
    const { accepted, rejected } = readRows(plan, drafts, { from: read, reasons })
    read += drafts.length
    refused += rejected.length
    const saved = await save(
      accepted.filter(({ at }) => at >= skipped),
      read,
    )
    yield* rejected
    yield* saved
    yield { type: 'progress', ...counts() }
  }
  await asActor(database, forWholeAccount(plan.actor), (tx) =>
    writeRecord(tx, account_id, written, { ...written, rows_done: read, state: 'done', now: new Date() }),
  )
  yield { type: 'done', ...counts() }
}

interface AcceptedRow {
  /** The row's position in the file. */
  at: number
  draft: RowDraft
  submission: Submission
  warnings: string[]
}

interface Position {
  /** Of the first of the rows in the file. */
  from: number
  reasons: Map<number, string>
}

/** Splits rows into those to save and those that are rejected, also by the database before the import was interrupted. */
function readRows(plan: ImportPlan, drafts: RowDraft[], { from, reasons }: Position) {
  const accepted: AcceptedRow[] = []
  const rejected: ImportEvent[] = []
  for (const [index, draft] of drafts.entries()) {
    const at = from + index
    const read = submissionOf(plan, draft)
    const problem = 'problem' in read ? read.problem : reasons.get(at)
    if ('submission' in read && problem === undefined) accepted.push({ ...read, at, draft })
    else rejected.push(rejection(draft, problem ?? ''))
  }
  return { accepted, rejected }
}

const rejection = ({ line, cells }: RowDraft, reason: string): ImportEvent => ({
  type: 'refused',
  line,
  reason,
  cells,
})

const reasonOf = ({ message }: Error) => `The database rejected the row: ${message.slice(0, 300).toWellFormed()}.`

const mostAttempts = 30

/** Tries again while other transactions hold a lock: an import has time. */
async function whenFree<T>(closing: AbortSignal, save: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await save()
    } catch (error) {
      if (!isBusy(error) || attempt === mostAttempts || closing.aborted) throw error
      await pause(1000)
    }
  }
}

/** The same for a page, which gets a last event if it stops. Closes the file. */
export async function* importLeads(
  database: Database,
  given: Import,
  closing: AbortSignal,
  report: (error: unknown) => void,
): AsyncGenerator<ImportEvent> {
  let counts: ImportCounts = { read: 0, created: 0, merged: 0, refused: 0, calls: 0 }
  try {
    for await (const event of importRows(database, given, closing)) {
      if (event.type === 'progress') {
        const { type: _, ...after } = event
        counts = after
      }
      yield event
    }
  } catch (error) {
    report(error)
    yield stopped(error instanceof TooManyRejected ? error.message : 'The import failed.', counts)
  } finally {
    given.file.close()
  }
}

const stopped = (reason: string, counts: ImportCounts): ImportEvent => ({
  type: 'stopped',
  message: `${reason} Import the file again to continue.`,
  ...counts,
})
