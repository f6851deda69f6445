import { msg } from '@lingui/core/runtime-macro'
import { findAccount } from '../../access/account/users.ts'
import { type Actor, actAs, asActor, forWholeAccount, maySee } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { fieldsOf } from '../leads/change-lead.ts'
import { answerStart, leadColumns } from '../leads/columns.ts'
import { contactsToClaim } from '../leads/contact-keys.ts'
import type { ContactKeys, LeadRow, LockedLead, OtherContact } from '../leads/lead.ts'
import { contactsChange } from '../leads/merge-contacts.ts'
import { type Change, changesBetween } from '../leads/merge-lead.ts'
import { lockContacts, lockLead, otherContacts } from '../leads/store.ts'
import { nextUpdate } from '../leads/updated-at.ts'
import { withOwnerEmails, writeChange } from '../leads/write-change.ts'
import { countedOf, writeLeads } from '../leads/write-leads.ts'
import { mergeUndoneSummaries, undoneMergeSummary } from '../timeline/summaries.ts'
import { giveBelongings, moveBack } from './belongings.ts'
import { undoWithin } from './contract.ts'
import { separateFields } from './join-fields.ts'
import { besidesOf, restoredColumns, type Undo } from './merge-leads.ts'
import { restorePairs } from './pairs.ts'

interface Merged {
  lead_id: string
  merged_by: string | null
  undo: Undo
}

/** The other lead as it was, with its keys. */
type StoredLead = LeadRow & ContactKeys

const gone = () => notFound(msg`There is no merge of this lead to undo. A merge can be undone for a day.`)

/**
 * Undoes the last merge into a lead that the actor sees, within a day. Both leads are as they were before it; what happened to the kept lead
 * since stays with it. Returns the id of the other lead.
 */
export async function undoMerge(
  database: Database,
  actor: Actor,
  keptId: string,
  { at, by }: { at: Date; by: string },
): Promise<string> {
  const account = await findAccount(database, actor.account_id)
  const { account_id } = actor
  return asActor(database, actor, async (tx) => {
    const [seen] = await tx`select from leads where account_id = ${account_id} and id = ${keptId}`
    if (!seen) throw notFound(msg`No lead with this id.`)
    await actAs(tx, forWholeAccount(actor))
    const { kept, merged } = await lockMerge(tx, account_id, keptId, at)
    // Reassigned meanwhile.
    if (!maySee(actor, kept.assigned_to)) throw notFound(msg`No lead with this id.`)
    const { undo, lead_id: otherId } = merged
    const isActive = (id: unknown) => account.users.some((user) => user.id === id && user.active)
    const other = storedLead(undo.other, { at, owner: isActive(undo.other.assigned_to) ? undefined : kept.assigned_to })
    const others = keysOf(other, undo.contacts)
    await checkContacts(tx, account_id, { keptId, others })
    const { fields, keys } = separate(kept, undo, others)
    const own = await otherContacts(tx, account_id, keptId)
    const returned = own.filter(({ key }) => others.includes(key))
    const left = own.filter(({ key }) => !others.includes(key))
    if (keys.phone_key === null && keys.email_key === null && left.length === 0) {
      throw invalid(
        msg`${{ name: fields.name }} would have no contact then. Add a phone or an email to it first.`,
        'contacts',
      )
    }
    const restored = [...changesBetween(fieldsOf(kept), fields), ...contactsChange([], returned)] as Change[]
    const changes = withOwnerEmails(account, ofWork(restored))
    const after: LeadRow = {
      ...fields,
      id: keptId,
      created_at: kept.created_at,
      updated_at: nextUpdate(kept.updated_at, at),
    }
    const summaries = mergeUndoneSummaries(by, changes)
    const entry = {
      at,
      kind: 'changed',
      summary: summaries.kept,
      details: { changes, unmerged_lead: otherId },
    } as const
    // Those that are first contacts of the other lead again. The others move to it.
    const removed = [other.phone_key, other.email_key].filter((key) => key !== null)
    try {
      await tx.savepoint(async (part) => {
        const changed = restored.map(({ field }) => field)
        const audit = { action: 'leads.merge_undone', details: { merged_lead: otherId, fields: changed } } as const
        await writeChange(part, actor, { before: kept, after, keys, removed, entry, audit })
        await part`insert into leads ${part({ ...other.row, account_id })}`
        await claim(part, account_id, { other, keptId, contacts: undo.contacts, at })
        const again = { ...countedOf(other), id: otherId, created_at: other.created_at, before: null }
        const details = { via: actor.via, via_id: actor.via_id, changes: [], unmerged_from: keptId }
        await writeLeads(part, actor, [
          { ...again, is_stored: true, at, kind: 'changed', summary: summaries.other, details },
        ])
      })
    } catch (error) {
      throw isConflict(error) ? takenMeanwhile() : error
    }
    await moveBack(tx, account_id, { from: keptId, to: otherId, at, moved: undo.moved })
    await giveBelongings(tx, account_id, otherId, other.assigned_to)
    const mergedBy = account.users.find(({ id }) => id === merged.merged_by)?.name ?? by
    await forgetMerge(tx, account_id, { keptId, otherId, by: mergedBy })
    for (const id of [keptId, otherId]) await tx`select recount_calls(${account_id}, ${id})`
    await restoreBesides(tx, account_id, keptId, undo)
    await tx`delete from merged_leads where account_id = ${account_id} and lead_id = ${otherId}`
    await restorePairs(tx, account_id, { pairs: undo.pairs, from: keptId, to: otherId })
    return otherId
  })
}

