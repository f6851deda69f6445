import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { hasRoom } from '../../access/account/limit-number.ts'
import { type AuditEntry, recordAudit } from '../../access/audit/record.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { invalid } from '../../platform/http/problem.ts'
import { type DistributionRule, type EnquiryValues, noEnquiryValues } from './choose-assignee.ts'
import type { RuleSettings } from './contract.ts'

/** Returns those of the ids that are webhooks of the account. */
export function webhooksIn(tx: TransactionSql, accountId: string, ids: string[]) {
  return tx<{ id: string; name: string; default_assignee: string | null }[]>`
    select id, name, default_assignee from webhooks where account_id = ${accountId} and id = any (${ids}::uuid[])`
}

export interface RecentAssignment {
  lead_id: string
  lead_name: string
  at: Date
  rule_id: string
  rule_name: string | null
  assigned_to: string | null
  summary: string
}

/** Returns the newest assignments by rules, read from the leads' timelines. */
export function recentAssignments(tx: TransactionSql, accountId: string, limit: number): Promise<RecentAssignment[]> {
  return tx<RecentAssignment[]>`
    select lead_id, leads.name as lead_name, at, rule_id, rules.name as rule_name, users.email as assigned_to, summary
    from (
      select lead_id, at, summary, (details ->> 'rule_id')::uuid as rule_id, id from timeline_entries
      where account_id = ${accountId} and details ? 'rule_id' order by at desc, id desc limit ${limit}
    ) entries join leads on leads.account_id = ${accountId} and leads.id = lead_id
      left join distribution_rules rules on rules.account_id = ${accountId} and rules.id = rule_id
      left join users on users.account_id = ${accountId} and users.id = leads.assigned_to
    order by at desc, entries.id desc`
}

/** What rules compare of the first enquiry of a lead, for a statement that selects leads; null if it has none. `lead`: its id. */
export const enquiryValues = (tx: TransactionSql, accountId: string, lead: Statement) => tx`(
  select json_build_object('product', product, 'campaign', campaign, 'form', form, 'answers', answers)
  from enquiries where enquiries.account_id = ${accountId} and enquiries.lead_id = ${lead} order by enquiries.id limit 1
)`

export async function readEnquiryValues(tx: TransactionSql, accountId: string, leadId: string): Promise<EnquiryValues> {
  const [row] = await tx<{ enquiry: EnquiryValues | null }[]>`
    select ${enquiryValues(tx, accountId, tx`${leadId}`)} as enquiry`
  return row!.enquiry ?? noEnquiryValues
}

/** An account may have so many. */
export const maxRules = 100
/** The characters of a rule's conditions and users. All rules of an account are in memory. */
export const maxRuleLength = 50_000
const lengthOf = (tx: TransactionSql) =>
  tx`length(concat(sources::text, cities::text, tags::text, products::text, campaigns::text, forms::text, answers::text, people::text))`

type Optional = 'products' | 'campaigns' | 'forms' | 'answers' | 'method' | 'pass_on_after' | 'paused' | 'daily_limit'
type NewRule = Omit<DistributionRule, 'id' | Optional> & Partial<Pick<DistributionRule, Optional>>

