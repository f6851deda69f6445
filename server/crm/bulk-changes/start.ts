import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import type { Role } from '../../access/account/contract.ts'
import { findAccount } from '../../access/account/users.ts'
import { type Actor, actAs, asActor, forWholeAccount, maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { invalid } from '../../platform/http/problem.ts'
import { reasonWithoutLost, unknownReason } from '../leads/change-closing.ts'
import { filtersOf } from '../leads/filters-of.ts'
import { matchesFilters } from '../leads/match-filters.ts'
import { assigneeId } from '../leads/submission.ts'
import { type LeadSelection, maxLeads, type NewBulkChange } from './contract.ts'
import { type StoredChange, undoWithin } from './store.ts'

/** Changes of an account that run or wait. */
export const maxUnfinished = 5
/** Per account: the former values of these leads are kept. */
export const maxLeadsPerDay = 1_000_000

interface Starting {
  selection: LeadSelection
  change: StoredChange
  /** The number of leads that the user typed to delete them. */
  expected?: number | undefined
  role: Role
  now: Date
}

/** Returns the change as it is stored, after the checks that a change of one lead has. */
export async function readChange(
  database: Database,
  actor: Actor,
  { assign_to, delete: typed, ...values }: NewBulkChange['change'],
): Promise<StoredChange> {
  if (typed !== undefined) {
    if (assign_to !== undefined || Object.keys(values).length > 0)
      throw invalid(msg`A deletion changes nothing else: send delete alone.`, 'delete')
    return { delete: true }
  }
  const stored: StoredChange = values as StoredChange
  if (values.lost_reason) {
    if (values.status !== 'Lost') throw reasonWithoutLost()
    if (!(await findAccount(database, actor.account_id)).lostReasons.includes(values.lost_reason)) throw unknownReason()
  }
  if (assign_to !== undefined) {
    if (assign_to === null && !maySee(actor, null))
      throw invalid(msg`Only Admins can leave a lead unassigned.`, 'assign_to')
    stored.assign_to =
      assign_to &&
      (await Promise.all(
        assign_to.map(async ({ email, weight }) => ({
          user_id: await assigneeId(database, actor, email, 'assign_to'),
          weight,
        })),
      ))
    if (new Set(stored.assign_to?.map(({ user_id }) => user_id)).size < (stored.assign_to?.length ?? 0))
      throw invalid(msg`Name each user once.`, 'assign_to')
  }
  const isEmpty = Object.values(stored).every((value) => value === undefined || (Array.isArray(value) && !value.length))
  if (isEmpty) throw invalid(msg`Say what to change: owner, status, priority, time to call again or tags.`, 'change')
  return stored
}

/** Saves a bulk change with the leads that it covers, chosen in one statement. Returns its id. */
export async function startBulkChange(
  database: Database,
  actor: Actor & { user_id: string },
  { selection, change, expected, role, now }: Starting,
): Promise<string> {
  const { account_id, user_id } = actor
  const choose = await chooser(database, actor, selection, now)
  await readAsActor(database, forWholeAccount(actor), (tx) => checkLimits(tx, account_id, now))
  const id = randomUUID()
  await asActor(database, { ...actor, silent: true }, async (tx) => {
    await tx`insert into bulk_changes (account_id, id, user_id, role, change, state, total, started_at)
      values (${account_id}, ${id}, ${user_id}, ${role}, ${tx.json(change as never)}, 'running', 0, ${now})`
    const chosen = await choose(tx)
    const { count } = await tx`insert into bulk_change_leads (account_id, bulk_change_id, position, user_id, lead_id)
      select ${account_id}::uuid, ${id}::uuid, row_number() over (order by lead), ${user_id}::uuid, lead
      from (${chosen()} limit ${maxLeads + 1}) chosen (lead) returning 1`
    checkCount(count, expected)
    // Again, under a lock: others may have started at once. It is taken last, so that none waits while leads are chosen.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`${account_id} bulk changes`}, 0))`
    await actAs(tx, forWholeAccount(actor))
    await checkLimits(tx, account_id, now, id)
    await tx`update bulk_changes set total = ${count} where account_id = ${account_id} and id = ${id}`
  })
  return id
}

/** Returns how many leads match the filters. */
export async function countSelection(
  database: Database,
  actor: Actor,
  selection: LeadSelection,
  now: Date,
): Promise<number> {
  const choose = await chooser(database, actor, selection, now)
  return readAsActor(database, actor, async (tx) => {
    const chosen = await choose(tx)
    const [row] = await tx`select count(*)::int as n from (${chosen()} limit ${maxLeads + 1}) chosen`
    return row!.n
  })
}

/** Leads that are named and do not exist, or are not visible, are skipped and counted when they have their turn. */
async function chooser(
  database: Database,
  actor: Actor,
  { ids, matching }: LeadSelection,
  now: Date,
): Promise<(tx: TransactionSql) => Promise<() => Statement>> {
  if ((ids === undefined) === (matching === undefined))
    throw invalid(msg`Send ids or matching, and not both.`, ids ? 'matching' : 'ids')
  if (ids) return async (tx) => () => tx`select id from unnest(${ids}::uuid[]) as named (id)`
  const filters = await filtersOf(database, actor, matching!, now)
  return async (tx) => {
    const matches = await matchesFilters(tx, actor, filters)
    return () => tx`select leads.id from leads where leads.account_id = ${actor.account_id} and ${matches()}`
  }
}

function checkCount(count: number, expected: number | undefined): void {
  if (count === 0) throw invalid(msg`No lead matches these filters any more.`, 'matching')
  if (count > maxLeads)
    throw invalid(msg`A bulk change covers at most ${{ maxLeads }} leads. Choose fewer by a filter.`, 'matching')
  if (expected !== undefined && expected !== count)
    throw invalid(
      msg`${{ count }} leads match now instead of ${{ expected }}. Check them, then type the number again.`,
      'delete',
    )
}

/** Call it as an actor that sees everything: it counts the bulk changes of all users of the account, without that of the id. */
async function checkLimits(tx: TransactionSql, accountId: string, now: Date, id: string | null = null): Promise<void> {
  const since = new Date(now.getTime() - undoWithin)
  const [held] = await tx`select count(*) filter (where state in ('running', 'undoing'))::int as unfinished,
      coalesce(sum(total), 0)::int as leads
    from bulk_changes where account_id = ${accountId} and id is distinct from ${id} and (started_at > ${since} or state in ('running', 'undoing'))`
  if (held!.unfinished >= maxUnfinished)
    throw invalid(msg`${{ maxUnfinished }} bulk changes are running or waiting. Wait until one has ended.`)
  if (held!.leads >= maxLeadsPerDay)
    throw invalid(msg`Bulk changes of one day cover at most ${{ maxLeadsPerDay }} leads. Try again tomorrow.`)
}
