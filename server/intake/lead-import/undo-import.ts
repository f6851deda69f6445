import { msg } from '@lingui/core/runtime-macro'
import { isAtLeast } from '../../access/account/contract.ts'
import { openAccounts } from '../../access/account/suspension.ts'
import { type Account, findAccount, visibleAssignees } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { dropLead } from '../../crm/leads/remove-lead.ts'
import { lockLead } from '../../crm/leads/store.ts'
import {
  type Actor,
  accountActor,
  asActor,
  forWholeAccount,
  maySee,
  readAsActor,
} from '../../platform/database/actor.ts'
import { continueJobs, runJobs } from '../../platform/database/batch-jobs.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { noUndoReason, type StoredImport, type StoredUndo } from './list-imports.ts'
import { noKey } from './progress-record.ts'
import { takeBackMerge, touchedLeads } from './undo-lead.ts'

/** Leads per transaction, so few that others wait for one of them for a fraction of a second. */
const batchSize = 50

const nothingUndone = { deleted: 0, restored: 0, called: 0, merged: 0, changed: 0, gone: 0 }

/** Starts to undo an import that the user sees. What is running or interrupted of it cannot go on. */
export async function startUndo(
  database: Database,
  actor: Actor & { user_id: string },
  id: string,
  now: Date,
): Promise<void> {
  const { account_id } = actor
  await asActor(database, actor, async (tx) => {
    const [row] = await tx<StoredImport[]>`
      select * from lead_imports where account_id = ${account_id} and id = ${id} for update`
    if (!row) throw notFound(msg`No import with this id.`)
    const reason = noUndoReason(row, now)
    if (reason) throw invalid(reason)
    const [leads] = await tx<{ total: number }[]>`
      select count(*)::int as total from lead_import_leads where account_id = ${account_id} and import_id = ${id}`
    const counts: StoredUndo = row.undo_counts ?? { ...nothingUndone, ...leads! }
    await tx`update lead_imports set undo_state = 'undoing', undone_by = ${actor.user_id}, undone_at = ${now},
        undo_counts = ${tx.json({ ...counts, error: null })}, state = 'done', key = ${noKey()}, rejections = '[]'
      where account_id = ${account_id} and id = ${id}`
  })
}

/** Undoes the imports of an account that users undid, one after the other, until none is left. */
export const runUndo = (database: Database, accountId: string, clock: () => Date): Promise<void> =>
  runJobs(`undo of imports of ${accountId}`, {
    next: () => findUnfinished(database, accountId),
    batch: (found) => oneBatch(database, found, clock()),
    stop: (found) => stop(database, found, 'An error occurred. Undo it again for the rest.'),
  })

/** Continues what another process, or this one before a restart, left unfinished. */
export const continueUndo = (database: Database, onError: (error: unknown) => void) =>
  continueJobs(
    database,
    async () => {
      const accounts = await database.directory<{ account_id: string }[]>`
        select distinct account_id from lead_imports
        where undo_state = 'undoing' and account_id in ${openAccounts(database.directory)}`
      await Promise.all(accounts.map(({ account_id }) => runUndo(database, account_id, () => new Date())))
    },
    onError,
  )

const findUnfinished = (database: Database, accountId: string): Promise<StoredImport | undefined> =>
  readAsActor(database, accountActor(accountId), async (tx) => {
    const [row] = await tx<StoredImport[]>`select * from lead_imports
      where account_id = ${accountId} and undo_state = 'undoing' order by undone_at, id limit 1`
    return row
  })

/** Returns null if another process runs a batch of it, or has ended it. */
async function lockUnfinished(tx: TransactionSql, { account_id, id }: StoredImport): Promise<StoredImport | null> {
  const [row] = await tx<StoredImport[]>`select * from lead_imports
    where account_id = ${account_id} and id = ${id} and undo_state = 'undoing' for update skip locked`
  return row ?? null
}