export async function addRule(
  tx: TransactionSql,
  actor: Actor,
  rule: NewRule,
  position: number | null,
): Promise<string> {
  const held = tx`select from distribution_rules where account_id = ${actor.account_id}`
  if (!(await hasRoom(tx, actor.account_id, held, maxRules)))
    throw invalid(msg`The account has ${{ maxRules }} rules. Delete one first.`, 'name')
  const id = randomUUID()
  const [added] = await tx<
    { length: number }[]
  >`insert into distribution_rules (account_id, id, position, name, sources, cities, tags, webhook_ids, products, campaigns, forms, answers,
      people, method, pass_on_after, paused, daily_limit, created_at)
    values (${actor.account_id}, ${id}, 0, ${rule.name}, ${rule.sources}, ${rule.cities}, ${rule.tags},
      ${rule.webhook_ids}, ${rule.products ?? []}, ${rule.campaigns ?? []}, ${rule.forms ?? []}, ${tx.json((rule.answers ?? []) as never)},
      ${tx.json(rule.people)}, ${rule.method ?? 'round_robin'}, ${rule.pass_on_after ?? null}, ${rule.paused ?? false},
      ${rule.daily_limit ?? null}, ${new Date()}) returning ${lengthOf(tx)} as length`
  checkLength(added!.length)
  await place(tx, actor.account_id, id, position)
  await changed(tx, actor, { action: 'distribution_rule.created', subject_id: id, details: { name: rule.name } })
  return id
}

function checkLength(length: number): void {
  if (length > maxRuleLength)
    throw invalid(
      msg`The conditions and users of a rule have at most ${{ maxRuleLength }} characters. Divide them among several rules.`,
    )
}

export async function lockRule(tx: TransactionSql, accountId: string, id: string): Promise<void> {
  await tx`select 1 from distribution_rules where account_id = ${accountId} and id = ${id} for no key update`
}

/** Moves a rule; positions count from 1. Returns false if the account has no such rule, as the functions below do. */
export async function moveRule(tx: TransactionSql, actor: Actor, id: string, position: number): Promise<boolean> {
  if (!(await place(tx, actor.account_id, id, position))) return false
  await changed(tx, actor, { action: 'distribution_rule.moved', subject_id: id, details: { position } })
  return true
}

export async function changeRule(tx: TransactionSql, actor: Actor, id: string, change: RuleSettings): Promise<boolean> {
  const {
    name = null,
    sources = null,
    cities = null,
    tags = null,
    webhook_ids = null,
    products = null,
    campaigns = null,
    forms = null,
    paused = null,
    method = null,
  } = change
  const { answers, people, pass_on_after, daily_limit } = change
  const [updated] = await tx<{ length: number }[]>`update distribution_rules set name = coalesce(${name}, name),
      sources = coalesce(${sources}::text[], sources), cities = coalesce(${cities}::text[], cities),
      tags = coalesce(${tags}::text[], tags), webhook_ids = coalesce(${webhook_ids}::uuid[], webhook_ids),
      products = coalesce(${products}::text[], products), campaigns = coalesce(${campaigns}::text[], campaigns),
      forms = coalesce(${forms}::text[], forms), answers = coalesce(${answers ? tx.json(answers) : null}::jsonb, answers),
      people = coalesce(${people ? tx.json(people) : null}::jsonb, people),
      pass_on_after = case when ${pass_on_after === undefined} then pass_on_after else ${pass_on_after ?? null}::smallint end,
      paused = coalesce(${paused}, paused), method = coalesce(${method}, method),
      daily_limit = case when ${daily_limit === undefined} then daily_limit else ${daily_limit ?? null}::smallint end
    where account_id = ${actor.account_id} and id = ${id} returning ${lengthOf(tx)} as length`
  if (!updated) return false
  checkLength(updated.length)
  await changed(tx, actor, { action: 'distribution_rule.changed', subject_id: id, details: { ...change } })
  return true
}

export async function removeRule(tx: TransactionSql, actor: Actor, id: string): Promise<boolean> {
  const [removed] =
    await tx`delete from distribution_rules where account_id = ${actor.account_id} and id = ${id} returning name`
  if (!removed) return false
  await changed(tx, actor, { action: 'distribution_rule.removed', subject_id: id, details: { name: removed.name } })
  return true
}

/** Puts the rule at its position, or last if that is null, and renumbers all rules. */
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

async function changed(tx: TransactionSql, actor: Actor, entry: AuditEntry): Promise<void> {
  await recordAudit(tx, actor, entry)
  await notifyDirectoryChanged(tx, actor.account_id)
}
