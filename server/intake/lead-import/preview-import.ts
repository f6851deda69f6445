import { listSources } from '../../crm/leads/filter-choices.ts'
import { forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { folded } from '../../platform/text/contract.ts'
import type { ImportPreview } from './contract.ts'
import type { ImportPlan } from './import-plan.ts'
import type { LeadFile } from './lead-file.ts'
import { outcomeCounter } from './outcome-counter.ts'
import { findRecord, recordKey, rejectionReasons } from './progress-record.ts'
import { readRow } from './read-row.ts'
import type { RowDraft } from './row-draft.ts'
import { sharedContacts } from './shared-contacts.ts'
import { unknownValueCounter } from './unknown-values.ts'
import { warningGroups } from './warning-groups.ts'

const maxShown = 200
const countedAtOnce = 2000
/** The characters shown of the cells of a row. */
const shownCharacters = 2000

/** A dry run: returns what an import would do, or what the rest of an interrupted import would do. */
export async function previewImport(database: Database, plan: ImportPlan, file: LeadFile): Promise<ImportPreview> {
  const { account_id } = plan.actor
  const record = await readAsActor(database, forWholeAccount(plan.actor), (tx) =>
    findRecord(tx, account_id, recordKey(plan, file)),
  )
  const reasons = rejectionReasons(record)
  const rejected: ImportPreview['rejected_rows'] = []
  const warnings = warningGroups()
  const unknown = unknownValueCounter()
  const known = await listSources(database, plan.actor)
  const sources = new Set([...known, plan.source].map(folded))
  const first: ImportPreview['first_rows'] = []
  const outcomes = outcomeCounter(database, plan)
  const shared = sharedContacts()
  let accepted: Pick<RowDraft, 'contacts' | 'call'>[] = []
  let at = -1
  const counts = { rows: file.rows, imported: 0, rejected: 0, warned: 0 }
  for await (const drafts of file.read(plan)) {
    for (const draft of drafts) {
      at++
      const { line, cells } = draft
      const read = readRow(plan, draft)
      const lead = 'submission' in read ? shown(plan, read.submission.given) : null
      if (first.length < 10) first.push({ line, cells: cellsShown(cells), lead })
      const problem = 'problem' in read ? read.problem : reasons.get(at)
      if (problem !== undefined) {
        if (counts.rejected++ < maxShown) rejected.push({ line, reason: problem, cells: cellsShown(cells) })
        continue
      }
      shared.add(draft)
      if (record && at < record.rows_done) {
        counts.imported++
        continue
      }
      accepted.push({ contacts: draft.contacts, call: draft.call })
      if (read.warnings.length > 0) counts.warned++
      warnings.add(line, read.warnings)
      for (const { field, value } of 'unknown' in read ? read.unknown : []) unknown.add(field, value)
      const { source } = draft.lead
      // Without any, a source is none of them.
      if (source !== undefined && known.length > 0 && !sources.has(folded(source))) unknown.add('source', source)
    }
    if (accepted.length >= countedAtOnce) {
      await outcomes.add(accepted)
      accepted = []
    }
  }
  await outcomes.add(accepted)
  const lists = { first_rows: first, rejected_rows: rejected, shared_contacts: shared.list() }
  const rows = { ...lists, warnings: warnings.result(), ...unknown.result() }
  const { isUsual: _, ...layout } = file.layout
  return { ...counts, ...outcomes.counts, columns: plan.columns, ...layout, ...rows }
}

function cellsShown(cells: string[]): string[] {
  let left = shownCharacters
  return cells.map((cell) => {
    const text = cell.slice(0, left).toWellFormed()
    left -= text.length
    return text
  })
}

function shown({ account }: ImportPlan, { assigned_to, ...given }: { assigned_to?: string }) {
  const email = account.users.find((user) => user.id === assigned_to)?.email
  return { ...given, ...(email ? { assigned_to: email } : {}) }
}
