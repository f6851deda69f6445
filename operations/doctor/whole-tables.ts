import { isDistributed } from '../../server/platform/database/cluster/placement.ts'
import { isCanceled } from '../../server/platform/database/errors.ts'
import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { type Check, type Finding, fine, named } from './check.ts'
import type { Installation } from './installation.ts'

/** In seconds: how long a check may read whole tables, and one statement of it. */
const maxReadSeconds = 60
const maxStatementSeconds = 30

interface WholeTables extends Pick<Check, 'name'> {
  run(sql: Sql): Promise<Finding>
  /** For a run that repairs. */
  seconds?: number
}

/** A check that reads all rows of all tables, each on this machine. */
export const wholeTables = (
  { sql, owner, isSchemaCurrent }: Installation,
  { name, run, seconds = maxReadSeconds + maxStatementSeconds }: WholeTables,
): Check => ({
  name,
  seconds,
  async run() {
    isSchemaCurrent.get()
    if (!owner.orNull()) return fine('Not checked: only the owner of the tables reads all rows.', 'Set DATABASE_URL.')
    if (await isDistributed(sql.get())) return fine('Not checked: the tables are on the machines of a cluster.')
    return run(sql.get())
  },
})

/** What was found, and the names of what was not read for lack of time. */
export interface Read<T> {
  found: T[]
  unread: string[]
}

/** Reads each thing with a statement of its own, until the time is over. `read` returns null if nothing is wrong with it. */
export async function readEach<K extends { name: string }, T>(
  sql: Sql,
  things: K[],
  read: (tx: TransactionSql, thing: K) => Promise<T | null>,
): Promise<Read<T>> {
  const end = performance.now() + maxReadSeconds * 1000
  const result: Read<T> = { found: [], unread: [] }
  for (const thing of things) {
    const left = Math.min(maxStatementSeconds * 1000, Math.round(end - performance.now()))
    const found = left > 0 ? await readOne(sql, left, (tx) => read(tx, thing)) : undefined
    if (found === undefined) result.unread.push(thing.name)
    else if (found !== null) result.found.push(found)
  }
  return result
}

/** Returns undefined if it took too long. */
async function readOne<T>(sql: Sql, ms: number, read: (tx: TransactionSql) => Promise<T>): Promise<T | undefined> {
  try {
    return await sql.begin('read only', async (tx) => {
      // Tables are joined in memory as far as possible.
      await tx`select set_config('statement_timeout', ${String(ms)}, true), set_config('work_mem', '64MB', true)`
      return read(tx)
    })
  } catch (error) {
    if (isCanceled(error)) return undefined
    throw error
  }
}

export const notRead = (unread: string[]) =>
  unread.length > 0 ? ` Not read, for lack of time: ${named(unread, { separator: ', ' })}.` : ''
