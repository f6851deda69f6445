import { accountActor, readAsActor } from './actor.ts'
import type { Database } from './connect.ts'
import type { TransactionSql } from './sql.ts'

/** Leads of an account that are read at once. Each has a transaction of its own. */
const batchSize = 50

interface Work {
  /** Returns the ids of leads that are due. */
  due(tx: TransactionSql, accountId: string, limit: number): Promise<string[]>
  /** Returns false if another process has the lead. */
  step(accountId: string, leadId: string): Promise<boolean>
  signal?: AbortSignal | undefined
}

/** Takes the next step of each lead that is due. One that fails does not stop the others. */
export async function workOffDue(
  database: Database,
  accounts: { account_id: string }[],
  { due, step, signal }: Work,
): Promise<void> {
  const failed: unknown[] = []
  for (const { account_id } of accounts) {
    for (let isFull = true; isFull && !signal?.aborted; ) {
      const ids = await readAsActor(database, accountActor(account_id), (tx) => due(tx, account_id, batchSize))
      let done = 0
      for (const id of ids) {
        if (signal?.aborted) break
        const isDone = await step(account_id, id).catch((error) => {
          failed.push(error)
          return false
        })
        if (isDone) done++
      }
      // What another process has now is left to it.
      isFull = ids.length === batchSize && done > 0
    }
  }
  if (failed.length > 0) throw failed[0]
}
