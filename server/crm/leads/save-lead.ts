import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, asActor, forWholeAccount, maySee } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'
import { HttpProblem } from '../../platform/http/problem.ts'
import { kindOf } from '../contacts/parse-contact.ts'
import { rulesToAsk } from '../distribution/assign.ts'
import { lockTurns, lockTurnsOfNew } from '../distribution/lock-turns.ts'
import type { Take } from '../distribution/take-turn.ts'
import { findEnquiryAt } from '../enquiries/store.ts'
import { isNear, isOfSender, pause, type StoredEnquiry } from '../enquiries/stored-enquiry.ts'
import { recordOnTimeline } from '../timeline/record.ts'
import {
  contactElsewhereSummary,
  hiddenSubmissionSummary,
  mergedSummary,
  notTakenReasons,
} from '../timeline/summaries.ts'
import { changeNextStep } from './change-next-step.ts'
import { allKeys } from './contact-keys.ts'
import {
  createLeads,
  type LeadToCreate,
  type LeadToSave,
  leadToCreate,
  newLeadRow,
  takeNone,
  takesTurn,
  withOwner,
} from './create-lead.ts'
import type { GivenFields, LeadRow, Saved, Submission } from './lead.ts'
import { firstEnquiry, nextEnquiry, recordEnquiry } from './lead-enquiry.ts'
import { addContacts, contactsBeside } from './merge-contacts.ts'
import { mergeByFilling, mergeByReplacing, type NotTaken } from './merge-lead.ts'
import { noteSubmission, recipientsOfLead } from './note-submission.ts'
import { ContactTaken, lockContacts, lockMatches, type MatchedLead, otherContacts, recordConflict } from './store.ts'
import { withSureContacts } from './uncertain-contacts.ts'
import { nextUpdate, savingTime } from './updated-at.ts'
import { findEmail, withOwnerEmails, writeChange } from './write-change.ts'

/**
 * Creates a lead, or merges into the lead with one of its contacts. The API, the web app, webhooks and imports all use it. Of
 * simultaneous calls for one person exactly one creates. The rules: docs/reference/identity-and-merging.md.
 */
export async function saveLead(database: Database, actor: Actor, submission: Submission): Promise<Saved> {
  const wanted = await leadToCreate(database, actor, submission)
  const toSave = { actor, submission, wanted }
  return asActor(
    database,
    forWholeAccount(actor),
    (tx) => saveLeadWithin(tx, toSave, { matched: !takesTurn(wanted) }),
    async (sql) => (takesTurn(wanted) ? null : createAlone(sql, toSave)),
  )
}

/** Creates a lead that takes no turn, in one statement without a transaction. Null: another lead has one of its contacts. */
async function createAlone(sql: Sql, { actor, submission, wanted }: LeadToSave): Promise<Saved | null> {
  const assigned = withOwner(wanted, takeNone)
  const lead = newLeadRow(submission, assigned)
  const { size } = await createLeads(sql, actor, [
    { toSave: { actor, submission, wanted: assigned }, lead, enquiry: firstEnquiry(actor, submission) },
  ])
  return size === 1 ? { outcome: 'created', lead, hidden: false } : null
}

const maxAttempts = 20

/**
 * Does the same within a transaction that has more to write, and that runs for the whole account. Tries to create, then to
 * merge, then again: the matching lead may be deleted before it is locked, and a phone that a merge adds may by then belong
 * to another lead. Each attempt means that another request succeeded. If a match is known (`matched`), it merges first.
 * `wanted` is determined before, because a transaction that waits for a second connection can wait forever.
 */
export async function saveLeadWithin(
  tx: TransactionSql,
  given: LeadToSave,
  { matched } = { matched: false },
): Promise<Saved> {
  let toSave = given
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [created] = matched && attempt === 0 ? [] : await createWithin(tx, [toSave])
    if (created) return { outcome: 'created', lead: created, hidden: false }
    const sure = withSureContacts(toSave)
    if (!sure) throw new UncertainMatch()
    toSave = sure
    const match = await lockMatch(tx, toSave)
    if (!match) continue
    const merge = (part: TransactionSql) => mergeIntoMatch(part, sure, match)
    const merged = await (addsContact(sure, match) ? unlessConflict(tx, merge) : merge(tx))
    if (merged) return merged
  }
  throw new Error(`the lead could neither be created nor merged in ${maxAttempts} attempts`)
}

