import { type Actor, asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { allKeys } from './contact-keys.ts'
import { type LeadToSave, leadsToCreate, takesTurn } from './create-lead.ts'
import type { Saved, Submission } from './lead.ts'
import { createWithin, saveLeadWithin } from './save-lead.ts'
import { withSourceNames } from './source-names.ts'
import { lockContacts, lockMatches } from './store.ts'

/** Another step of the same transaction, after all leads are saved. */
type BatchStep = (tx: TransactionSql, saved: Saved[]) => Promise<void>

/**
 * Saves a batch of an import, in its order, in one transaction with `step`: each row like any other lead, by the same rules,
 * in few round trips. A batch is small, because others wait for its leads until it is committed.
 */
export async function saveLeads(
  database: Database,
  actor: Actor,
  sent: Submission[],
  step: BatchStep,
): Promise<Saved[]> {
  if (sent.length === 0) return []
  const submissions = await withSourceNames(database, actor, sent)
  const wanted = await leadsToCreate(database, actor, submissions, { offers: false })
  return asActor(database, forWholeAccount(actor), async (tx) => {
    const saved_at = new Date()
    const rows = submissions.map((submission, at) => ({
      actor,
      submission: { ...submission, saved_at },
      wanted: wanted[at]!,
    }))
    const saved = await saveRows(tx, actor, rows)
    await step(tx, saved)
    return saved
  })
}

/**
 * Creates the leads with new contacts all at once, then saves the others one after the other: those that another lead matches, and
 * those that an earlier row of the batch may match.
 */
async function saveRows(tx: TransactionSql, actor: Actor, rows: LeadToSave[]): Promise<Saved[]> {
  const contacts = new Set<string>()
  const tried: LeadToSave[] = []
  for (const row of rows) {
    const keys = allKeys(row.wanted)
    if (keys.every((key) => !contacts.has(key))) tried.push(row)
    for (const key of keys) contacts.add(key)
  }
  // As of each row by itself, before any lead is written. A lead that exists takes no turn.
  await lockContacts(tx, actor.account_id, [...contacts])
  const isTaking = tried.some(({ wanted }) => takesTurn(wanted))
  const matches = isTaking ? await lockMatches(tx, actor.account_id, [...contacts]) : []
  const known = new Set(matches.flatMap(({ matched_keys }) => matched_keys))
  const fresh = tried.filter(({ wanted }) => allKeys(wanted).every((key) => !known.has(key)))
  const created = await createWithin(tx, fresh, { notifies: false })
  const leads = new Map(fresh.map((row, at) => [row, created[at]]))
  const saved: Saved[] = []
  for (const row of rows) {
    const lead = leads.get(row)
    saved.push(lead ? { outcome: 'created', lead, hidden: false } : await saveLeadWithin(tx, row, { matched: true }))
  }
  return saved
}