/** Returns why the user may no longer undo it; null if they may. */
function whyStopped({ users, lowest_role_to }: Account, { undone_by }: StoredImport): string | null {
  const user = users.find(({ id }) => id === undone_by)
  if (!user?.active) return `${user?.name ?? 'The user'} was deactivated.`
  const mayUndo = user.role !== 'Agent' && isAtLeast(user.role, lowest_role_to.delete)
  return mayUndo ? null : `${user.name} may not delete leads any more.`
}

async function oneBatch(database: Database, found: StoredImport, at: Date): Promise<'more' | 'ended'> {
  const { account_id, undone_by } = found
  const account = await findAccount(database, account_id)
  const reason = whyStopped(account, found)
  if (reason !== null) {
    await stop(database, found, reason)
    return 'more'
  }
  const user = account.users.find(({ id }) => id === undone_by)!
  const sees = visibleAssignees(user, account.users)
  const actor: Actor = { account_id, user_id: user.id, sees, via: 'web', via_id: found.id }
  const importer = account.users.find(({ id }) => id === found.user_id)
  const sender = importer ? `an import by ${importer.name}` : 'an import on the command line'
  return asActor(database, forWholeAccount(actor), async (tx) => {
    const job = await lockUnfinished(tx, found)
    if (!job) return 'ended'
    const leads = await tx<{ lead_id: string; created: boolean }[]>`select lead_id, created from lead_import_leads
      where account_id = ${account_id} and import_id = ${job.id}
        ${job.undo_position === null ? tx`` : tx`and lead_id > ${job.undo_position}`}
      order by lead_id limit ${batchSize}`
    const counts = { ...nothingUndone, ...job.undo_counts! }
    const undone: string[] = []
    const locked = await Promise.all(leads.map(({ lead_id }) => lockLead(tx, account_id, lead_id)))
    const touched = await touchedLeads(
      tx,
      actor,
      leads.filter(({ created }) => created).map(({ lead_id }) => lead_id),
    )
    for (const [index, { lead_id, created }] of leads.entries()) {
      const lead = locked[index]
      const why = touched.get(lead_id)
      if (!lead || !maySee(actor, lead.assigned_to)) {
        counts.gone++
        continue
      }
      if (created && why) {
        counts[why]++
        continue
      }
      if (created) {
        await dropLead(tx, actor, lead, [])
        counts.deleted++
      } else if (await takeBackMerge(tx, actor, lead, { account, by: user.name, sender, at })) counts.restored++
      else {
        counts.changed++
        continue
      }
      undone.push(lead_id)
    }
    // The leads that stay are still those of the import.
    await tx`delete from lead_import_leads
      where account_id = ${account_id} and import_id = ${job.id} and lead_id = any (${undone}::uuid[])`
    const isDone = leads.length < batchSize
    await tx`update lead_imports set undo_counts = ${tx.json(counts)}, undo_state = ${isDone ? 'undone' : 'undoing'},
        undo_position = ${leads.at(-1)?.lead_id ?? job.undo_position}
      where account_id = ${account_id} and id = ${job.id}`
    if (isDone) {
      const { deleted, restored, called, merged, changed, gone } = counts
      const not_restored = called + merged + changed + gone
      await recordAudit(
        tx,
        { ...actor, via_id: null },
        { action: 'leads.import_undone', subject_id: job.id, details: { deleted, restored, not_restored } },
      )
    }
    return 'more'
  })
}

/** Ends it before its end. The rest can be undone again. */
async function stop(database: Database, found: StoredImport, error: string): Promise<void> {
  await asActor(database, accountActor(found.account_id), async (tx) => {
    const job = await lockUnfinished(tx, found)
    if (!job) return
    await tx`update lead_imports set undo_state = 'stopped', undo_counts = ${tx.json({ ...job.undo_counts!, error })}
      where account_id = ${job.account_id} and id = ${job.id}`
  })
}
