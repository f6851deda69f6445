import { accountActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DistributionRule } from './choose-assignee.ts'

/** Returns an account's rules in order, from the cache if they are there. */
export async function listRules(database: Database, accountId: string): Promise<DistributionRule[]> {
  const actor = accountActor(accountId)
  const rules = await database.cache.get(`rules:${accountId}`, async () => ({
    account_id: accountId,
    value: await readAsActor(database, actor, (tx) => readRules(tx, accountId)),
  }))
  return rules ?? []
}

export function readRules(tx: TransactionSql, accountId: string): Promise<DistributionRule[]> {
  return tx<DistributionRule[]>`
    select id, name, sources, cities, tags, webhook_ids, products, campaigns, forms, answers, people, method, pass_on_after, paused,
      daily_limit
    from distribution_rules
    where account_id = ${accountId} order by position, id`
}
