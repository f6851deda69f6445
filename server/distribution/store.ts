import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record.ts'
import { type Actor, asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { tellDirectoryChanged } from '../database/watch.ts'
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
    where account_id = ${accountId} order by position, id`
}

/**
 * The next turn of a rule, from 0. The row stays locked until the transaction ends, so that each new lead gets a turn
 * of its own, and a lead that comes to nothing gives its turn back. A rule that was removed just now has only first
 * turns.
 */
export async function takeTurn(tx: TransactionSql, accountId: string, ruleId: string): Promise<number> {
  const [row] = await tx`
    insert into distribution_turns (account_id, rule_id, turns)
    select account_id, id, 1 from distribution_rules where account_id = ${accountId} and id = ${ruleId} for key share
    on conflict (account_id, rule_id) do update set turns = distribution_turns.turns + excluded.turns
    returning turns`
  return Number(row?.turns ?? 1) - 1
}

export async function addRule(
  tx: TransactionSql,
  actor: Actor,
  rule: Omit<DistributionRule, 'id'>,
  position: number | null,
): Promise<string> {
  const id = randomUUID()
  await tx`insert into distribution_rules (account_id, id, position, name, sources, cities, tags, webhook_ids, people, created_at)
    values (${actor.account_id}, ${id}, 0, ${rule.name}, ${rule.sources}, ${rule.cities}, ${rule.tags},
      ${rule.webhook_ids}, ${tx.json(rule.people)}, ${new Date()})`
  await place(tx, actor.account_id, id, position)
  await changed(tx, actor, 'distribution_rule.created', id, { name: rule.name })
  return id
}

/** Positions count from 1. Each of these answers whether there is such a rule in the actor's account. */
export async function moveRule(tx: TransactionSql, actor: Actor, id: string, position: number): Promise<boolean> {
  if (!(await place(tx, actor.account_id, id, position))) return false
  await changed(tx, actor, 'distribution_rule.moved', id, { position })
  return true
}

export async function removeRule(tx: TransactionSql, actor: Actor, id: string): Promise<boolean> {
  const removed = await tx`delete from distribution_rules where account_id = ${actor.account_id} and id = ${id}`
  if (removed.count === 0) return false
  await changed(tx, actor, 'distribution_rule.removed', id)
  return true
}

/** Puts the rule at its position, the last where that is null, and numbers all rules anew. */
async function place(tx: TransactionSql, accountId: string, id: string, position: number | null): Promise<boolean> {
  const others =
    await tx`select id from distribution_rules where account_id = ${accountId} order by position, id for update`
  const ids = others.map((rule) => rule.id as string)
  if (!ids.includes(id)) return false
  const order = ids.filter((other) => other !== id)
  order.splice(position === null ? order.length : position - 1, 0, id)
  for (const [index, each] of order.entries()) {
    await tx`update distribution_rules set position = ${index + 1} where account_id = ${accountId} and id = ${each}`
  }
  return true
}

async function changed(tx: TransactionSql, actor: Actor, action: string, id: string, details = {}): Promise<void> {
  await recordAudit(tx, actor, action, id, details)
  await tellDirectoryChanged(tx, actor.account_id)
}