/**
 * Creates leads, whose owners are chosen now. Returns null in place of those that were not created, because another lead has one of their
 * contacts. If some take turns of rules, it creates all or none, so that no turn is lost.
 */
export async function createWithin(
  tx: TransactionSql,
  toSave: LeadToSave[],
  { notifies = true } = {},
): Promise<(LeadRow | null)[]> {
  const [first] = toSave
  if (!first) return []
  const { actor } = first
  const contacts = [...new Set(toSave.flatMap(({ wanted }) => allKeys(wanted)))]
  const ruleIds = toSave.flatMap(({ wanted }) => rulesToAsk(wanted))
  const create = async (part: TransactionSql, take: Take) => {
    const leads = toSave.map(({ submission, wanted }) => {
      const assigned = withOwner(wanted, take)
      const lead = newLeadRow(submission, assigned)
      return { toSave: { actor, submission, wanted: assigned }, lead, enquiry: firstEnquiry(actor, submission) }
    })
    const created = await createLeads(part, forWholeAccount(actor), leads, { notifies })
    return leads.map(({ lead }) => (created.has(lead.id) ? lead : null))
  }
  if (ruleIds.length === 0) {
    // Others wait for a lead that is not committed, also for one that is taken back.
    await lockContacts(tx, actor.account_id, contacts)
    return create(tx, takeNone)
  }
  const createTaking = async (part: TransactionSql) => {
    const turns = await lockTurnsOfNew(part, actor.account_id, ruleIds, contacts)
    if (!turns) return null
    const [created] = await Promise.all([create(part, turns.take), turns.save()])
    if (!created.includes(null)) return created
    // Another lead got a contact just now.
    if (toSave.length > 1) throw new ContactTaken('a contact belongs to another lead')
    // The lead is merged while the turns stay locked. A deadlock starts the transaction again.
    await turns.restore()
    return created
  }
  // One lead needs no savepoint, whose end would keep other leads of the rule waiting.
  const created = await (toSave.length > 1 ? unlessConflict(tx, createTaking) : createTaking(tx))
  return created ?? toSave.map(() => null)
}

async function unlessConflict<T>(tx: TransactionSql, work: (part: TransactionSql) => Promise<T>): Promise<T | null> {
  try {
    return await tx.savepoint(work)
  } catch (error) {
    if (isConflict(error)) return null
    throw error
  }
}

/** Locks the contacts, and the leads that have one of them. Returns the lead to merge into. */
async function lockMatch(tx: TransactionSql, { actor, wanted }: LeadToSave): Promise<Match | null> {
  const keys = allKeys(wanted)
  const matches = await lockMatches(tx, actor.account_id, keys)
  const holderOf = (key: string) => matches.find(({ matched_keys }) => matched_keys.includes(key))
  // The phone decides before the email, and both before other contacts.
  const first = keys.find(holderOf)
  if (first === undefined) return null
  const lead = holderOf(first)!
  const elsewhere = new Map(
    keys.flatMap((key) => {
      const holder = holderOf(key)
      return holder && holder.id !== lead.id ? [[key, holder]] : []
    }),
  )
  return { lead, elsewhere }
}

/** Only then the merge may find that another lead has a contact by now. */
const addsContact = ({ wanted }: LeadToSave, { lead }: Match) =>
  allKeys(wanted).some((key) => key !== lead.phone_key && key !== lead.email_key)

