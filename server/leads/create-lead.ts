import { randomUUID } from 'node:crypto'
import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import { type Account, accountOf } from '../account/users.ts'
import { type Actor, seesText } from '../database/actor.ts'
import { composing, send } from '../database/compose.ts'
import type { Database } from '../database/connect.ts'
import { assigneeAt, type DistributionRule, matchingRule } from '../distribution/choose-assignee.ts'
import { withPosition } from '../distribution/round-robin.ts'
import { rulesOf } from '../distribution/store.ts'
import { istDay, wholeSecond } from '../http/date-window.ts'
import { createdSummary } from '../timeline/summaries.ts'
import { storedColumns } from './columns.ts'
import { emailKey, phoneKey } from './contact.ts'
import { type CountChange, nextSlot } from './counts.ts'
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
  const created_at = submission.created_at ? wholeSecond(submission.created_at) : now
  const changed = submission.updated_at ? wholeSecond(submission.updated_at) : now
  return { ...fields, id: randomUUID(), created_at, updated_at: changed < created_at ? created_at : changed }
}

export async function leadToCreate(database: Database, actor: Actor, submission: Submission): Promise<LeadToCreate> {
  const [lead] = await leadsToCreate(database, actor, [submission])
  return lead!
}

/** The leads of a batch. Account and rules are read once, for a command has no cache. */
export async function leadsToCreate(
  database: Database,
  actor: Actor,
  submissions: Submission[],
): Promise<LeadToCreate[]> {
  const account = await accountOf(database, actor.account_id)
  const needsRules = submissions.some(({ given, assignment }) => !given.assigned_to && assignment.byRules)
  const rules = needsRules ? await rulesOf(database, actor.account_id) : []
  return submissions.map((submission) => newLead(account, rules, submission))
}

function newLead(account: Account, rules: DistributionRule[], submission: Submission): LeadToCreate {
  const { given, defaults } = submission
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
      ? matchingRule(rules, { ...fields, webhook_id: submission.assignment.webhook_id }, (userId) =>
          account.users.some((user) => user.id === userId && user.active),
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
  /** Of a batch, which writes the counts of all its leads together. */
  batchCounts?: CountChange[]
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
 * Creates a lead in one round trip. Returns false, and writes nothing, if another lead has the phone or the email. Checking
 * first would be a race. `andThen` is a composed expression that writes more, in the same statement, and is true.
 */
export async function createLead(
  connection: Sql | TransactionSql,
  toSave: LeadToSave,
  lead: LeadRow,
  andThen?: PendingQuery<Row[]>,
): Promise<boolean> {
  const sql = composing(connection)
  const { actor, wanted } = toSave
  const { phone_key, email_key } = wanted
  const { summary, details } = createdEntry(toSave, lead)
  const texts = textFieldNames.map((field) => sql`${sql(`new_${field}`)} => ${lead[field]},`)
  const create = sql`create_new_lead(
    account => ${actor.account_id}, person => ${actor.user_id}, sees => ${seesText(actor)}, new_id => ${lead.id},
    new_name => ${lead.name}, new_email => ${lead.email}, new_email_key => ${email_key}, new_phone => ${lead.phone},
    new_phone_key => ${phone_key}, ${texts} new_source => ${lead.source}, new_status => ${lead.status},
    new_priority => ${lead.priority}, new_tags => ${lead.tags}, new_deal_value => ${lead.deal_value},
    new_notes => ${lead.notes}, assignee => ${lead.assigned_to}, moment => ${lead.created_at},
    ist_day => ${istDay(lead.created_at)}, count_slot => ${nextSlot()}, entry_summary => ${summary},
    entry_details => ${sql.json(details)}, acting_via => ${actor.via}, acting_via_id => ${actor.via_id})`
  // CASE evaluates in order, unlike AND.
  const [answer] = await send<{ created: boolean }[]>(
    connection,
    sql`select ${andThen ? sql`case when ${create} then ${andThen} else false end` : create} as created`,
  )
  return answer!.created
}

interface CreatedLead {
  toSave: LeadToSave
  lead: LeadRow
}

/**
 * Creates leads of a batch, in a transaction that runs for the whole account and counts them later. Fails with 23505 if
 * another lead has a phone or an email.
 */
export async function createLeads(tx: TransactionSql, leads: CreatedLead[]): Promise<void> {
  const [first] = leads
  if (!first) return
  const { actor, submission } = first.toSave
  const { account_id, user_id, via, via_id } = actor
  const rows = leads.map(({ toSave, lead }) => {
    const { phone_key, email_key } = toSave.wanted
    return { ...lead, phone_key, email_key, ...createdEntry(toSave, lead) }
  })
  const json = tx.json(rows as never)
  const columns = tx.unsafe(storedColumns.join(', '))
  // Sent at once, without waiting for the first.
  await Promise.all([
    tx`insert into leads (account_id, ${columns}) select ${account_id}, ${columns}
      from jsonb_populate_recordset(null::leads, ${json}) returning 1`,
    tx`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
      select ${account_id}, id, assigned_to, ${submission.received_at}, 'created', summary, details
      from jsonb_to_recordset(${json}) as lead (id uuid, assigned_to uuid, summary text, details jsonb) returning 1`,
    tx`insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
      select ${account_id}, ${submission.received_at}, ${user_id}, ${via}, ${via_id}, 'lead.created', id
      from jsonb_to_recordset(${json}) as lead (id uuid) returning 1`,
  ])
}

function createdEntry({ actor, submission, wanted: { account, rule } }: LeadToSave, lead: LeadRow) {
  const assignee = account.users.find((user) => user.id === lead.assigned_to)
  const summary = createdSummary(submission.sender, assignee?.name ?? null, rule?.name ?? null)
  return { summary, details: { via: actor.via, via_id: actor.via_id, ...(rule ? { rule_id: rule.id } : {}) } }
}
