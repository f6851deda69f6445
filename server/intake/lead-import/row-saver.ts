import { setTimeout as pause } from 'node:timers/promises'
import { msg } from '@lingui/core/runtime-macro'
import type { Saved, Submission } from '../../crm/leads/lead.ts'
import { saveLeads } from '../../crm/leads/save-leads.ts'
import { asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isBusy, isRejectedRow } from '../../platform/database/errors.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { ImportEvent, RowWarning } from './contract.ts'
import type { ImportPlan } from './import-plan.ts'
import { endRecord, type ProgressRecord, writeRecord } from './progress-record.ts'
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

/**
 * After so many batches, PostgreSQL plans its statements again. In a table that was empty, all indexes seemed alike, and the check of a
 * foreign key read a whole one for each row, until the first autovacuum.
 */
const replanned = [10, 100]

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
  /** As it was written last. Rejected rows are counted again, because the file is read from its beginning. */
  let record = { ...found, rejected: 0 }
  let batches = 0

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
        if (replanned.includes(++batches)) await tx`discard plans`
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
        await Promise.all([
          addLeads(tx, actor.account_id, record.id, all),
          writeRecord(tx, actor.account_id, before, { ...after, now: new Date() }),
        ])
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
    const after = { ...record, rows_done: next, rejections: [...rejections, { at, reason }] }
    await asActor(database, forWholeAccount(actor), (tx) =>
      writeRecord(tx, actor.account_id, record, { ...after, now: new Date() }),
    )
    record = after
    return rejectedRow(draft, reason)
  }

  return {
    get record() {
      return record
    },
    save,
    addRejected(rows: number): void {
      record = { ...record, rejected: record.rejected + rows }
    },
    /** Not done, it can be continued. */
    end: (isDone: boolean) =>
      asActor(database, forWholeAccount(actor), (tx) =>
        endRecord(tx, actor.account_id, record, { isDone, now: new Date() }),
      ),
  }
}

/** Keeps which leads the rows of an import created, or were merged into. */
async function addLeads(tx: TransactionSql, accountId: string, importId: string, saved: Saved[]): Promise<void> {
  const created = saved.filter(({ outcome }) => outcome === 'created').map(({ lead }) => lead.id)
  const merged = saved.filter(({ outcome }) => outcome === 'merged').map(({ lead }) => lead.id)
  await tx`insert into lead_import_leads (account_id, import_id, lead_id, created)
    select ${accountId}::uuid, ${importId}::uuid, lead.id, lead.created
    from (select unnest(${created}::uuid[]), true union all select unnest(${merged}::uuid[]), false) as lead (id, created)
    on conflict do nothing returning 1`
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
