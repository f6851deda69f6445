import type { TransactionSql } from 'postgres'
import { type Actor, asActor, forWholeAccount } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isConflict } from '../database/errors.ts'
import { batchSlot, type CountChange, countLeads } from './counts.ts'
import {
  type AssignedLead,
  createLeads,
  type LeadToCreate,
  type LeadToSave,
  leadsToCreate,
  newLeadRow,
  withAssignee,
} from './create-lead.ts'
import type { Saved, Submission } from './lead.ts'
import { saveLeadWithin } from './save-lead.ts'

/** Another step of the same transaction, after all leads are saved. */
type BatchStep = (tx: TransactionSql, saved: Saved[]) => Promise<void>

/**
 * Saves a batch of an import, in its order, in one transaction with `step`: each row like any other lead, by the same rules,
 * in few round trips. A batch is small, because others wait for its leads until it is committed; its counts are written after
 * them, so that others wait for these only briefly.
 */
export async function saveLeads(
  database: Database,
  actor: Actor,
  submissions: Submission[],
  step: BatchStep,
): Promise<Saved[]> {
  if (submissions.length === 0) return []
  const wanted = await leadsToCreate(database, actor, submissions)
  return withAssignees({ database, actor, wanted }, async (leads) => {
    const attempt = (knowing: boolean) =>
      asActor(database, forWholeAccount(actor), async (tx) => {
        const batchCounts: CountChange[] = []
        const rows = leads.map((wanted, index) => ({ actor, submission: submissions[index]!, wanted, batchCounts }))
        const saved = await saveRows(tx, rows, knowing)
        await countLeads(tx, actor.account_id, batchCounts, batchSlot)
        await step(tx, saved)
        return saved
      })
    try {
      return await attempt(true)
    } catch (error) {
      // Somebody created one of these leads at the same moment.
      if (!isConflict(error)) throw error
      return attempt(false)
    }
  })
}

type Row = LeadToSave & { batchCounts: CountChange[] }

/**
 * Creates the leads whose contacts no lead has, all at once, then merges the others one after the other. Without `knowing`,
 * each is tried by itself.
 */
async function saveRows(tx: TransactionSql, rows: Row[], knowing: boolean): Promise<Saved[]> {
  const known = knowing ? await knownContacts(tx, rows) : new Set<string>()
  const saved = new Map<Row, Saved>()
  if (knowing) {
    const created = rows.filter((row) => {
      const keys = keysOf(row)
      const isNew = keys.every((key) => !known.has(key))
      for (const key of keys) known.add(key)
      return isNew
    })
    for (const row of created) {
      const lead = newLeadRow(row.submission, row.wanted)
      saved.set(row, { outcome: 'created', lead, hidden: false })
      row.batchCounts.push({ lead, n: 1 })
    }
    await createLeads(
      tx,
      created.map((row) => ({ toSave: row, lead: saved.get(row)!.lead })),
    )
  }
  for (const row of rows) if (!saved.has(row)) saved.set(row, await saveLeadWithin(tx, row, { matched: knowing }))
  return rows.map((row) => saved.get(row)!)
}

const keysOf = ({ wanted }: Row) => [wanted.phone_key, wanted.email_key].filter((key) => key !== null)

async function knownContacts(tx: TransactionSql, rows: Row[]): Promise<Set<string>> {
  const { account_id } = rows[0]!.actor
  const keys = rows.flatMap(keysOf)
  const found = await tx<{ key: string }[]>`
    select phone_key as key from leads where account_id = ${account_id} and phone_key = any (${keys})
    union all select email_key from leads where account_id = ${account_id} and email_key = any (${keys})`
  return new Set(found.map(({ key }) => key))
}

/**
 * Runs `work` with all leads and their assignees. The round robin positions are taken together, before any transaction; those
 * of leads that are not created go to the next leads.
 */
async function withAssignees(
  { database, actor, wanted }: { database: Database; actor: Actor; wanted: LeadToCreate[] },
  work: (leads: AssignedLead[]) => Promise<Saved[]>,
): Promise<Saved[]> {
  const assigned = new Map<number, AssignedLead>()
  const done = Promise.withResolvers<Saved[]>()
  // Handled below, where each lead waits for it.
  done.promise.catch(() => {})
  const each = wanted.map((lead, index) =>
    withAssignee(
      { database, actor, wanted: lead },
      (its) => {
        assigned.set(index, its)
        if (assigned.size === wanted.length) {
          work(wanted.map((_, at) => assigned.get(at)!)).then(done.resolve, done.reject)
        }
        return done.promise
      },
      (saved) => saved[index]!.outcome === 'created',
    ).catch((error) => {
      done.reject(error)
      throw error
    }),
  )
  await Promise.all(each)
  return done.promise
}
