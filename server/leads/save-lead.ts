import type { Sql, TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record.ts'
import { type Actor, asActor, forWholeAccount, maySee } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isConflict } from '../database/errors.ts'
import { recordOnTimeline } from '../timeline/record.ts'
import { emailElsewhereSummary, hiddenSubmissionSummary, mergedSummary } from '../timeline/summaries.ts'
import { createLeads, type LeadToSave, leadToCreate, newLeadRow, withAssignee } from './create-lead.ts'
import type { GivenFields, LeadRow, LockedLead, Saved, Submission } from './lead.ts'
import { mergeByFilling, mergeByReplacing, type NotTaken } from './merge-lead.ts'
import { lockMatches } from './store.ts'
import { nextUpdate, savingTime } from './updated-at.ts'
import { findEmail, withOwnerEmails, writeChange } from './write-change.ts'

/**
 * Creates a lead, or merges into the lead with its phone or email. The API, the web app, webhooks and imports all use it. Of
 * simultaneous calls for one person exactly one creates. The rules: docs/reference/identity-and-merging.md.
 */
export async function saveLead(database: Database, actor: Actor, submission: Submission): Promise<Saved> {
  const wanted = await leadToCreate(database, actor, submission)
  return withAssignee(
    { database, actor, wanted },
    (lead) => saveAssigned(database, { actor, submission, wanted: lead }),
    isCreated,
  )
}

export const isCreated = ({ outcome }: { outcome: string }) => outcome === 'created'

async function saveAssigned(database: Database, toSave: LeadToSave): Promise<Saved> {
  const { actor, submission, wanted } = toSave
  const lead = newLeadRow(submission, wanted)
  const create = async (sql: Sql): Promise<Saved | null> => {
    const { size } = await createLeads(sql, actor, [{ toSave, lead }])
    return size === 1 ? { outcome: 'created', lead, hidden: false } : null
  }
  return asActor(database, forWholeAccount(actor), (tx) => saveLeadWithin(tx, toSave, { matched: true }), create)
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
  toSave: LeadToSave,
  { matched } = { matched: false },
): Promise<Saved> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const created = matched && attempt === 0 ? null : await createWithin(tx, toSave)
    if (created) return { outcome: 'created', lead: created, hidden: false }
    const merged = await unlessConflict(tx, (part) => mergeIntoMatch(part, toSave))
    if (merged) return merged
  }
  throw new Error(`the lead could neither be created nor merged in ${maxAttempts} attempts`)
}

async function createWithin(tx: TransactionSql, toSave: LeadToSave): Promise<LeadRow | null> {
  const lead = newLeadRow(toSave.submission, toSave.wanted)
  const { size } = await createLeads(tx, forWholeAccount(toSave.actor), [{ toSave, lead }])
  return size === 1 ? lead : null
}

async function unlessConflict<T>(tx: TransactionSql, work: (part: TransactionSql) => Promise<T>): Promise<T | null> {
  try {
    return (await tx.savepoint(work)) as T
  } catch (error) {
    if (isConflict(error)) return null
    throw error
  }
}

async function mergeIntoMatch(tx: TransactionSql, toSave: LeadToSave): Promise<Saved | null> {
  const { actor, submission, wanted } = toSave
  const { account_id } = actor
  const matches = await lockMatches(tx, account_id, wanted)
  const byPhone = matches.find((lead) => lead.phone_key !== null && lead.phone_key === wanted.phone_key)
  const byEmail = matches.find((lead) => lead.email_key !== null && lead.email_key === wanted.email_key)
  const lead = byPhone ?? byEmail
  if (!lead) return null
  const emailHolder = byEmail && byEmail.id !== lead.id ? byEmail : null
  const { given, sender, received_at: at } = submission
  if (!maySee(actor, lead.assigned_to)) {
    if (emailHolder) await recordAtEmailHolder(tx, toSave, emailHolder, lead)
    const submitted = given.assigned_to
      ? { ...given, assigned_to: findEmail(wanted.account, given.assigned_to) }
      : given
    const details = { via: actor.via, via_id: actor.via_id, submitted }
    const summary = hiddenSubmissionSummary(sender)
    await recordOnTimeline(tx, { account_id, ...lead }, { at, kind: 'submitted', summary, details })
    await recordAudit(tx, actor, { action: 'lead.submitted_again', subject_id: lead.id })
    return { outcome: 'merged', lead, hidden: true }
  }
  const matched = [...(byPhone ? ['phone'] : []), ...(byEmail?.id === lead.id ? ['email'] : [])]
  return mergeInto(tx, toSave, { lead, matched, emailHolder })
}

/** The lead with the email keeps it. Its timeline names the lead that the submission was merged into. */
async function recordAtEmailHolder(
  tx: TransactionSql,
  { actor, submission: { sender, received_at: at } }: LeadToSave,
  holder: LockedLead,
  target: LockedLead,
): Promise<void> {
  const summary = emailElsewhereSummary(sender)
  const details = { via: actor.via, via_id: actor.via_id, merged_into: target.id }
  await recordOnTimeline(tx, { account_id: actor.account_id, ...holder }, { at, kind: 'submitted', summary, details })
}

interface Match {
  lead: LockedLead
  /** What matched: phone, email or both. */
  matched: string[]
  /** Another lead that has the email. */
  emailHolder: LockedLead | null
}

async function mergeInto(
  tx: TransactionSql,
  toSave: LeadToSave,
  { lead, matched, emailHolder }: Match,
): Promise<Saved> {
  const { actor, submission, wanted } = toSave
  const { received_at: at, sender } = submission
  const { email, ...others } = submission.given
  const given: GivenFields = emailHolder || email === undefined ? others : { ...others, email }
  // The notes may no longer contain a message that came before, but the timeline does.
  if (
    submission.replayed &&
    given.notes !== undefined &&
    (await isOnTimeline(tx, actor, lead.id, { at, message: given.notes }))
  ) {
    delete given.notes
  }
  const merge = submission.onMatch === 'replace' ? mergeByReplacing(lead, given) : mergeByFilling(lead, given, at)
  const notTaken: NotTaken[] = [
    ...merge.not_taken.map((one) =>
      one.field === 'assigned_to' ? { ...one, offered: findEmail(wanted.account, one.offered) } : one,
    ),
    ...(emailHolder ? [{ field: 'email' as const, offered: email, reason: 'it belongs to another lead' }] : []),
  ]
  const keys = {
    phone_key: merge.fields.phone === lead.phone ? lead.phone_key : wanted.phone_key,
    email_key: merge.fields.email === lead.email ? lead.email_key : wanted.email_key,
  }
  if (submission.replayed && merge.changes.length === 0 && merge.message === null)
    return { outcome: 'merged', lead, hidden: false }
  const updated_at = nextUpdate(lead.updated_at, savingTime(submission))
  const merged: LeadRow = { id: lead.id, ...merge.fields, created_at: lead.created_at, updated_at }
  if (emailHolder) await recordAtEmailHolder(tx, toSave, emailHolder, lead)
  const changes = withOwnerEmails(wanted.account, merge.changes)
  const summary = mergedSummary({ sender, matched, changes, notTaken, hasMessage: merge.message !== null })
  const message = merge.message === null ? {} : { message: merge.message }
  const details = { matched, changes, not_taken: notTaken, ...message }
  const entry = { at, kind: 'merged', summary, details } as const
  await writeChange(tx, actor, { before: lead, after: merged, keys, entry })
  return { outcome: 'merged', lead: merged, hidden: false }
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
