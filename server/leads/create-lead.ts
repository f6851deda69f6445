import { randomUUID } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import { type Account, accountOf } from '../account/users.ts'
import { type Actor, seesText } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { assigneeAt, type DistributionRule, matchingRule } from '../distribution/choose-assignee.ts'
import { withPosition } from '../distribution/round-robin.ts'
import { rulesOf } from '../distribution/store.ts'
import { istDay, wholeSecond } from '../http/date-window.ts'
import { createdSummary } from '../timeline/summaries.ts'
import { emailKey, phoneKey } from './contact.ts'
import { anySlot } from './counts.ts'
import { everyText, textFieldNames } from './fields.ts'
import type { ContactKeys, LeadFields, LeadRow, Submission } from './lead.ts'

/** A new lead whose assignee may still depend on the round robin of a rule. */
export interface LeadToCreate extends ContactKeys {
  account: Account
  fields: LeadFields
  /** The matching rule, with its active users. */
  rule: DistributionRule | null
  needsRoundRobin: boolean
}

export function newLeadRow(submission: Submission, { fields }: AssignedLead): LeadRow {
  const now = wholeSecond(submission.received_at)
  return { ...fields, id: randomUUID(), created_at: now, updated_at: now }
}

export async function leadToCreate(database: Database, actor: Actor, submission: Submission): Promise<LeadToCreate> {
  const { given, defaults } = submission
  const account = await accountOf(database, actor.account_id)
  const fields: LeadFields = {
    name: given.name,
    email: given.email ?? null,
    phone: given.phone ?? null,
    ...everyText((field) => given[field] ?? null),
    source: given.source ?? defaults.source,
    status: given.status ?? defaults.status,
    priority: given.priority ?? defaults.priority,
    tags: [...new Set(given.tags)],
    deal_value: given.deal_value ?? null,
    notes: given.notes ?? null,
    assigned_to: given.assigned_to ?? null,
  }
  const rule =
    fields.assigned_to === null && submission.assignment.byRules
      ? matchingRule(
          await rulesOf(database, actor.account_id),
          { ...fields, webhook_id: submission.assignment.webhook_id },
          (userId) => account.users.some((user) => user.id === userId && user.active),
        )
      : null
  const needsRoundRobin = rule !== null && rule.people.length > 1
  fields.assigned_to ??= rule ? (needsRoundRobin ? null : rule.people[0]!.user_id) : submission.assignment.otherwise
  return {
    account,
    fields,
    phone_key: fields.phone === null ? null : phoneKey(fields.phone, account.country),
    email_key: fields.email === null ? null : emailKey(fields.email),
    rule,
    needsRoundRobin,
  }
}

/** A new lead with its assignee. */
export type AssignedLead = LeadToCreate & { needsRoundRobin: false }

/** A submission of an actor, with the lead that it creates if none matches. */
export interface LeadToSave {
  actor: Actor
  submission: Submission
  wanted: AssignedLead
}

/**
 * Runs `work` with the lead and its assignee: if the rule has several users, the one at the next round robin position.
 * Call it before any transaction, because the position is taken on another connection. If no lead is created, the
 * position goes to the next lead.
 */
export function withAssignee<T>(
  { database, actor, wanted }: { database: Database; actor: Actor; wanted: LeadToCreate },
  work: (lead: AssignedLead) => Promise<T>,
  isCreated: (result: T) => boolean,
): Promise<T> {
  const { rule, needsRoundRobin, fields } = wanted
  if (!rule || !needsRoundRobin) return work({ ...wanted, needsRoundRobin: false })
  const assignedAt = (position: number): AssignedLead => ({
    ...wanted,
    needsRoundRobin: false,
    fields: { ...fields, assigned_to: assigneeAt(rule.people, position) },
  })
  return withPosition({ database, actor, ruleId: rule.id }, (position) => work(assignedAt(position)), isCreated)
}

/**
 * Creates a lead in one round trip. Fails with 23505 if another lead has the phone or the email. Checking first would be a
 * race.
 */
export async function createLead(
  sql: Sql | TransactionSql,
  { actor, submission, wanted }: LeadToSave,
  lead: LeadRow,
): Promise<void> {
  const { account, phone_key, email_key, rule } = wanted
  const assignee = account.users.find((user) => user.id === lead.assigned_to)
  const summary = createdSummary(submission.sender, assignee?.name ?? null, rule?.name ?? null)
  const details = { via: actor.via, via_id: actor.via_id, ...(rule ? { rule_id: rule.id } : {}) }
  const texts = textFieldNames.map((field) => sql`${sql(`new_${field}`)} => ${lead[field]},`)
  await sql`select create_lead(
    account => ${actor.account_id}, person => ${actor.user_id}, sees => ${seesText(actor)}, new_id => ${lead.id},
    new_name => ${lead.name}, new_email => ${lead.email}, new_email_key => ${email_key}, new_phone => ${lead.phone},
    new_phone_key => ${phone_key}, ${texts} new_source => ${lead.source}, new_status => ${lead.status},
    new_priority => ${lead.priority}, new_tags => ${lead.tags}, new_deal_value => ${lead.deal_value},
    new_notes => ${lead.notes}, assignee => ${lead.assigned_to}, moment => ${lead.created_at},
    ist_day => ${istDay(lead.created_at)}, count_slot => ${anySlot()}, entry_summary => ${summary},
    entry_details => ${sql.json(details)}, acting_via => ${actor.via}, acting_via_id => ${actor.via_id})`
}
