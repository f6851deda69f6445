import type { Database } from '../database/connect.ts'
import { saveLead } from '../leads/save-lead.ts'
import type { ImportCounts, ImportEvent, ImportPreview } from './contract.ts'
import type { LeadFile } from './lead-file.ts'
import { OutcomeCounter } from './outcome-counter.ts'
import { type ImportPlan, submissionOf } from './read-row.ts'
import type { RowDraft } from './row-draft.ts'

const mostShown = 200
const countedAtOnce = 2000

/** A dry run: returns what an import would do. */
export async function previewImport(database: Database, plan: ImportPlan, file: LeadFile): Promise<ImportPreview> {
  const rejected: ImportPreview['refused_rows'] = []
  const warned: ImportPreview['warned_rows'] = []
  const first: ImportPreview['first_rows'] = []
  const outcomes = new OutcomeCounter(database, plan)
  let contacts: string[][] = []
  const counts = { rows: file.rows, refused: 0, warned: 0 }
  for await (const drafts of file.read(plan.columns, plan.account.country)) {
    for (const draft of drafts) {
      const { line, cells } = draft
      const read = submissionOf(plan, draft)
      const lead = 'submission' in read ? shown(plan, read.submission.given) : null
      if (first.length < 10) first.push({ line, cells, lead })
      if ('problem' in read) {
        if (counts.refused++ < mostShown) rejected.push({ line, reason: read.problem, cells })
        continue
      }
      contacts.push(draft.contacts)
      if (read.warnings.length > 0 && counts.warned++ < mostShown) warned.push({ line, warnings: read.warnings })
    }
    if (contacts.length >= countedAtOnce) {
      await outcomes.add(contacts)
      contacts = []
    }
  }
  await outcomes.add(contacts)
  const { created, merged } = outcomes
  const rows = { first_rows: first, refused_rows: rejected, warned_rows: warned }
  return { ...counts, created, merged, columns: plan.columns, ...rows }
}

function shown({ account }: ImportPlan, { assigned_to, ...given }: { assigned_to?: string }) {
  const email = account.users.find((user) => user.id === assigned_to)?.email
  return { ...given, ...(email ? { assigned_to: email } : {}) }
}

/** Saves the rows like all leads. Rows of one person are saved in order. Closes the file. */
export async function* importLeads(
  database: Database,
  plan: ImportPlan,
  file: LeadFile,
  closing: AbortSignal,
  report: (error: unknown) => void,
): AsyncGenerator<ImportEvent> {
  const counts: ImportCounts = { read: 0, created: 0, merged: 0, refused: 0 }
  try {
    yield { type: 'started', rows: file.rows, columns: plan.columns }
    for await (const batch of batches(plan, file)) {
      if (closing.aborted) return yield stopped('The service is restarting.', counts)
      const news = await Promise.all(batch.map((one) => save(database, plan, one, counts)))
      yield* news.flat()
      const hundreds = Math.floor(counts.read / 100)
      counts.read += batch.length
      if (Math.floor(counts.read / 100) > hundreds) yield { type: 'progress', ...counts }
    }
    yield { type: 'done', ...counts }
  } catch (error) {
    report(error)
    yield stopped('The import failed.', counts)
  } finally {
    file.close()
  }
}

const stopped = (reason: string, counts: ImportCounts): ImportEvent => ({
  type: 'stopped',
  message: `${reason} Import the file again: existing leads are merged.`,
  ...counts,
})

async function save(
  database: Database,
  plan: ImportPlan,
  draft: RowDraft,
  counts: ImportCounts,
): Promise<ImportEvent[]> {
  const { line, cells } = draft
  const read = submissionOf(plan, draft)
  if ('problem' in read) {
    counts.refused++
    return [{ type: 'refused', line, reason: read.problem, cells }]
  }
  const { outcome, lead } = await saveLead(database, plan.actor, read.submission)
  counts[outcome]++
  return read.warnings.length > 0 ? [{ type: 'warned', line, lead_id: lead.id, warnings: read.warnings }] : []
}

const mostAtOnce = 8

/** Batches of rows to save at once. A batch has only one row of a person, because a later row must find the earlier one. */
async function* batches({ columns, account }: ImportPlan, file: LeadFile): AsyncGenerator<RowDraft[]> {
  let batch: RowDraft[] = []
  let contacts = new Set<string>()
  for await (const drafts of file.read(columns, account.country)) {
    for (const draft of drafts) {
      if (batch.length === mostAtOnce || draft.contacts.some((key) => contacts.has(key))) {
        yield batch
        batch = []
        contacts = new Set()
      }
      batch.push(draft)
      for (const key of draft.contacts) contacts.add(key)
    }
  }
  if (batch.length > 0) yield batch
}