/** Changes that contain nothing of a person. The others would leave the other lead's data with the kept lead. */
const ofWork = (changes: Change[]) =>
  changes.filter(({ field }) => field === 'status' || field === 'priority' || field === 'assigned_to')

/** Removes the other lead's data from the entry of the merge. */
async function forgetMerge(
  tx: TransactionSql,
  accountId: string,
  { keptId, otherId, by }: { keptId: string; otherId: string; by: string },
): Promise<void> {
  const [entry] = await tx<{ id: string; details: { changes: Change[] } & Record<string, unknown> }[]>`
    select id, details from timeline_entries
    where account_id = ${accountId} and lead_id = ${keptId} and details->>'merged_lead' = ${otherId} order by id desc limit 1`
  if (!entry) return
  const { message, not_taken, ...details } = entry.details
  const changes = ofWork(entry.details.changes)
  await tx`update timeline_entries
    set summary = ${undoneMergeSummary(by, changes)}, details = ${tx.json({ ...details, changes } as never)}
    where account_id = ${accountId} and lead_id = ${keptId} and id = ${entry.id}`
}

/** Locks the contacts of the other lead and those that the kept lead had, then the kept lead, as merging does. */
async function lockMerge(tx: TransactionSql, accountId: string, keptId: string, at: Date) {
  const lastMerge = async () => {
    const [row] = await tx<(Merged & { isOpen: boolean })[]>`
      select lead_id, merged_by, undo, undo is not null and merged_at > ${new Date(at.getTime() - undoWithin)} as "isOpen"
      from merged_leads where account_id = ${accountId} and kept_lead_id = ${keptId} order by merged_at desc limit 1`
    if (!row?.isOpen) throw gone()
    return row
  }
  const { undo } = await lastMerge()
  const others = keysOf(storedLead(undo.other, { at }), undo.contacts)
  await lockContacts(tx, accountId, [...others, ...keysOf(undo.keys, [])])
  const kept = await lockLead(tx, accountId, keptId)
  if (!kept) throw notFound(msg`No lead with this id.`)
  const merged = await lastMerge()
  if (merged.undo.other.id !== undo.other.id) throw takenMeanwhile()
  return { kept, merged }
}

