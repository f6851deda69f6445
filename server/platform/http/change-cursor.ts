import { msg } from '@lingui/core/runtime-macro'
import { instantFormat, instantText, readInstant, wholeSecond } from './instants.ts'

/** The place of a row in the order of changes. */
export interface ChangePosition {
  at: Date
  id: string
}

/** Where a page of a list of changes begins. */
export interface ChangeCursor {
  /** Rows that changed at this time or later. */
  at: Date
  /** Excludes rows that changed at this time up to this id. */
  after: string | null
  /** Where the next reading begins, after the last page of this one. Null on the first page. */
  restart: Date | null
}

/**
 * A change is visible when its transaction is committed, a little after its time: at most `maxTransactionMs` of the database, and the
 * clocks of processes differ. So the next reading begins so long before the first page of this one was read, in milliseconds.
 */
const overlap = 5 * 60_000

const parts = /^([^_]+)(?:_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})_([^_]+))?$/

export const cursorFormat = {
  name: 'change-cursor',
  message: (field: string) => msg`${{ field }} must be next_cursor of an answer.`,
  isValid(text: string): boolean {
    const [, at, , restart] = parts.exec(text) ?? []
    return at !== undefined && [at, restart ?? at].every(instantFormat.isValid)
  },
}

/** Returns where a list of changes begins, or null if the query asks for another list. */
export function readCursor({
  cursor,
  updated_since,
}: {
  cursor?: string
  updated_since?: string
}): ChangeCursor | null {
  const [, at, after = null, restart] = parts.exec(cursor ?? updated_since ?? '') ?? []
  if (at === undefined) return null
  return { at: wholeSecond(readInstant(at)), after, restart: restart === undefined ? null : readInstant(restart) }
}

/** Returns where the next page begins: after `last`, the last row of a page that others follow. `now`: before the page was read. */
export function nextCursor({ restart }: ChangeCursor, last: ChangePosition | null, now: Date): string {
  const next = instantText(restart ?? new Date(now.getTime() - overlap))
  return last ? `${instantText(last.at)}_${last.id}_${next}` : next
}