async function mergeIntoMatch(tx: TransactionSql, toSave: LeadToSave, { lead, elsewhere }: Match): Promise<Saved> {
  const { actor, submission, wanted } = toSave
  const { account_id } = actor
  if (maySee(actor, lead.assigned_to)) return mergeInto(tx, toSave, { lead, elsewhere })
  await recordAtHolders(tx, toSave, { lead, elsewhere })
  const { given, contacts, remark, sender, received_at: at } = submission
  const submitted = {
    ...given,
    ...(remark === undefined ? {} : { remark }),
    ...(contacts?.length ? { contacts: contacts.map(({ value }) => value) } : {}),
    ...(given.assigned_to ? { assigned_to: findEmail(wanted.account, given.assigned_to) } : {}),
  }
  const details = { via: actor.via, via_id: actor.via_id, submitted }
  const summary = hiddenSubmissionSummary(sender)
  await recordOnTimeline(tx, { account_id, ...lead }, { at, kind: 'submitted', summary, details })
  await recordAudit(tx, actor, { action: 'lead.submitted_again', subject_id: lead.id })
  if (submission.notifiesOwner && actor.user_id !== null) {
    const recipients = recipientsOfLead(wanted.account, lead.assigned_to)
    await noteSubmission(tx, { account_id, lead_id: lead.id, submitted_by: actor.user_id, at }, recipients)
  }
  const enquiry = nextEnquiry(actor, submission, lead, await enquiryBefore(tx, toSave, lead))
  if (enquiry) await recordEnquiry(tx, actor, { ...lead, notified: lead.assigned_to }, { enquiry })
  return { outcome: 'merged', lead, hidden: true }
}

interface Match {
  lead: MatchedLead
  /** Other leads that have contacts of the submission, by key. */
  elsewhere: ReadonlyMap<string, MatchedLead>
}

/** Leads that have a contact of the submission keep it. Their timelines name the lead that it was merged into. */
async function recordAtHolders(
  tx: TransactionSql,
  { actor, submission: { sender, received_at: at } }: LeadToSave,
  { lead, elsewhere }: Match,
): Promise<void> {
  const { account_id, via, via_id } = actor
  for (const [key, holder] of elsewhere) {
    const summary = contactElsewhereSummary(sender, kindOf(key))
    const details = { via, via_id, merged_into: lead.id }
    await recordOnTimeline(tx, { account_id, ...holder }, { at, kind: 'submitted', summary, details })
    await recordConflict(tx, account_id, lead.id, holder.id)
  }
}

/** The only contact is uncertain and that of a lead, which must not be changed because of it. */
export class UncertainMatch extends HttpProblem {
  constructor() {
    super(
      400,
      'INVALID_PARAM',
      'The contact is uncertain and belongs to a lead already. Confirm the mapping, then replay this delivery.',
    )
  }
}

async function mergeInto(tx: TransactionSql, toSave: LeadToSave, { lead, elsewhere }: Match): Promise<Saved> {
  const { actor, submission, wanted } = toSave
  const { received_at: at, sender } = submission
  const said = nextEnquiry(actor, submission, lead, await enquiryBefore(tx, toSave, lead))
  const enquiry = said && { enquiry: said, replayed: submission.replayed }
  const { email, ...others } = submission.given
  const isEmailElsewhere = wanted.email_key !== null && elsewhere.has(wanted.email_key)
  const given: GivenFields = isEmailElsewhere || email === undefined ? others : { ...others, email }
  // The notes may no longer contain a message that came before, but the timeline does.
  if (
    submission.replayed &&
    given.notes !== undefined &&
    (await isOnTimeline(tx, actor, lead.id, { at, message: given.notes }))
  ) {
    delete given.notes
  }
  // Each event of a call may repeat its remarks.
  if (submission.call && given.notes !== undefined && lead.notes?.includes(given.notes)) delete given.notes
  const merge =
    submission.onMatch === 'replace' ? mergeByReplacing(lead, given, submission) : mergeByFilling(lead, given, at)
  if (submission.call === 'Inbound' && lead.assigned_to === null) {
    const owner = await takeOwner(tx, actor.account_id, wanted)
    if (owner !== null) {
      merge.fields.assigned_to = owner
      merge.changes.push({ field: 'assigned_to', before: null, after: owner })
    }
  }
  const { status } = merge.fields
  const nextStep = await changeNextStep(tx, actor.account_id, { lead, status, now: at })
  merge.changes.push(...(nextStep?.changes ?? []))
  const keys = {
    phone_key: merge.fields.phone === lead.phone ? lead.phone_key : wanted.phone_key,
    email_key: merge.fields.email === lead.email ? lead.email_key : wanted.email_key,
  }
  const beside = contactsBeside({
    before: lead,
    after: { ...merge.fields, ...keys },
    offered: { ...wanted.fields, ...wanted },
    others: wanted.contacts,
    elsewhere,
  })
  const own = beside.length > 0 ? await otherContacts(tx, actor.account_id, lead.id) : []
  const contacts = addContacts(own, beside)
  const kept = new Set<unknown>(beside.map(({ value }) => value))
  const isOwn = (field: 'phone' | 'email') => wanted[`${field}_key`] === lead[`${field}_key`]
  const notTaken: NotTaken[] = [
    ...merge.not_taken
      .filter(
        ({ field, offered }) => !((field === 'phone' || field === 'email') && (kept.has(offered) || isOwn(field))),
      )
      .map((one) => (one.field === 'assigned_to' ? { ...one, offered: findEmail(wanted.account, one.offered) } : one)),
    ...(isEmailElsewhere ? [{ field: 'email' as const, offered: email, reason: notTakenReasons.elsewhere }] : []),
    ...contacts.notTaken,
  ]
  const changes = withOwnerEmails(wanted.account, [...merge.changes, ...contacts.changes])
  const isUntraced = submission.replayed || (submission.call && notTaken.length === 0)
  if (isUntraced && changes.length === 0 && merge.message === null) {
    if (enquiry) await recordEnquiry(tx, actor, { ...lead, notified: lead.assigned_to }, enquiry)
    return { outcome: 'merged', lead, hidden: false }
  }
  await recordAtHolders(tx, toSave, { lead, elsewhere })
  const updated_at = nextUpdate(lead.updated_at, savingTime(submission))
  const merged: LeadRow = { id: lead.id, ...merge.fields, created_at: lead.created_at, updated_at }
  const matched = matchedBy(lead, wanted)
  const summary = mergedSummary({ sender, matched, changes, notTaken, hasMessage: merge.message !== null })
  const message = merge.message === null ? {} : { message: merge.message }
  const details = { matched, changes, not_taken: notTaken, ...message }
  const entry = { at, kind: 'merged', summary, details } as const
  await writeChange(tx, actor, {
    before: lead,
    after: merged,
    keys,
    added: contacts.added,
    ...nextStep?.update,
    entry,
    enquiry,
  })
  return { outcome: 'merged', lead: merged, hidden: false }
}

