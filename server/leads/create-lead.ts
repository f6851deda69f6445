import { randomUUID } from 'node:crypto'
import { type Account, findAccount } from '../account/users.ts'
import { type Actor, seesText } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { Sql, Statement, TransactionSql } from '../database/sql.ts'
import { assigneeAt, type DistributionRule, matchingRule } from '../distribution/choose-assignee.ts'
import { listRules } from '../distribution/read-rules.ts'
import { returnPosition, takePosition } from '../distribution/round-robin.ts'
import { instantText, wholeSecond } from '../http/instants.ts'
import { createdSummary } from '../timeline/summaries.ts'
import { answerStart } from './columns.ts'
import { contactKeys, contactsToClaim, otherContactsOf } from './contact-keys.ts'
import { everyText, newTags } from './fields.ts'
import type { ContactKeys, LeadFields, LeadRow, OtherContact, Submission } from './lead.ts'
import { savingTime } from './updated-at.ts'

/** A new lead whose assignee may still depend on the round robin of a rule. */
export interface LeadToCreate extends ContactKeys {
  account: Account
  fields: LeadFields
  contacts: OtherContact[]
  /** The matching rule, with its active users. */
  rule: DistributionRule | null
  needsRoundRobin: boolean
}

export function newLeadRow(submission: Submission, { fields }: AssignedLead): LeadRow {
  const created_at = wholeSecond(submission.created_at ?? submission.received_at)
  return { ...fields, id: randomUUID(), created_at, updated_at: savingTime(submission) }
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
  const account = await findAccount(database, actor.account_id)
  const needsRules = submissions.some(({ given, assignment }) => !given.assigned_to && assignment.byRules)
  const rules = needsRules ? await listRules(database, actor.account_id) : []
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
    tags: newTags([], given.tags ?? []),
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
  const keys = contactKeys(fields, account.country)
  return {
    account,
    fields,
    ...keys,
    contacts: otherContactsOf(submission.contacts ?? [], keys, account.country),
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
 * Runs `work` with the lead and its assignee: if the rule has several users, the one at the next round robin position. Call it
 * before any transaction, because the position is taken on another connection. If the lead does not get this owner, the next lead does.
 */
export async function withAssignee<T>(
  { database, actor, wanted }: { database: Database; actor: Actor; wanted: LeadToCreate },
  work: (lead: AssignedLead) => Promise<T>,
  isAssigned: (result: T) => boolean,
): Promise<T> {
  const results = await withAssignees(
    { database, actor, wanted: [wanted] },
    async ([lead]) => [await work(lead!)],
    isAssigned,
  )
  return results[0]!
}

/** Does the same with several leads. */
export async function withAssignees<T>(
  { database, actor, wanted }: { database: Database; actor: Actor; wanted: LeadToCreate[] },
  work: (leads: AssignedLead[]) => Promise<T[]>,
  isAssigned: (result: T) => boolean,
): Promise<T[]> {
  const positions = await Promise.all(
    wanted.map(({ rule, needsRoundRobin }) =>
      rule && needsRoundRobin ? takePosition(database, actor, rule.id) : null,
    ),
  )
  let results: T[] | null = null
  try {
    results = await work(
      wanted.map((lead, index) => {
        const position = positions[index] ?? null
        const assigned = position === null ? {} : { assigned_to: assigneeAt(lead.rule!.people, position) }
        return { ...lead, needsRoundRobin: false, fields: { ...lead.fields, ...assigned } }
      }),
    )
    return results
  } finally {
    const unused = positions.map((position, index) => {
      if (position === null || (results && isAssigned(results[index]!))) return null
      return returnPosition(database, actor, wanted[index]!.rule!.id, position)
    })
    await Promise.all(unused)
  }
}

interface CreatedLead {
  toSave: {
    actor: Actor
    submission: Pick<Submission, 'sender' | 'received_at' | 'updated_at'>
    wanted: Pick<AssignedLead, 'account' | 'rule' | 'phone_key' | 'email_key' | 'contacts'>
  }
  lead: LeadRow
}

/**
 * Creates leads in one round trip, with their contacts, timeline and audit entries and counts. Returns the ids of those that were
 * created: no other lead has one of their contacts. Checking first would be a race. Of one lead, `andThen` is a composed expression that writes
 * more in the same statement, and is true. `notifies`: whether assignees are notified, unless they created the lead.
 */
export async function createLeads(
  sql: Sql | TransactionSql,
  actor: Actor,
  leads: CreatedLead[],
  { notifies = true, andThen = null as Statement | null } = {},
): Promise<Set<string>> {
  if (leads.length === 0) return new Set()
  const rows = leads.map(({ toSave, lead }) => ({
    ...lead,
    phone_key: toSave.wanted.phone_key,
    email_key: toSave.wanted.email_key,
    contacts: contactsToClaim(toSave.wanted.contacts, lead.created_at),
    answer_start: answerStart(lead),
    at: wholeSecond(toSave.submission.received_at),
    notified: notifies && isNotified(toSave.actor, lead.assigned_to, lead.created_at),
    ...createdEntry(toSave, lead),
  }))
  const { account_id, user_id, via, via_id } = actor
  const create = sql`create_leads(account => ${account_id}, person => ${user_id}, sees => ${seesText(actor)},
    new_leads => ${sql.json(rows as never)}, acting_via => ${via}, acting_via_id => ${via_id})`
  const [answer] = await (andThen
    ? sql<
        { created: string[] }[]
      >`select case when cardinality(created) = 1 and ${andThen} then created else '{}' end as created from ${create} as created`
    : sql<{ created: string[] }[]>`select ${create} as created`)
  return new Set(answer!.created)
}

/**
 * Whether a user is notified of a lead that is assigned to them: not of what they assigned to themselves, and not of files and
 * replays, whose leads are older.
 */
export function isNotified({ via, user_id }: Actor, assignee: string | null, at: Date): assignee is string {
  const isOwn = via === 'web' && user_id === assignee
  return assignee !== null && via !== 'command' && !isOwn && Date.now() - at.getTime() < 3_600_000
}

function createdEntry({ actor, submission, wanted: { account, rule } }: CreatedLead['toSave'], lead: LeadRow) {
  const assignee = account.users.find((user) => user.id === lead.assigned_to)
  const summary = createdSummary(submission.sender, assignee?.name ?? null, rule?.name ?? null)
  const byRule = rule ? { rule_id: rule.id } : {}
  const changedBefore = submission.updated_at ? { updated_at: instantText(submission.updated_at) } : {}
  return { summary, details: { via: actor.via, via_id: actor.via_id, ...byRule, ...changedBefore } }
}
