import { setImmediate } from 'node:timers/promises'
import type { Database } from '../database/connect.ts'
import { saveLead } from '../leads/save-lead.ts'
import type { ImportCounts, ImportNews, ImportTrial } from './contract.ts'
import { contactsOf, foresee } from './foresee.ts'
import type { CsvRow } from './read-csv.ts'
import { type ImportPlan, type ReadRow, readRow } from './read-row.ts'

const mostShown = 200

/** What an import would do, without doing it. Lets others have their turn meanwhile. */
export async function tryImport(database: Database, plan: ImportPlan, rows: CsvRow[]): Promise<ImportTrial> {
  const refused: ImportTrial['refused_rows'] = []
  const warned: ImportTrial['warned_rows'] = []
  const first: ImportTrial['first_rows'] = []
  const contacts: string[][] = []
  const counts = { rows: rows.length, refused: 0, warned: 0 }
  for (const [index, row] of rows.entries()) {
    if (index % 50 === 49) await setImmediate()
    const read = readRow(plan, row)
    if ('submission' in read) contacts.push(contactsOf(plan, read))
    if (index < 10)
      first.push({
        line: row.line,
        cells: row.cells,
        lead: 'submission' in read ? shown(plan, read.submission.given) : null,
      })
    const { line, cells } = row
    if ('refusal' in read) {
      if (counts.refused++ < mostShown) refused.push({ line, reason: read.refusal, cells })
    } else if (read.warnings.length > 0) {
      if (counts.warned++ < mostShown) warned.push({ line, warnings: read.warnings })
    }
  }
  const foreseen = await foresee(database, plan, contacts)
  return {
    ...{ ...counts, ...foreseen, columns: plan.columns },
    ...{ first_rows: first, refused_rows: refused, warned_rows: warned },
  }
}

function shown({ account }: ImportPlan, { assigned_to, ...given }: { assigned_to?: string }) {
  const email = account.people.find((person) => person.id === assigned_to)?.email
  return { ...given, ...(email ? { assigned_to: email } : {}) }
}

/** One person, one lead: rows go through the door that all leads come by, in their order where they are of one person. */
export async function* importLeads(
  database: Database,
  plan: ImportPlan,
  rows: CsvRow[],
  report: (error: unknown) => void,
): AsyncGenerator<ImportNews> {
  const counts: ImportCounts = { read: 0, created: 0, merged: 0, refused: 0 }
  yield { type: 'started', rows: rows.length, columns: plan.columns }
  try {
    for (const batch of batches(plan, rows)) {
      const news = await Promise.all(batch.map((one) => save(database, plan, one, counts)))
      yield* news.flat()
      const hundreds = Math.floor(counts.read / 100)
      counts.read += batch.length
      if (Math.floor(counts.read / 100) > hundreds) yield { type: 'progress', ...counts }
    }
  } catch (error) {
    report(error)
    yield { type: 'stopped', message: 'It ended early. Import the file again: nobody will be there twice.', ...counts }
    return
  }
  yield { type: 'done', ...counts }
}

async function save(
  database: Database,
  plan: ImportPlan,
  { row, read }: { row: CsvRow; read: ReadRow },
  counts: ImportCounts,
): Promise<ImportNews[]> {
  const { line, cells } = row
  if ('refusal' in read) {
    counts.refused++
    return [{ type: 'refused', line, reason: read.refusal, cells }]
  }
  const { outcome, lead } = await saveLead(database, plan.actor, read.submission)
  counts[outcome]++
  return read.warnings.length > 0 ? [{ type: 'warned', line, lead_id: lead.id, warnings: read.warnings }] : []
}

const mostAtOnce = 8

/** Rows to be saved at once: no two of one person, whose later row must find the earlier one. */
function* batches(plan: ImportPlan, rows: CsvRow[]): Generator<{ row: CsvRow; read: ReadRow }[]> {
  let batch: { row: CsvRow; read: ReadRow }[] = []
  let contacts = new Set<string>()
  for (const row of rows) {
    const read = readRow(plan, row)
    const keys = contactsOf(plan, read)
    if (batch.length === mostAtOnce || keys.some((key) => contacts.has(key))) {
      yield batch
      batch = []
      contacts = new Set()
    }
    batch.push({ row, read })
    for (const key of keys) contacts.add(key)
  }
  if (batch.length > 0) yield batch
}
