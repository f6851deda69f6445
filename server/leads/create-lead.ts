import { randomUUID } from 'node:crypto'
import { type Account, findAccount } from '../account/users.ts'
import { hoursOf } from '../availability/availability.ts'
import { afterWorkingMinutes } from '../availability/hours.ts'
import { type Actor, seesText } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { Sql, Statement, TransactionSql } from '../database/sql.ts'
import { type Assignment, chooseAssignees, type DistributionRule } from '../distribution/choose-assignee.ts'
import { listRules } from '../distribution/read-rules.ts'
import { returnAssignee, type Sharing, takeAssignee } from '../distribution/round-robin.ts'
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
  /** The matching rule, and who may get the lead. */
  assignment: Assignment | null
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
  const { byRules, otherwise, webhook_id } = submission.assignment
  const assignment =
    fields.assigned_to === null && byRules
      ? chooseAssignees(rules, { ...fields, webhook_id }, account, submission.received_at)
      : null
  const needsRoundRobin = assignment !== null && assignment.people.length > 1
  fields.assigned_to ??= assignment ? (needsRoundRobin ? null : assignment.people[0]!.user_id) : otherwise
  const keys = contactKeys(fields, account.country)
  return {
    account,
    fields,
    ...keys,
    contacts: otherContactsOf(submission.contacts ?? [], keys, account.country),
    assignment,
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
 * Runs `work` with the lead and its assignee: if several users may get it, the next one of the round robin. Call it before any
 * transaction, because the assignee is taken on another connection. If the lead does not get this owner, the next lead does.
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
  const sharings = wanted.map(({ assignment, needsRoundRobin }): Sharing | null =>
    assignment && needsRoundRobin ? { ruleId: assignment.rule.id, people: assignment.people } : null,
  )
  const taken = await Promise.all(sharings.map((sharing) => sharing && takeAssignee(database, actor, sharing)))
  let results: T[] | null = null
  try {
    results = await work(
      wanted.map((lead, index) => {
        const assigned_to = taken[index] ?? lead.fields.assigned_to
        return { ...lead, needsRoundRobin: false, fields: { ...lead.fields, assigned_to } }
      }),
    )
    return results
  } finally {
    const unused = sharings.map((sharing, index) => {
      if (sharing === null || (results && isAssigned(results[index]!))) return null
      return returnAssignee(database, actor, sharing, taken[index]!)
    })
    await Promise.all(unused)
  }
}

interface CreatedLead {
  toSave: {
    actor: Actor
    submission: Pick<Submission, 'sender' | 'received_at' | 'updated_at'>
    wanted: Pick<AssignedLead, 'account' | 'assignment' | 'phone_key' | 'email_key' | 'contacts'>
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
    pass_on: notifies ? passOnOf(toSave, lead) : null,
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

/** A new lead of a rule that passes on. Not those of the fallback owner, who is not one of its users. */
function passOnOf({ submission, wanted: { account, assignment } }: CreatedLead['toSave'], lead: LeadRow) {
  const minutes = assignment?.byFallback === false ? assignment.rule.pass_on_after : null
  const owner = account.users.find((user) => user.id === lead.assigned_to)
  if (!assignment || minutes === null || !owner || lead.status !== 'New') return null
  const due_at = afterWorkingMinutes(submission.received_at, minutes, hoursOf(account, owner))
  return { rule_id: assignment.rule.id, due_at }
}

function createdEntry({ actor, submission, wanted: { account, assignment } }: CreatedLead['toSave'], lead: LeadRow) {
  const assignee = account.users.find((user) => user.id === lead.assigned_to)
  const rule = assignment && { ...assignment, name: assignment.rule.name }
  const summary = createdSummary(submission.sender, assignee?.name ?? null, rule)
  const byRule = assignment ? { rule_id: assignment.rule.id } : {}
  const changedBefore = submission.updated_at ? { updated_at: instantText(submission.updated_at) } : {}
  return { summary, details: { via: actor.via, via_id: actor.via_id, ...byRule, ...changedBefore } }
}