/** The row of the other lead as it was, but for `updated_at`, which moves with every change. */
function storedLead(row: Record<string, unknown>, { at, owner }: { at: Date; owner?: string | null | undefined }) {
  const stored = { ...row, ...(owner === undefined ? {} : { assigned_to: owner }) } as Record<string, unknown>
  const lead = Object.fromEntries(leadColumns.map((column) => [column, stored[column]])) as unknown as StoredLead
  lead.created_at = new Date(String(row.created_at))
  lead.updated_at = nextUpdate(new Date(String(row.updated_at)), at)
  lead.phone_key = row.phone_key as string | null
  lead.email_key = row.email_key as string | null
  return { ...lead, row: { ...stored, updated_at: lead.updated_at, answer_start: answerStart(lead) } }
}

const keysOf = ({ phone_key, email_key }: ContactKeys, contacts: OtherContact[]) =>
  [phone_key, email_key, ...contacts.map(({ key }) => key)].filter((key) => key !== null)

const takenMeanwhile = () =>
  invalid(msg`Another lead has a contact of the merged lead by now. Remove it there, then undo the merge.`, 'contacts')

/** A contact that was removed from the kept lead may belong to another lead by now. */
async function checkContacts(
  tx: TransactionSql,
  accountId: string,
  { keptId, others }: { keptId: string; others: string[] },
) {
  const [row] = await tx<{ holders: string[] }[]>`select (select holders_of(${accountId}, ${others})) as holders`
  if (row!.holders.some((id) => id !== keptId)) throw takenMeanwhile()
}

/** The kept lead without what is the other one's. */
function separate(kept: LockedLead, undo: Undo, others: string[]) {
  const isOthers = (field: 'phone' | 'email') => {
    const key = kept[`${field}_key`]
    return key !== null && others.includes(key)
  }
  const fields = separateFields({ before: undo.before, after: undo.after, now: fieldsOf(kept) }, isOthers)
  const keyOf = (field: 'phone' | 'email') =>
    fields[field] === kept[field] ? kept[`${field}_key`] : undo.keys[`${field}_key`]
  return { fields, keys: { phone_key: keyOf('phone'), email_key: keyOf('email') } }
}

/** Gives the other lead its contacts again. Fails with 23505 if one of them belongs to another lead. */
async function claim(
  tx: TransactionSql,
  accountId: string,
  { other, keptId, contacts, at }: { other: StoredLead; keptId: string; contacts: OtherContact[]; at: Date },
): Promise<void> {
  const moved = await tx<
    { key: string }[]
  >`update lead_contacts set lead_id = ${other.id}, assigned_to = ${other.assigned_to}
    where account_id = ${accountId} and lead_id = ${keptId} and key = any (${contacts.map(({ key }) => key)}) returning key`
  const missing = contacts.filter(({ key }) => !moved.some((contact) => contact.key === key))
  const first = [other.phone_key, other.email_key].filter((key) => key !== null)
  const claims = contactsToClaim(missing, at)
  const [row] = await tx<{ claimed: boolean }[]>`
    select claim_contacts(${accountId}, ${other.id}, ${other.assigned_to}, ${first}, ${claims && tx.json(claims)}) as claimed`
  if (!row!.claimed) throw takenMeanwhile()
}

/** When to call the kept lead again, its enquiries, and why it was lost, as before the merge if they did not change since. */
async function restoreBesides(tx: TransactionSql, accountId: string, keptId: string, { besides }: Undo): Promise<void> {
  const { before, after } = besides
  await tx`update leads set lost_reason = case
      when status <> 'Lost' then null
      when lost_reason is null or lost_reason = ${after.lost_reason} then ${before.lost_reason}
      else lost_reason
    end where account_id = ${accountId} and id = ${keptId}`
  const now = await besidesOf(tx, accountId, keptId)
  for (const columns of restoredColumns) {
    if (now[columns[0]] !== after[columns[0]]) continue
    for (const column of columns)
      await tx`update leads set ${tx(column)} = ${before[column]} where account_id = ${accountId} and id = ${keptId}`
  }
}