/**
 * The enquiry that a submission may belong to: the last one, or the one of its sender within the pause, if another has sent something
 * meanwhile. Of a delivery that is replayed, the one that it made.
 */
async function enquiryBefore(
  tx: TransactionSql,
  { actor, submission }: LeadToSave,
  { id, last_enquiry }: MatchedLead,
): Promise<StoredEnquiry | null> {
  if (last_enquiry === null) return null
  const at = wholeSecond(submission.received_at)
  const isInterrupted = isNear(last_enquiry, at) && !isOfSender(last_enquiry, actor)
  if (!submission.replayed && !isInterrupted) return last_enquiry
  return (await findEnquiryAt(tx, actor, id, { at, within: submission.replayed ? 0 : pause })) ?? last_enquiry
}

async function takeOwner(tx: TransactionSql, accountId: string, wanted: LeadToCreate): Promise<string | null> {
  const turns = await lockTurns(tx, accountId, rulesToAsk(wanted))
  const { fields } = withOwner(wanted, turns.take)
  await turns.save()
  return fields.assigned_to
}

/** Returns what matched, as the timeline names it: the phone, the email, or other contacts. */
function matchedBy({ matched_keys }: MatchedLead, { phone_key, email_key, contacts }: LeadToSave['wanted']): string[] {
  const isMatched = (key: string | null) => key !== null && matched_keys.includes(key)
  return [
    ...(isMatched(phone_key) ? ['phone'] : []),
    ...(isMatched(email_key) ? ['email'] : []),
    ...(contacts.some(({ key }) => isMatched(key)) ? ['another contact'] : []),
  ]
}

/** Returns whether this delivery was merged before, and its message is on the timeline. */
async function isOnTimeline(
  tx: TransactionSql,
  actor: Actor,
  leadId: string,
  { at, message }: { at: Date; message: string },
) {
  const entries = await tx<{ message: string | null; added: string | null }[]>`
    select details ->> 'message' as message,
      jsonb_path_query_first(details, '$.changes[*] ? (@.field == "notes").added') #>> '{}' as added
    from timeline_entries where account_id = ${actor.account_id} and lead_id = ${leadId} and at = ${at}
      and kind = 'merged'`
  return entries.some((entry) => entry.message === message || entry.added?.endsWith(`]\n${message}`))
}
