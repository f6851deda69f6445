import { randomUUID } from 'node:crypto'
import { type Account, findAccount } from '../../access/account/users.ts'
import { type Actor, seesText } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import { instantText, istDay, wholeSecond } from '../../platform/http/instants.ts'
import { hoursOf } from '../availability/availability.ts'
import { afterWorkingMinutes } from '../availability/hours.ts'
import { assign, type Choice, offeredTo, rulesToAsk } from '../distribution/assign.ts'
import { chooseAssignees, type DistributionRule, type Full } from '../distribution/choose-assignee.ts'
import { listRules } from '../distribution/read-rules.ts'
import type { Take, Turn } from '../distribution/take-turn.ts'
import { noEnquiry } from '../enquiries/enquiry.ts'
import { enquiryRow, keptOf, type StoredEnquiry } from '../enquiries/stored-enquiry.ts'
import type { NoticeOfLead } from '../notices/add-notice.ts'
import { createdSummary } from '../timeline/summaries.ts'
import { answerStart } from './columns.ts'
import { contactKeys, contactsToClaim, otherContactsOf } from './contact-keys.ts'
import { everyText, newTags } from './fields.ts'
import type { ContactKeys, LeadFields, LeadRow, OtherContact, Submission } from './lead.ts'
import { withMessage } from './notes.ts'
import { savingTime } from './updated-at.ts'

/** A new lead whose assignee may still depend on the round robin of a rule. */
export interface LeadToCreate extends ContactKeys, Choice {
  account: Account
  fields: LeadFields
  contacts: OtherContact[]
  /** The owner if no rule assigns the lead. */
  otherwise: string | null
}

export function newLeadRow(submission: Submission, { fields }: AssignedLead): LeadRow {
  const created_at = wholeSecond(submission.created_at ?? submission.received_at)
  return { ...fields, id: randomUUID(), created_at, updated_at: savingTime(submission) }
}

export async function leadToCreate(database: Database, actor: Actor, submission: Submission): Promise<LeadToCreate> {
  const [lead] = await leadsToCreate(database, actor, [submission])
  return lead!
}

/**
 * The leads of a batch. Account and rules are read once, for a command has no cache. `offers`: whether rules may offer them; if not, they
 * share them by round robin.
 */
export async function leadsToCreate(
  database: Database,
  actor: Actor,
  submissions: Submission[],
  { offers = true } = {},
): Promise<LeadToCreate[]> {
  const account = await findAccount(database, actor.account_id)
  const needsRules = submissions.some(({ given, assignment }) => !given.assigned_to && assignment.byRules)
  const rules = needsRules ? await listRules(database, actor.account_id) : []
  return submissions.map((submission) => newLead(account, rules, submission, offers))
}

function newLead(account: Account, rules: DistributionRule[], submission: Submission, offers: boolean): LeadToCreate {
  const { given, defaults, remark, received_at, enquiry = noEnquiry } = submission
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
    notes: remark === undefined ? (given.notes ?? null) : withMessage(given.notes ?? null, remark, received_at).notes,
    assigned_to: given.assigned_to ?? null,
  }
  const { byRules, otherwise, webhook_id } = submission.assignment
  const toAssign = { ...fields, webhook_id, ...keptOf(enquiry.origin), answers: enquiry.answers }
  const choose = (full?: Full) =>
    fields.assigned_to === null && byRules
      ? chooseAssignees(rules, toAssign, account, submission.received_at, full)
      : null
  const keys = contactKeys(fields, account.country)
  return {
    account,
    fields,
    ...keys,
    contacts: otherContactsOf(submission.contacts ?? [], keys, account.country),
    assignment: choose(),
    choose,
    otherwise,
    day: istDay(savingTime(submission)),
    isOffered: offers && fields.status === 'New',
  }
}

/** A new lead with its assignee. */
export interface AssignedLead extends LeadToCreate {
  /** Users who may claim the lead. */
  offeredTo: string[] | null
}

/** A submission of an actor, with the lead that it creates if none matches. */
export interface LeadToSave {
  actor: Actor
  submission: Submission
  wanted: LeadToCreate
}

/** Whether the owner of a lead depends on the round robin or the daily limit of a rule. */
export const takesTurn = (lead: LeadToCreate) => rulesToAsk(lead).length > 0

/** Returns a lead with its owner, taking the turns of rules that decide who it is. */
export function withOwner(lead: LeadToCreate, take: Take): AssignedLead {
  const { assignment, user_id, offered_to: offeredTo } = assign(lead, take)
  const assigned_to = lead.fields.assigned_to ?? user_id ?? (offeredTo ? null : lead.otherwise)
  return { ...lead, assignment, fields: { ...lead.fields, assigned_to }, offeredTo }
}

/** For leads that take no turn. */
export function takeNone(): Turn {
  throw new Error('this lead takes a turn')
}

