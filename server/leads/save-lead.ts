import { setTimeout } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record.ts'
import { type Actor, asActor, forWholeAccount, maySee } from '../database/actor.ts'
import { type Database, isConflict } from '../database/connect.ts'
import { wholeSecond } from '../http/date-window.ts'
import { recordOnTimeline } from '../timeline/record.ts'
import { emailElsewhereSentence, hiddenSubmissionSentence, mergedSentence } from '../timeline/sentences.ts'
import type { LeadPriority, LeadStatus } from './contract.ts'
import { createLead, type LeadRow, type LeadToCreate, leadToCreate, newLeadRow, takeAssignee } from './create-lead.ts'
import { type GivenFields, mergeByFilling, mergeByReplacing, type NotTaken } from './merge-lead.ts'
import { type LockedLead, lockMatches, writeMerge } from './store.ts'

/** A lead as it comes in, by whichever way. */
export interface Submission {
  /** An `assigned_to` is the id of an active person whom the actor may name. */
  given: GivenFields & { name: string }
  /** For a new lead alone (D7). */
  defaults: { source: string; status: LeadStatus; priority: LeadPriority }
  /** What a merge does with a field that already holds something (D7). */
  onMatch: 'replace' | 'fill'
  /** Who gets a new lead that names nobody (D3): whom the account's rules choose, where they count, else this person. */
  assignment: { byRules: boolean; otherwise: string | null; webhook_id: string | null }
  /** As a timeline names it: the API key “Website”. */
  sender: string
  received_at: Date
  /** Taken before and taken again: leaves no trace where it changes nothing. */
  replayed?: boolean
}

export interface Saved {
  outcome: 'created' | 'merged'
  lead: LeadRow
  /** The lead that was matched is one the actor may not see: nothing of it may be told but id, status and times (D8). */
  hidden: boolean
}

/** What else belongs to the same transaction. */
export type Alongside = (tx: TransactionSql, saved: Saved) => Promise<void>

/**
 * Creates a lead or merges into the one that holds its phone or email: the only way a lead is written, for the REST
 * interface and for webhooks. Of any number of simultaneous calls for one person exactly one creates (D5).
 */
export async function saveLead(
  database: Database,
  actor: Actor,
  submission: Submission,
  alongside?: Alongside,
): Promise<Saved> {
  const wanted = await leadToCreate(database, actor, submission)
  if (!wanted.needsTurn) {
    const saved: Saved = { outcome: 'created', lead: newLeadRow(submission, wanted), hidden: false }
    const create = (sql: Sql | TransactionSql) => createLead(sql, actor, submission, wanted, saved.lead)
    try {
      // Sent together, without waiting for the one before the other is sent.
      if (alongside) await asActor(database, actor, (tx) => Promise.all([create(tx), alongside(tx, saved)]))
      else await create(database.of(actor.account_id))
      return saved
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
  return retryingDeadlocks(() =>
    asActor(database, forWholeAccount(actor), async (tx) => {
      const saved = await saveWithin(tx, actor, submission, wanted)
      await alongside?.(tx, saved)
      return saved
    }),
  )
}

/** The same within a transaction that has more to write, and that was begun for the whole account. */
export async function saveLeadWithin(
  tx: TransactionSql,
  database: Database,
  actor: Actor,
  submission: Submission,
): Promise<Saved> {
  return saveWithin(tx, actor, submission, await leadToCreate(database, actor, submission))
}

const mostAttempts = 20

/**
 * Tries to create, then to merge, and again: the lead that was in the way may be gone by the time it is looked for, and
 * a phone that a merge brings may by then be another's. Every turn means that somebody else got something done.
 */
async function saveWithin(
  tx: TransactionSql,
  actor: Actor,
  submission: Submission,
  wanted: LeadToCreate,
): Promise<Saved> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const created = await unlessConflict(tx, async (part) => {
      const whose = await takeAssignee(part, actor.account_id, wanted)
      const lead = newLeadRow(submission, whose)
      await createLead(part, forWholeAccount(actor), submission, whose, lead)
      return lead
    })
    if (created) return { outcome: 'created', lead: created, hidden: false }
    const merged = await unlessConflict(tx, (part) => mergeIntoMatch(part, actor, submission, wanted))
    if (merged) return merged
  }
  throw new Error(`the lead could neither be created nor merged in ${mostAttempts} attempts`)
}

