import type { Account } from '../../access/account/users.ts'
import { removeEnquiries } from '../../crm/enquiries/store.ts'
import { fieldsOf } from '../../crm/leads/change-lead.ts'
import { contactKeys } from '../../crm/leads/contact-keys.ts'
import type { LeadRow, LockedLead } from '../../crm/leads/lead.ts'
import { changesBetween } from '../../crm/leads/merge-lead.ts'
import { otherContacts } from '../../crm/leads/store.ts'
import { nextUpdate } from '../../crm/leads/updated-at.ts'
import { writeChange } from '../../crm/leads/write-change.ts'
import { importUndoneSummary, mergedText } from '../../crm/timeline/summaries.ts'
import type { Actor } from '../../platform/database/actor.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { deleteCallLog } from '../../telephony/calls/store.ts'
import { type Merged, takeBack } from './take-back.ts'

/** Why a lead that an import created stays. */
export type Touched = 'called' | 'merged' | 'changed'

/**
 * Returns which of the locked leads, created by an import, something else happened to since. The import is the `via_id` of the actor. What
 * another import did counts no longer once it is undone.
 */
export async function touchedLeads(
  tx: TransactionSql,
  { account_id, via_id }: Actor,
  ids: string[],
): Promise<Map<string, Touched>> {
  const rows = await tx<{ lead_id: string; by: Touched }[]>`
    select lead_id, case when kind like 'call%' then 'called' when kind in ('merged', 'submitted') then 'merged' else 'changed' end as by
    from timeline_entries where account_id = ${account_id} and lead_id = any (${ids}::uuid[])
      and details->>'via_id' is distinct from ${via_id} and not details ? 'undone_import'
    union all select lead_id, 'called' from phone_calls where account_id = ${account_id} and lead_id = any (${ids}::uuid[])
    union all select lead_id, 'merged' from deliveries where account_id = ${account_id} and lead_id = any (${ids}::uuid[])
    union all select lead_id, 'merged' from enquiries
      where account_id = ${account_id} and lead_id = any (${ids}::uuid[]) and via_id is distinct from ${via_id}`
  const order: Touched[] = ['changed', 'merged', 'called']
  rows.sort((one, other) => order.indexOf(one.by) - order.indexOf(other.by))
  return new Map(rows.map(({ lead_id, by }) => [lead_id, by]))
}

interface Undo {
  account: Account
  /** The name of the user. */
  by: string
  /** How the import named itself on timelines. */
  sender: string
  at: Date
}

interface Entry {
  id: string
  kind: string
  details: Merged & { call_log_id?: string }
}

/**
 * Takes back what an import, the `via_id` of the actor, added to a locked lead that existed: fields, tags, contacts, calls and enquiry, as
 * far as they did not change since. Returns whether nothing of it is left; then its entries on the timeline lose their data, too.
 */
export async function takeBackMerge(tx: TransactionSql, actor: Actor, lead: LockedLead, undo: Undo): Promise<boolean> {
  try {
    return await tx.savepoint((part) => takeBackIn(part, actor, lead, undo))
  } catch (error) {
    // A placeholder that the lead had before belongs to another lead of this name.
    if (isConflict(error)) return false
    throw error
  }
}

async function takeBackIn(
  tx: TransactionSql,
  actor: Actor,
  lead: LockedLead,
  { account, by, sender, at }: Undo,
): Promise<boolean> {
  const { account_id, via_id } = actor
  const entries = await tx<Entry[]>`select id, kind, details from timeline_entries
    where account_id = ${account_id} and lead_id = ${lead.id} and details->>'via_id' = ${via_id} and not details ? 'undone_import'
    order by id desc`
  const contacts = await otherContacts(tx, account_id, lead.id)
  const back = takeBack(
    { fields: fieldsOf(lead), contacts },
    entries.map(({ details }) => details),
  )
  const keys = keysOf(lead, back.fields, account)
  const isReachable = keys.phone_key !== null || keys.email_key !== null || contacts.length > back.removed.length
  // Its own contact is gone, so it keeps that of the import.
  if (!isReachable) return false
  const changes = changesBetween(fieldsOf(lead), back.fields)
  const calls = await takeBackCalls(tx, account_id, lead.id, entries)
  const hadEnquiry = await removeEnquiries(tx, actor, lead.id)
  const taken = [
    ...changes.map(({ field }) => field),
    ...(back.removed.length > 0 ? ['other_contacts'] : []),
    ...(calls.removed > 0 ? ['calls'] : []),
    ...(hadEnquiry ? ['enquiry'] : []),
  ]
  if (taken.length > 0) {
    const after: LeadRow = {
      ...back.fields,
      id: lead.id,
      created_at: lead.created_at,
      updated_at: nextUpdate(lead.updated_at, at),
    }
    await writeChange(tx, actor, {
      before: lead,
      after,
      keys,
      removed: back.removed.map(({ key }) => key),
      entry: {
        at,
        kind: 'changed',
        summary: importUndoneSummary(by, taken),
        // Neither what the import wrote nor what was there before: it may be another person's.
        details: { changes: [], undone_import: via_id },
      },
      audit: { action: 'lead.changed', details: { fields: taken } },
    })
  }
  const isWhole = back.isWhole && calls.isWhole
  if (isWhole) await forgetEntries(tx, actor, lead.id, { entries, sender })
  return isWhole
}

function keysOf(lead: LockedLead, fields: ReturnType<typeof fieldsOf>, { country }: Account) {
  const first = contactKeys(fields, country)
  return {
    phone_key: fields.phone === lead.phone ? lead.phone_key : first.phone_key,
    email_key: fields.email === lead.email ? lead.email_key : first.email_key,
  }
}

/** Deletes the calls that an import logged, but for those that were corrected or reported by a telephone system since. */
async function takeBackCalls(tx: TransactionSql, accountId: string, leadId: string, entries: Entry[]) {
  const ids = entries.flatMap(({ details: { call_log_id } }) => call_log_id ?? [])
  if (ids.length === 0) return { removed: 0, isWhole: true }
  const calls = await tx<{ id: string; is_same: boolean }[]>`
    select id, changed_at is null and not exists (
      select from phone_calls where account_id = ${accountId} and call_log_id = call_logs.id
    ) as is_same
    from call_logs where account_id = ${accountId} and id = any (${ids}::uuid[]) and lead_id = ${leadId}`
  const same = calls.filter(({ is_same }) => is_same)
  for (const { id } of same) await deleteCallLog(tx, accountId, id)
  return { removed: same.length, isWhole: same.length === calls.length }
}

/** Removes what the rows of the file contained from the entries of their merges. */
async function forgetEntries(
  tx: TransactionSql,
  { account_id, via_id }: Actor,
  leadId: string,
  { entries, sender }: { entries: Entry[]; sender: string },
): Promise<void> {
  await tx`update timeline_entries set
      details = (details - array['changes', 'not_taken', 'message', 'submitted']) || jsonb_build_object('undone_import', ${via_id}::text)
    where account_id = ${account_id} and lead_id = ${leadId} and id = any (${entries.map(({ id }) => id)}::bigint[])`
  for (const { id, kind, details } of entries)
    if (kind === 'merged')
      await tx`update timeline_entries set summary = ${mergedText(sender, details.matched ?? [])}
        where account_id = ${account_id} and lead_id = ${leadId} and id = ${id}`
}
