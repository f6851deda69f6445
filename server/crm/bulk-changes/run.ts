import { openAccounts } from '../../access/account/suspension.ts'
import { type Account, findAccount, visibleAssignees } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, actAs, asActor, forWholeAccount } from '../../platform/database/actor.ts'
import { continueJobs, runJobs } from '../../platform/database/batch-jobs.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { nextAssignee } from '../distribution/share-evenly.ts'
import { addNotice } from '../notices/add-notice.ts'
import { changeOne, deleteOne, undoOne } from './change-one.ts'
import {
  findUnfinished,
  lockUnfinished,
  newOwners,
  nextLeads,
  type Outcome,
  type StoredBulkChange,
  type Values,
  writeOutcome,
  writeValues,
} from './store.ts'
import { whyStopped } from './why-stopped.ts'

/** Leads per transaction, so few that others wait for one of them for a fraction of a second. */
const batchSize = { change: 50, delete: 10 }

/** Runs the bulk changes of an account one after the other, until none is left. */
export const runBulkChanges = (database: Database, accountId: string, clock: () => Date): Promise<void> =>
  runJobs(`bulk changes of ${accountId}`, {
    next: () => findUnfinished(database.directory, accountId),
    batch: (job) => oneBatch(database, accountId, job, clock()),
    stop: (job) =>
      stop(database, accountId, job, 'An error occurred. The rest is unchanged: start again for it.', clock()),
  })

/** Continues bulk changes that another process, or this one before a restart, left unfinished. */
export const continueBulkChanges = (database: Database, onError: (error: unknown) => void) =>
  continueJobs(
    database,
    async () => {
      const accounts = await database.directory<{ account_id: string }[]>`
      select distinct account_id from bulk_changes
      where state in ('running', 'undoing') and account_id in ${openAccounts(database.directory)}`
      await Promise.all(accounts.map(({ account_id }) => runBulkChanges(database, account_id, () => new Date())))
    },
    onError,
  )

const runnerOf = (job: StoredBulkChange) => (job.state === 'undoing' ? job.undone_by! : job.user_id)

/** The user who started it, with what they see now. */
function actorOf(account: Account, job: StoredBulkChange): Actor {
  const user = account.users.find(({ id }) => id === runnerOf(job))
  const sees = user?.active ? visibleAssignees(user, account.users) : []
  return { account_id: account.id, user_id: runnerOf(job), sees, via: 'web', via_id: job.id }
}

async function oneBatch(
  database: Database,
  accountId: string,
  found: StoredBulkChange,
  now: Date,
): Promise<'more' | 'ended'> {
  const account = await findAccount(database, accountId)
  const reason = whyStopped(account, found, runnerOf(found))
  if (reason !== null) {
    await stop(database, accountId, found, reason, now)
    return 'more'
  }
  const actor = actorOf(account, found)
  const context = { account, by: account.users.find(({ id }) => id === actor.user_id)!.name, at: now }
  let forgetSettings = false
  const formerOwners = new Set<string>()
  const next = await asActor(database, actor, async (tx) => {
    const job = await lockUnfinished(tx, accountId, found.id)
    // It was canceled, undone or continued by another process meanwhile.
    if (!job || job.state !== found.state) return 'ended'
    const { change, state } = job
    const limit = change.delete ? batchSize.delete : batchSize.change
    const leads = await nextLeads(tx, accountId, job, limit)
    const position = leads.length < limit ? job.total : leads.at(-1)!.position
    const outcome: Outcome = { ...job, position }
    const changed: { position: number; previous: Values; written: Values }[] = []
    for (const lead of leads) {
      if (state === 'undoing') {
        const isRestored = await undoOne(tx, actor, lead, context)
        outcome[isRestored ? 'restored' : 'kept']++
      } else if (change.delete) {
        const isDeleted = await deleteOne(tx, actor, lead, context, () => {
          forgetSettings = true
        })
        if (isDeleted) outcome.changed++
      } else {
        const next = change.assign_to && nextAssignee(outcome.credits, change.assign_to)
        const result = await changeOne(tx, actor, { ...change, assign_to: next ? next.user_id : next }, lead, context)
        if (result === 'skipped') continue
        if (next) outcome.credits = next.credits
        if (result === 'unchanged') {
          outcome.unchanged++
          continue
        }
        outcome.changed++
        if (result.previous.assigned_to) formerOwners.add(result.previous.assigned_to)
        changed.push({ position: lead.position, ...result })
      }
    }
    // Leads that were deleted meanwhile left the list.
    if (state === 'running') outcome.skipped = position - outcome.changed - outcome.unchanged
    await writeValues(tx, accountId, job.id, changed)
    await writeOutcome(tx, accountId, job.id, outcome)
    if (position === job.total) {
      const isUndo = state === 'undoing'
      if (isUndo) outcome.kept = job.changed - outcome.restored
      await finishBulkChange(tx, actor, { ...job, ...outcome }, { state: isUndo ? 'undone' : 'done', error: null, now })
    }
    return 'more'
  })
  database.announceToUsers(accountId, [...formerOwners])
  if (forgetSettings) database.cache.invalidate(accountId)
  return next
}

/** Ends a bulk change before its end. What it changed stays. */
async function stop(
  database: Database,
  accountId: string,
  found: StoredBulkChange,
  error: string,
  now: Date,
): Promise<void> {
  const actor: Actor = { account_id: accountId, user_id: found.user_id, sees: [], via: 'web', via_id: found.id }
  await asActor(database, actor, async (tx) => {
    const job = await lockUnfinished(tx, accountId, found.id)
    if (job) await finishBulkChange(tx, actor, job, { state: 'stopped', error, now })
  })
}

/** Writes the end of a locked bulk change, one audit entry, and one notification for each new owner. */
export async function finishBulkChange(
  tx: TransactionSql,
  actor: Actor,
  job: StoredBulkChange,
  { state, error, now }: { state: StoredBulkChange['state']; error: string | null; now: Date },
): Promise<void> {
  const { account_id } = actor
  const { id, change, changed, skipped, restored, kept } = job
  await tx`update bulk_changes set state = ${state}, error = ${error}, finished_at = ${now}, kept = ${kept}
    where account_id = ${account_id} and id = ${id}`
  const isUndo = job.state === 'undoing'
  const { assign_to: _, ...others } = change
  const names = [...('assign_to' in change ? ['assigned_to'] : []), ...Object.keys(others)]
  const fields = [...new Set(names.map((name) => (name.endsWith('_tags') ? 'tags' : name)))]
  await recordAudit(
    tx,
    { ...actor, user_id: runnerOf(job), via_id: null },
    isUndo
      ? { action: 'leads.bulk_undone', subject_id: id, details: { leads: restored, not_restored: kept } }
      : change.delete
        ? { action: 'leads.bulk_deleted', subject_id: id, details: { leads: changed, skipped } }
        : { action: 'leads.bulk_changed', subject_id: id, details: { leads: changed, skipped, fields } },
  )
  if (isUndo || !change.assign_to) return
  // The user of a change that stopped may see none of the leads.
  await actAs(tx, forWholeAccount(actor))
  for (const { user_id, leads, lead_id } of await newOwners(tx, account_id, id))
    if (user_id !== actor.user_id)
      await (leads === 1
        ? addNotice(tx, account_id, 'assigned', { user_id, lead_id, at: now, about: {} })
        : addNotice(tx, account_id, 'assigned_in_bulk', { user_id, lead_id, at: now, about: { leads } }))
}