async function unlessConflict<T>(tx: TransactionSql, work: (part: TransactionSql) => Promise<T>): Promise<T | null> {
  try {
    return (await tx.savepoint(work)) as T
  } catch (error) {
    if (isConflict(error)) return null
    throw error
  }
}

async function mergeIntoMatch(
  tx: TransactionSql,
  actor: Actor,
  submission: Submission,
  wanted: LeadToCreate,
): Promise<Saved | null> {
  const { account_id } = actor
  const matches = await lockMatches(tx, account_id, wanted.phone_key, wanted.email_key)
  const byPhone = matches.find((lead) => lead.phone_key !== null && lead.phone_key === wanted.phone_key)
  const byEmail = matches.find((lead) => lead.email_key !== null && lead.email_key === wanted.email_key)
  const lead = byPhone ?? byEmail
  if (!lead) return null
  const at = submission.received_at
  const told = { via: actor.via, via_id: actor.via_id, submitted: submission.given }
  if (byPhone && byEmail && byPhone.id !== byEmail.id) {
    const summary = emailElsewhereSentence(submission.sender)
    const details = { via: actor.via, via_id: actor.via_id, merged_into: lead.id }
    await recordOnTimeline(tx, { account_id, ...byEmail }, { at, kind: 'submitted', summary, details })
  }
  if (!maySee(actor, lead.assigned_to)) {
    const summary = hiddenSubmissionSentence(submission.sender)
    await recordOnTimeline(tx, { account_id, ...lead }, { at, kind: 'submitted', summary, details: told })
    await recordAudit(tx, actor, 'lead.submitted_again', lead.id)
    return { outcome: 'merged', lead, hidden: true }
  }
  const matched = [...(byPhone ? ['phone'] : []), ...(byEmail?.id === lead.id ? ['email'] : [])]
  return mergeInto(tx, actor, submission, wanted, lead, matched, byEmail !== undefined && byEmail.id !== lead.id)
}

async function mergeInto(
  tx: TransactionSql,
  actor: Actor,
  submission: Submission,
  wanted: LeadToCreate,
  lead: LockedLead,
  matched: string[],
  emailIsAnothers: boolean,
): Promise<Saved> {
  const { account_id } = actor
  const { received_at: at, sender } = submission
  const { email, ...others } = submission.given
  const given: GivenFields = emailIsAnothers || email === undefined ? others : { ...others, email }
  const merge = submission.onMatch === 'replace' ? mergeByReplacing(lead, given) : mergeByFilling(lead, given, at)
  const notTaken: NotTaken[] = [
    ...merge.not_taken,
    ...(emailIsAnothers ? [{ field: 'email' as const, offered: email, reason: 'it belongs to another lead' }] : []),
  ]
  const keys = {
    phone_key: merge.fields.phone === lead.phone ? lead.phone_key : wanted.phone_key,
    email_key: merge.fields.email === lead.email ? lead.email_key : wanted.email_key,
  }
  if (submission.replayed && merge.changes.length === 0) return { outcome: 'merged', lead, hidden: false }
  const merged: LeadRow = { id: lead.id, ...merge.fields, created_at: lead.created_at, updated_at: wholeSecond(at) }
  await writeMerge(tx, account_id, lead, merged, keys)
  const emailOf = (id: unknown) => wanted.account.people.find((person) => person.id === id)?.email ?? null
  const changes = merge.changes.map((change) =>
    change.field === 'assigned_to'
      ? { ...change, before: emailOf(change.before), after: emailOf(change.after) }
      : change,
  )
  await recordOnTimeline(
    tx,
    { account_id, id: lead.id, assigned_to: merged.assigned_to },
    {
      at,
      kind: 'merged',
      summary: mergedSentence(sender, matched, changes, notTaken),
      details: { via: actor.via, via_id: actor.via_id, matched, changes, not_taken: notTaken },
    },
  )
  await recordAudit(tx, actor, 'lead.merged', lead.id, { fields: changes.map((change) => change.field) })
  return { outcome: 'merged', lead: merged, hidden: false }
}

/** Two merges may lock the same leads and people in turn; PostgreSQL ends one of them, and it tries again. */
export async function retryingDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt >= 5 || (code !== '40P01' && code !== '40001')) throw error
      await setTimeout(attempt * 20 * Math.random())
    }
  }
}