/** Returns the owner of a new lead, as far as it is known without a round robin. */
export function ownerOf({ fields, assignment, otherwise, isOffered }: LeadToCreate): string | null {
  if (isOffered && offeredTo(assignment)) return null
  const [first, ...others] = assignment?.people ?? []
  return fields.assigned_to ?? (first ? (others.length > 0 ? null : first.user_id) : otherwise)
}

interface CreatedLead {
  toSave: {
    actor: Actor
    submission: Pick<Submission, 'sender' | 'received_at' | 'updated_at'>
    wanted: Pick<AssignedLead, 'account' | 'assignment' | 'phone_key' | 'email_key' | 'contacts'> &
      Partial<Pick<AssignedLead, 'offeredTo' | 'otherwise'>>
  }
  lead: LeadRow
  enquiry?: StoredEnquiry | null
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
  const rows = leads.map(({ toSave, lead, enquiry }) => ({
    ...lead,
    phone_key: toSave.wanted.phone_key,
    email_key: toSave.wanted.email_key,
    contacts: contactsToClaim(toSave.wanted.contacts, lead.created_at),
    answer_start: answerStart(lead),
    at: wholeSecond(toSave.submission.received_at),
    audited_at: wholeSecond(toSave.submission.received_at),
    action: 'lead.created',
    notices: notifies ? noticesOf(toSave, lead) : null,
    pass_on: notifies ? passOnOf(toSave, lead) : null,
    offer: offerOf(toSave),
    enquiry: enquiry ? enquiryRow(enquiry) : null,
    ...createdEntry(toSave, lead),
  }))
  const { account_id, user_id, via, via_id } = actor
  const create = sql`write_leads(account => ${account_id}, person => ${user_id}, sees => ${seesText(actor)},
    leads => ${sql.json(rows as never)}, acting_via => ${via}, acting_via_id => ${via_id})`
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
  return assignee !== null && !isOwn && isRecent({ via }, at)
}

const isRecent = ({ via }: Pick<Actor, 'via'>, at: Date) => via !== 'command' && Date.now() - at.getTime() < 3_600_000

/** Who is notified of a new lead: its owner, or the users who may claim it. */
function noticesOf({ actor, submission, wanted }: CreatedLead['toSave'], lead: LeadRow): NoticeOfLead[] | null {
  const at = wholeSecond(submission.received_at)
  const { assigned_to, created_at } = lead
  if (isNotified(actor, assigned_to, created_at)) return [{ kind: 'assigned', user_id: assigned_to, at, about: {} }]
  if (!wanted.offeredTo || !isRecent(actor, created_at)) return null
  return wanted.offeredTo.map((user_id) => ({ kind: 'offered', user_id, at, about: {} }))
}

/** A new lead of a rule that passes on. Not those of the fallback owner, who is not one of its users. */
function passOnOf({ submission, wanted: { account, assignment } }: CreatedLead['toSave'], lead: LeadRow) {
  const isByRule = assignment !== null && !assignment.byFallback && assignment.people.length > 0
  const minutes = isByRule ? assignment.rule.pass_on_after : null
  const owner = account.users.find((user) => user.id === lead.assigned_to)
  if (!isByRule || minutes === null || !owner || lead.status !== 'New') return null
  const due_at = afterWorkingMinutes(submission.received_at, minutes, hoursOf(account, owner))
  return { rule_id: assignment.rule.id, due_at }
}

/** A new lead of a rule whose users may claim it. */
function offerOf({ actor, submission, wanted }: CreatedLead['toSave']) {
  const { account, assignment, offeredTo, otherwise } = wanted
  if (!assignment || !offeredTo) return null
  return {
    rule_id: assignment.rule.id,
    offered_to: `{${offeredTo.join(',')}}`,
    due_at: afterWorkingMinutes(submission.received_at, assignment.rule.pass_on_after ?? 1, account.workingHours),
    webhook_id: actor.via === 'webhook' ? actor.via_id : null,
    otherwise,
  }
}

function createdEntry({ actor, submission, wanted }: CreatedLead['toSave'], lead: LeadRow) {
  const { account, assignment } = wanted
  const assignee = account.users.find((user) => user.id === lead.assigned_to)
  const offered = wanted.offeredTo?.length ?? 0
  const rule = assignment && {
    ...assignment,
    name: assignment.rule.name,
    assigns: assignment.people.length > 0,
    offered,
  }
  const summary = createdSummary(submission.sender, assignee?.name ?? null, rule)
  const byRule = rule?.assigns ? { rule_id: rule.rule.id } : {}
  const changedBefore = submission.updated_at ? { updated_at: instantText(submission.updated_at) } : {}
  return { kind: 'created', summary, details: { via: actor.via, via_id: actor.via_id, ...byRule, ...changedBefore } }
}
