import { setTimeout as pause } from 'node:timers/promises'
import { asActor, forWholeAccount } from '../database/actor.ts'
import { type Database, isBusy } from '../database/connect.ts'
import { saveLeads } from '../leads/save-leads.ts'
import type { ImportCounts, ImportEvent, ImportPreview } from './contract.ts'
import type { LeadFile } from './lead-file.ts'
import { OutcomeCounter } from './outcome-counter.ts'
import { type ProgressRecord, writeRecord } from './progress-record.ts'
import { type ImportPlan, submissionOf } from './read-row.ts'
import type { RowDraft } from './row-draft.ts'
import { saveCalls } from './save-calls.ts'

const mostShown = 200
const countedAtOnce = 2000

/** A dry run: returns what an import would do. */
export async function previewImport(database: Database, plan: ImportPlan, file: LeadFile): Promise<ImportPreview> {
  const rejected: ImportPreview['refused_rows'] = []
  const warned: ImportPreview['warned_rows'] = []
  const first: ImportPreview['first_rows'] = []
  const outcomes = new OutcomeCounter(database, plan)
  let accepted: RowDraft[] = []
  const counts = { rows: file.rows, refused: 0, warned: 0 }
  for await (const drafts of file.read(plan.columns, plan.account.country, plan.now)) {
    for (const draft of drafts) {
      const { line, cells } = draft
      const read = submissionOf(plan, draft)
      const lead = 'submission' in read ? shown(plan, read.submission.given) : null
      if (first.length < 10) first.push({ line, cells, lead })
      if ('problem' in read) {
        if (counts.refused++ < mostShown) rejected.push({ line, reason: read.problem, cells })
        continue
      }
      accepted.push(draft)
      if (read.warnings.length > 0 && counts.warned++ < mostShown) warned.push({ line, warnings: read.warnings })
    }
    if (accepted.length >= countedAtOnce) {
      await outcomes.add(accepted)
      accepted = []
    }
  }
  await outcomes.add(accepted)
  const { created, merged, calls } = outcomes
  const rows = { first_rows: first, refused_rows: rejected, warned_rows: warned }
  return { ...counts, created, merged, calls, columns: plan.columns, ...rows }
}

function shown({ account }: ImportPlan, { assigned_to, ...given }: { assigned_to?: string }) {
  const email = account.users.find((user) => user.id === assigned_to)?.email
  return { ...given, ...(email ? { assigned_to: email } : {}) }
}

interface Import {
  plan: ImportPlan
  file: LeadFile
  /** Where an ended import continues. */
  record: ProgressRecord
}

/**
 * Saves the rows like all leads, in their order, a batch in one transaction. It uses one connection, so that others have the
 * rest. An error stops it between two batches.
 */
export async function* importRows(
  database: Database,
  { plan, file, record }: Import,
  closing: AbortSignal,
): AsyncGenerator<ImportEvent> {
  const { account_id } = plan.actor
  const counts: ImportCounts = { read: 0, created: 0, merged: 0, refused: 0, calls: 0 }
  const skipped = record.rows_done
  Object.assign(counts, { created: record.created, merged: record.merged, calls: record.calls })
  let written = record
  yield { type: 'started', rows: file.rows, columns: plan.columns, skipped }
  for await (const drafts of file.read(plan.columns, plan.account.country, plan.now)) {
    if (closing.aborted) return yield stopped('The service is restarting.', counts)
    const { events, rows } = readRows(plan, drafts, counts)
    const fresh = rows.filter(({ at }) => at >= skipped)
    const before = { ...counts }
    const saved = await whenFree(closing, () =>
      saveLeads(
        database,
        plan.actor,
        fresh.map(({ submission }) => submission),
        async (tx, all) => {
          const merged = all.filter(({ outcome }) => outcome === 'merged').length
          counts.merged = before.merged + merged
          counts.created = before.created + all.length - merged
          const calls = fresh.flatMap(({ draft: { call } }, index) => (call ? [{ call, saved: all[index]! }] : []))
          counts.calls = before.calls + (await saveCalls(tx, plan, calls))
          await writeRecord(tx, account_id, written, recordAfter(written, counts, 'running'))
        },
      ),
    )
    for (const [index, { line, warnings }] of fresh.entries()) {
      if (warnings.length > 0) events.push({ type: 'warned', line, lead_id: saved[index]!.lead.id, warnings })
    }
    if (fresh.length > 0) written = recordAfter(written, counts, 'running')
    yield* events
    yield { type: 'progress', ...counts }
  }
  const last = written
  await asActor(database, forWholeAccount(plan.actor), (tx) =>
    writeRecord(tx, account_id, last, recordAfter(last, counts, 'done')),
  )
  yield { type: 'done', ...counts }
}

const recordAfter = (
  record: ProgressRecord,
  { read, created, merged, calls }: ImportCounts,
  state: 'running' | 'done',
) => {
  return { ...record, rows_done: Math.max(read, record.rows_done), created, merged, calls, state, now: new Date() }
}

/** Splits rows into rejections and submissions, and counts them. */
function readRows(plan: ImportPlan, drafts: RowDraft[], counts: ImportCounts) {
  const events: ImportEvent[] = []
  const rows = drafts.flatMap((draft) => {
    const at = counts.read++
    const read = submissionOf(plan, draft)
    if ('submission' in read) return [{ ...read, at, draft }]
    counts.refused++
    events.push({ type: 'refused', line: draft.line, reason: read.problem, cells: draft.cells })
    return []
  })
  return { events, rows }
}

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
    yield stopped('The import failed.', counts)
  } finally {
    given.file.close()
  }
}

const stopped = (reason: string, counts: ImportCounts): ImportEvent => ({
  type: 'stopped',
  message: `${reason} Import the file again to continue.`,
  ...counts,
})
