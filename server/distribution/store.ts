import type { TransactionSql } from 'postgres'
import { asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { DistributionRule } from './choose-assignee.ts'

/** An account's rules in their order, from memory where they are there. */
export async function rulesOf(database: Database, accountId: string): Promise<DistributionRule[]> {
  const actor = { account_id: accountId, user_id: null, sees: 'all', via: 'command', via_id: null } as const
  const rules = await database.memory.recall(`rules:${accountId}`, async () => ({
    account_id: accountId,
    value: await asActor(database, actor, (tx) => readRules(tx, accountId)),
  }))
  return rules ?? []
}

export function readRules(tx: TransactionSql, accountId: string): Promise<DistributionRule[]> {
  return tx<DistributionRule[]>`
    select id, name, sources, cities, tags, webhook_ids, people from distribution_rules
    where account_id = ${accountId} order by position, id`.then((rows) => [...rows])
}

/**
 * The next turn of a rule, from 0. The row stays locked until the transaction ends, so that each new lead gets a turn
 * of its own, and a lead that comes to nothing gives its turn back.
 */
export async function takeTurn(tx: TransactionSql, accountId: string, ruleId: string): Promise<number> {
  const [row] = await tx`
    insert into distribution_turns (account_id, rule_id, turns) values (${accountId}, ${ruleId}, 1)
    on conflict (account_id, rule_id) do update set turns = distribution_turns.turns + excluded.turns
    returning turns`
  return Number(row!.turns) - 1
}
