import { setTimeout as pause } from 'node:timers/promises'
import { asActor, forWholeAccount } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isBusy, isRejectedRow } from '../database/errors.ts'
import type { Submission } from '../leads/lead.ts'
import { saveLeads } from '../leads/save-leads.ts'
import type { ImportEvent } from './contract.ts'
import { type ProgressRecord, writeRecord } from './progress-record.ts'
import type { ImportPlan } from './read-row.ts'
import type { RowDraft } from './row-draft.ts'
import { saveCalls } from './save-calls.ts'

/** A row to save. */
export interface AcceptedRow {
  /** The row's position in the file. */
  at: number
  draft: RowDraft
  submission: Submission
  warnings: string[]
}

/** By the database, in one import: the record keeps them. */
const maxRejected = 200

/** The database rejected so many rows that something else than the rows may be wrong. */
export class TooManyRejected extends Error {
  constructor({ message }: Error) {
    super(`The database rejected ${maxRejected} rows of this file: fix the cause first. The last reason: ${message}.`)
  }
}

/** Saves the rows of an import like all leads, each batch in one transaction with the record of the import. */
export class RowSaver {
  /** As it was written last. */
  record: ProgressRecord
  readonly #database: Database
  readonly #plan: ImportPlan
  readonly #closing: AbortSignal

  constructor(database: Database, plan: ImportPlan, record: ProgressRecord, closing: AbortSignal) {
    this.#database = database
    this.#plan = plan
    this.record = record
    this.#closing = closing
  }

  /**
   * Saves a batch, after which the import continues at the row `next`. If the database rejects a row, it is found by saving
   * the halves by themselves, and the others are saved. Any other error is thrown.
   */
  async save(rows: AcceptedRow[], next: number): Promise<ImportEvent[]> {
    const [first] = rows
    if (!first) return []
    try {
      return await this.#saveTogether(rows, next)
    } catch (error) {
      if (!isRejectedRow(error)) throw error
      if (rows.length === 1) return [await this.#reject(first, next, error as Error)]
    }
    const half = rows.length >> 1
    const before = await this.save(rows.slice(0, half), rows[half]!.at)
    return [...before, ...(await this.save(rows.slice(half), next))]
  }

  end(): Promise<void> {
    return this.#write(this.record, 'done')
  }

  async #saveTogether(rows: AcceptedRow[], next: number): Promise<ImportEvent[]> {
    const { actor } = this.#plan
    const before = this.record
    let after = before
    const submissions = rows.map(({ submission }) => submission)
    const save = () =>
      saveLeads(this.#database, actor, submissions, async (tx, all) => {
        const merged = all.filter(({ outcome }) => outcome === 'merged').length
        const calls = rows.flatMap(({ draft: { call } }, index) => (call ? [{ call, saved: all[index]! }] : []))
        after = {
          ...before,
          rows_done: next,
          created: before.created + all.length - merged,
          merged: before.merged + merged,
          calls: before.calls + (await saveCalls(tx, this.#plan, calls)),
        }
        await writeRecord(tx, actor.account_id, before, { ...after, state: 'running', now: new Date() })
      })
    const saved = await whenFree(this.#closing, save)
    this.record = after
    return rows.flatMap(({ draft: { line }, warnings }, index) =>
      warnings.length > 0 ? [{ type: 'warned', line, lead_id: saved[index]!.lead.id, warnings }] : [],
    )
  }

  async #reject({ at, draft }: AcceptedRow, next: number, error: Error): Promise<ImportEvent> {
    const { rejections } = this.record
    if (rejections.length >= maxRejected) throw new TooManyRejected(error)
    const reason = `The database rejected the row: ${error.message.slice(0, 300).toWellFormed()}.`
    await this.#write({ ...this.record, rows_done: next, rejections: [...rejections, { at, reason }] }, 'running')
    return rejectedRow(draft, reason)
  }

  async #write(after: ProgressRecord, state: 'running' | 'done'): Promise<void> {
    const { actor } = this.#plan
    await asActor(this.#database, forWholeAccount(actor), (tx) =>
      writeRecord(tx, actor.account_id, this.record, { ...after, state, now: new Date() }),
    )
    this.record = after
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
