import type { TransactionSql } from '../../platform/database/sql.ts'
import { type CountTables, groupingSets } from './tables.ts'

const lockOfCounts = 7106154

/** Lets one caller at a time write an account's counts. Returns false if another does. */
async function lockCounts(tx: TransactionSql, accountId: string): Promise<boolean> {
  const [lock] = await tx`select pg_try_advisory_xact_lock(hashtextextended(${accountId}, ${lockOfCounts})) as mine`
  return lock!.mine
}

/** Does the same, and waits for the other. */
export async function waitForCounts(tx: TransactionSql, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${accountId}, ${lockOfCounts}))`
}

/** Moves at most `limit` changes to the counts, unless another caller does. Returns how many. Readers see each in one of both tables. */
export async function moveChanges(
  tx: TransactionSql,
  accountId: string,
  tables: CountTables,
  limit: number,
): Promise<number> {
  if (!(await lockCounts(tx, accountId))) return 0
  const [counts, changes] = [tables.counts, tables.changes].map((name) => tx(name))
  const columns = tx.unsafe(tables.columns.join(', '))
  const [moved] = await tx`
    with moved as (
      delete from ${changes!} where account_id = ${accountId}
        and id = any (array(select id from ${changes!} where account_id = ${accountId} order by id limit ${limit}))
      returning ${columns}, day, n
    ), summed as (
      insert into ${counts!} (account_id, ${columns}, day, n)
      select ${accountId}, ${columns}, day, sum(n) from moved group by ${tx.unsafe(groupingSets(tables))} having sum(n) <> 0
      on conflict (account_id, ${columns}, day) do update set n = ${counts!}.n + excluded.n returning 1
    )
    select count(*)::int as n from moved`
  return moved!.n
}

/** Deletes counts of zero, unless another caller writes counts. Returns how many. */
export async function deleteZeros(tx: TransactionSql, accountId: string, { counts }: CountTables): Promise<number> {
  if (!(await lockCounts(tx, accountId))) return 0
  return (await tx`delete from ${tx(counts)} where account_id = ${accountId} and n = 0`).count
}
