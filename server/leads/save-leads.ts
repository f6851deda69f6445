import { type Actor, asActor, forWholeAccount } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { TransactionSql } from '../database/sql.ts'
import { allKeys } from './contact-keys.ts'
import { createLeads, type LeadToSave, leadsToCreate, newLeadRow, withAssignees } from './create-lead.ts'
import type { LeadRow, Saved, Submission } from './lead.ts'
import { hasNewOwner, saveLeadWithin } from './save-lead.ts'
import { lockContacts } from './store.ts'

/** Another step of the same transaction, after all leads are saved. */
type BatchStep = (tx: TransactionSql, saved: Saved[]) => Promise<void>

/**
 * Saves a batch of an import, in its order, in one transaction with `step`: each row like any other lead, by the same rules,
 * in few round trips. A batch is small, because others wait for its leads until it is committed.
 */
export async function saveLeads(
  database: Database,
  actor: Actor,
  submissions: Submission[],
  step: BatchStep,
): Promise<Saved[]> {
  if (submissions.length === 0) return []
  const wanted = await leadsToCreate(database, actor, submissions, { offers: false })
  return withAssignees(
    { database, actor, wanted },
    (leads) =>
      asActor(database, forWholeAccount(actor), async (tx) => {
        const saved_at = new Date()
        const rows = leads.map((wanted, index) => ({ actor, submission: { ...submissions[index]!, saved_at }, wanted }))
        const saved = await saveRows(tx, actor, rows)
        await step(tx, saved)
        return saved
      }),
    hasNewOwner,
  )
}

/**
 * Creates the leads with new contacts all at once, then saves the others one after the other: those that another lead matches, and
 * those that an earlier row of the batch may match.
 */
async function saveRows(tx: TransactionSql, actor: Actor, rows: LeadToSave[]): Promise<Saved[]> {
  const contacts = new Set<string>()
  const tried = new Map<LeadToSave, LeadRow>()
  for (const row of rows) {
    const keys = allKeys(row.wanted)
    if (keys.every((key) => !contacts.has(key))) tried.set(row, newLeadRow(row.submission, row.wanted))
    for (const key of keys) contacts.add(key)
  }
  // As of each row by itself, before any lead is written.
  await lockContacts(tx, actor.account_id, [...contacts])
  const created = await createLeads(
    tx,
    forWholeAccount(actor),
    [...tried].map(([toSave, lead]) => ({ toSave, lead })),
    { notifies: false },
  )
  const saved: Saved[] = []
  for (const row of rows) {
    const lead = tried.get(row)
    const isNew = lead !== undefined && created.has(lead.id)
    saved.push(isNew ? { outcome: 'created', lead, hidden: false } : await saveLeadWithin(tx, row, { matched: true }))
  }
  return saved
}
