import { setTimeout as pause } from 'node:timers/promises'
import { msg } from '@lingui/core/runtime-macro'
import type { Submission } from '../../crm/leads/lead.ts'
import { saveLeads } from '../../crm/leads/save-leads.ts'
import { asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isBusy, isRejectedRow } from '../../platform/database/errors.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { ImportEvent, RowWarning } from './contract.ts'
import type { ImportPlan } from './import-plan.ts'
import { type ProgressRecord, writeRecord } from './progress-record.ts'
import type { RowDraft } from './row-draft.ts'
import { saveCalls } from './save-calls.ts'
import { type FollowUp, saveFollowUps } from './save-follow-ups.ts'

/** A row to save. */
export interface AcceptedRow {
  /** The row's position in the file. */
  at: number
  draft: RowDraft
  submission: Submission
  followUp: FollowUp | null
  warnings: RowWarning[]
}

/** By the database, in one import: the record keeps them. */
export const maxRejected = 200

/** The database rejected so many rows that something else than the rows may be wrong. */
export class TooManyRejected extends Error {
  readonly text: Text

  constructor({ message }: Error) {
    const text = msg`The database rejected ${{ count: maxRejected }} rows of this file: fix the cause first. The last reason: ${{ message }}.`
    super(translate(text))
    this.text = text
  }
}

/** Saves the rows of an import like all leads, each batch in one transaction with the record of the import. */
export function openRowSaver(database: Database, plan: ImportPlan, found: ProgressRecord, closing: AbortSignal) {
  const { actor } = plan
  /** As it was written last. */
  let record = found

  /**
   * Saves a batch, after which the import continues at the row `next`. If the database rejects a row, it is found by saving
   * the halves by themselves, and the others are saved. Any other error is thrown.
   */
  async function save(rows: AcceptedRow[], next: number): Promise<ImportEvent[]> {
    const [first] = rows
    if (!first) return []
    try {
      return await saveTogether(rows, next)
    } catch (error) {
      if (!isRejectedRow(error)) throw error
      if (rows.length === 1) return [await reject(first, next, error as Error)]
    }
    const half = rows.length >> 1
    const before = await save(rows.slice(0, half), rows[half]!.at)
    return [...before, ...(await save(rows.slice(half), next))]
  }

  async function saveTogether(rows: AcceptedRow[], next: number): Promise<ImportEvent[]> {
    const before = record
    let after = before
    const submissions = rows.map(({ submission }) => submission)
    const saved = await whenFree(closing, () =>
      saveLeads(database, actor, submissions, async (tx, all) => {
        const merged = all.filter(({ outcome }) => outcome === 'merged').length
        const calls = rows.flatMap(({ draft: { call } }, index) => (call ? [{ call, saved: all[index]! }] : []))
        after = {
          ...before,
          rows_done: next,
          created: before.created + all.length - merged,
          merged: before.merged + merged,
          calls: before.calls + (await saveCalls(tx, plan, calls)),
        }
        const followUps = rows.flatMap(({ followUp }, index) =>
          followUp && !all[index]!.hidden ? [{ ...followUp, lead_id: all[index]!.lead.id }] : [],
        )
        await saveFollowUps(tx, actor.account_id, followUps)
        await writeRecord(tx, actor.account_id, before, { ...after, state: 'running', now: new Date() })
      }),
    )
    record = after
    return rows.flatMap(({ draft: { line, cells }, warnings }, index) =>
      warnings.length > 0 ? [{ type: 'warned', line, lead_id: saved[index]!.lead.id, warnings, cells }] : [],
    )
  }

  async function reject({ at, draft }: AcceptedRow, next: number, error: Error): Promise<ImportEvent> {
    const { rejections } = record
    if (rejections.length >= maxRejected) throw new TooManyRejected(error)
    const reason = `The database rejected the row: ${error.message.slice(0, 300).toWellFormed()}.`
    await write({ ...record, rows_done: next, rejections: [...rejections, { at, reason }] }, 'running')
    return rejectedRow(draft, reason)
  }

  async function write(after: ProgressRecord, state: 'running' | 'done'): Promise<void> {
    await asActor(database, forWholeAccount(actor), (tx) =>
      writeRecord(tx, actor.account_id, record, { ...after, state, now: new Date() }),
    )
    record = after
  }

  return {
    get record() {
      return record
    },
    save,
    end: () => write(record, 'done'),
  }
}

export const rejectedRow = ({ line, cells }: RowDraft, reason: string): ImportEvent => ({
  type: 'rejected',
  line,
  reason,
  cells,
})

const maxAttempts = 30

/** Tries again while other transactions hold a lock: an import has time. */
async function whenFree<T>(closing: AbortSignal, save: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await save()
    } catch (error) {
      if (!isBusy(error) || attempt === maxAttempts || closing.aborted) throw error
      await pause(1000)
    }
  }
}
