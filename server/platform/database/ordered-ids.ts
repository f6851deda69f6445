import type { Statement, TransactionSql } from './sql.ts'

/** What is read in an order in which rows can change their place. A million rows are also what a sheet of Excel holds. */
export const maxOrdered = 1_000_000
const idLength = 16

/**
 * Reads the ids that a query gives in its order, as bytes: a list of texts would take six times as much memory. Null: there are more than
 * `maxOrdered`.
 */
export async function readIds(tx: TransactionSql, ordered: Statement): Promise<Buffer | null> {
  const [found] = await tx<{ ids: Buffer | null }[]>`
    select string_agg(uuid_send(id), ''::bytea) as ids from (${ordered} limit ${maxOrdered + 1}) ordered`
  const ids = found?.ids ?? Buffer.alloc(0)
  return ids.length > maxOrdered * idLength ? null : ids
}

/** Returns the ids in batches, as uuids in hexadecimal digits. */
export function* batchesOf(ids: Buffer, size: number): Generator<string[]> {
  const bytes = size * idLength
  for (let at = 0; at < ids.length; at += bytes)
    yield ids
      .subarray(at, at + bytes)
      .toString('hex')
      .match(/.{32}/g)!
}
