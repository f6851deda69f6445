import type { Role } from '../../access/account/contract.ts'
import { openAccounts } from '../../access/account/suspension.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import type { Credits, Share } from '../distribution/share-evenly.ts'
import type { LeadPriority, LeadStatus } from '../leads/contract.ts'
import type { BulkChange } from './contract.ts'

/** What a bulk change does, as it is stored. */
export interface StoredChange {
  assign_to?: Share[] | null
  status?: LeadStatus
  lost_reason?: string | null
  priority?: LeadPriority
  call_again_at?: string | null
  add_tags?: string[]
  remove_tags?: string[]
  delete?: true
}

export interface StoredBulkChange {
  id: string
  user_id: string
  role: Role
  change: StoredChange
  state: BulkChange['state']
  total: number
  position: number
  changed: number
  unchanged: number
  skipped: number
  restored: number
  kept: number
  credits: Credits
  undone_by: string | null
  error: string | null
  started_at: Date
  finished_at: Date | null
}

/** How long former values are kept, in milliseconds. */
export const undoWithin = 86_400_000

/** Returns the oldest bulk change of an account that has not ended. */
export async function findUnfinished(directory: Sql, accountId: string): Promise<StoredBulkChange | null> {
  const [row] = await directory<StoredBulkChange[]>`select * from bulk_changes
    where account_id = ${accountId} and state in ('running', 'undoing') and account_id in ${openAccounts(directory)}
    order by started_at, id limit 1`
  return row ?? null
}

/** Returns null if it has ended, or another process runs a batch of it. */
export async function lockUnfinished(
  tx: TransactionSql,
  accountId: string,
  id: string,
): Promise<StoredBulkChange | null> {
  const [row] = await tx<StoredBulkChange[]>`select * from bulk_changes
    where account_id = ${accountId} and id = ${id} and state in ('running', 'undoing') for update skip locked`
  return row ?? null
}

export async function lockBulkChange(
  tx: TransactionSql,
  accountId: string,
  id: string,
): Promise<StoredBulkChange | null> {
  const [row] = await tx<StoredBulkChange[]>`select * from bulk_changes
    where account_id = ${accountId} and id = ${id} for update`
  return row ?? null
}

const maxListed = 50

/** Returns unfinished bulk changes and those of the last day that the actor sees, newest first. */
export function listBulkChanges(tx: TransactionSql, accountId: string, now: Date): Promise<StoredBulkChange[]> {
  return tx<StoredBulkChange[]>`select * from bulk_changes
    where account_id = ${accountId}
      and (state in ('running', 'undoing') or started_at > ${new Date(now.getTime() - undoWithin)}
        or finished_at > ${new Date(now.getTime() - undoWithin)})
    order by started_at desc, id desc limit ${maxListed}`
}

export interface BatchLead {
  position: number
  lead_id: string
  previous: Values | null
  written: Values | null
}

/** The changed fields of a lead. Of tags only those that were removed (before), and added (after). */
export interface Values {
  assigned_to?: string | null
  status?: LeadStatus
  priority?: LeadPriority
  call_again_at?: string | null
  no_next_step?: string | null
  lost_reason?: string | null
  tags?: string[]
}

export function nextLeads(
  tx: TransactionSql,
  accountId: string,
  { id, position, state }: StoredBulkChange,
  limit: number,
): Promise<BatchLead[]> {
  return tx<BatchLead[]>`select position, lead_id, previous, written from bulk_change_leads
    where account_id = ${accountId} and bulk_change_id = ${id} and position > ${position}
      ${state === 'undoing' ? tx`and previous is not null` : tx``}
    order by position limit ${limit}`
}

export async function writeValues(
  tx: TransactionSql,
  accountId: string,
  id: string,
  changed: { position: number; previous: Values; written: Values }[],
): Promise<void> {
  if (changed.length === 0) return
  await tx`update bulk_change_leads set previous = step.previous, written = step.written
    from jsonb_to_recordset(${tx.json(changed as never)}) as step (position integer, previous jsonb, written jsonb)
    where account_id = ${accountId} and bulk_change_id = ${id} and bulk_change_leads.position = step.position`
}

export interface Outcome {
  position: number
  changed: number
  unchanged: number
  skipped: number
  restored: number
  kept: number
  credits: Credits
}

export async function writeOutcome(
  tx: TransactionSql,
  accountId: string,
  id: string,
  { position, changed, unchanged, skipped, restored, kept, credits }: Outcome,
): Promise<void> {
  await tx`update bulk_changes set position = ${position}, changed = ${changed}, unchanged = ${unchanged},
      skipped = ${skipped}, restored = ${restored}, kept = ${kept}, credits = ${tx.json(credits)}
    where account_id = ${accountId} and id = ${id}`
}

/** The users that got leads, with one of these that still exists. It is not deleted before this transaction ends. */
export function newOwners(tx: TransactionSql, accountId: string, id: string) {
  return tx<{ user_id: string; leads: number; lead_id: string }[]>`
    select user_id, leads, lead.id as lead_id from (
      select (written->>'assigned_to')::uuid as user_id, count(*)::int as leads from bulk_change_leads
      where account_id = ${accountId} and bulk_change_id = ${id} and written->>'assigned_to' is not null group by 1
    ) owners cross join lateral (
      select leads.id from bulk_change_leads changed join leads on leads.account_id = ${accountId} and leads.id = changed.lead_id
      where changed.account_id = ${accountId} and bulk_change_id = ${id} and written->>'assigned_to' = owners.user_id::text
      order by position limit 1 for key share of leads
    ) lead`
}

/** Removes the leads of bulk changes that can no longer be undone. */
export async function deleteOldValues(
  tx: TransactionSql,
  accountId: string,
  now: Date,
  limit: number,
): Promise<number> {
  const oldest = new Date(now.getTime() - undoWithin)
  const gone =
    await tx`delete from bulk_change_leads where account_id = ${accountId} and (bulk_change_id, position) in (
    select bulk_change_id, leads.position from bulk_change_leads leads join bulk_changes
      on bulk_changes.account_id = ${accountId} and bulk_changes.id = bulk_change_id
    where leads.account_id = ${accountId} and state not in ('running', 'undoing') and finished_at < ${oldest} limit ${limit}
  )`
  return gone.count
}
