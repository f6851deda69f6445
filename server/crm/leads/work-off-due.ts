import { openAccounts } from '../../access/account/suspension.ts'
import { accountActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'

/** Leads of an account that are read at once. Each has a transaction of its own. */
const batchSize = 50

interface Work {
  /** Has a row for each lead, with `due_at`. */
  table: 'lead_offers' | 'pass_ons'
  clock: () => Date
  signal: AbortSignal | undefined
  /** Returns the ids of leads that are due. */
  due(tx: TransactionSql, accountId: string, now: Date, limit: number): Promise<string[]>
  /** Returns false if another process has the lead. */
  step(accountId: string, leadId: string, now: Date): Promise<boolean>
}

/** Takes the next step of each lead that is due. One that fails does not stop the others. */
export async function workOffDue(database: Database, { table, clock, signal, due, step }: Work): Promise<void> {
  const { directory } = database
  const accounts = await directory<{ account_id: string }[]>`
    select account_id from ${directory(table)} where due_at <= ${clock()} and account_id in ${openAccounts(directory)} group by account_id`
  let failure: unknown = null
  for (const { account_id } of accounts) {
    // Those that fail, or that another process has now. They stay due, and come first again.
    const left = new Set<string>()
    for (let hasMore = true; hasMore && !signal?.aborted; ) {
      const limit = batchSize + left.size
      const ids = await readAsActor(database, accountActor(account_id), (tx) => due(tx, account_id, clock(), limit))
      for (const id of ids) {
        if (left.has(id)) continue
        if (signal?.aborted) break
        const isDone = await step(account_id, id, clock()).catch((error) => {
          failure ??= error
          return false
        })
        if (!isDone) left.add(id)
      }
      hasMore = ids.length === limit
    }
  }
  if (failure) throw failure
}
