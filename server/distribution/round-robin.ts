import type { Actor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { TransactionSql } from '../database/sql.ts'

const keyOf = (accountId: string, ruleId: string) => `${accountId} ${ruleId}`

/**
 * Takes the next round robin position of a rule, counting from 0. It is committed at once, so that no other lead waits for this
 * one. A position that no lead uses is returned, and the next lead takes it. So each share differs from its weight by at most the
 * creates that are running.
 */
export function takePosition(database: Database, actor: Actor, ruleId: string): Promise<number> {
  const { account_id } = actor
  return database.together(`take ${keyOf(account_id, ruleId)}`, null, async (requests: null[]) => {
    const taken = await database.write(
      { ...actor, silent: true },
      (sql) => sql`select turn from unnest(take_turns(${account_id}, ${ruleId}, ${requests.length})) as turn`,
    )
    return taken.map(({ turn }) => Number(turn))
  })
}

/** Returns a position that no lead used. If the database is unavailable, it is lost. */
export async function returnPosition(
  database: Database,
  actor: Actor,
  ruleId: string,
  position: number,
): Promise<void> {
  const { account_id } = actor
  await database
    .together(`return ${keyOf(account_id, ruleId)}`, position, async (positions: number[]) => {
      await database.write(
        { ...actor, silent: true },
        (sql) => sql`select return_turns(${account_id}, ${ruleId}, ${`{${positions}}`}::bigint[])`,
      )
      return positions
    })
    .catch(() => {})
}

/** Returns the position that comes next, without taking it. */
export async function nextPosition(tx: TransactionSql, accountId: string, ruleId: string): Promise<number> {
  const [row] = await tx`select coalesce(returned[1], turns) as next from distribution_turns
    where account_id = ${accountId} and rule_id = ${ruleId}`
  return Number(row?.next ?? 0)
}
