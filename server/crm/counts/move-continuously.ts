import { presentAccounts } from '../../access/account/suspension.ts'
import { accountActor, asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { repeat } from '../../platform/database/repeat.ts'
import { moveChanges } from './move-changes.ts'
import { allCounts, type CountTables } from './tables.ts'

const every = 1000
/** Lists read the changes of their account with each request. */
const maxWaiting = 50
/** An account with fewer changes waits for every so many rounds. */
const roundsOfFew = 60
const batchSize = 5000

/** Moves changes to counts: each second those of accounts with many, and each minute all. */
export function moveContinuously(database: Database, onError: (error: unknown) => void) {
  let round = 0
  const move = async (signal: AbortSignal) => {
    const atLeast = ++round % roundsOfFew === 0 ? 1 : maxWaiting
    for (const tables of allCounts) await moveEveryAccount(database, tables, { atLeast, signal }).catch(onError)
  }
  return repeat(move, { every, watch: database.watch, onError })
}

/** Moves the changes of all accounts that have at least so many. */
export async function moveEveryAccount(
  database: Database,
  tables: CountTables,
  { atLeast, signal }: { atLeast: number; signal?: AbortSignal },
): Promise<void> {
  const accounts = await database.directory<{ account_id: string }[]>`
    select account_id from ${database.directory(tables.changes)}
    where account_id in ${presentAccounts(database.directory)} group by account_id having count(*) >= ${atLeast}`
  for (const { account_id } of accounts) {
    for (let moved = batchSize; moved === batchSize && !signal?.aborted; ) {
      moved = await asActor(database, { ...accountActor(account_id), silent: true, first: true }, (tx) =>
        moveChanges(tx, account_id, tables, batchSize),
      )
    }
  }
}
