import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { appendChanges } from '../counts/append-changes.ts'
import { leadCounts } from '../counts/tables.ts'
import { type EnquiryJson, fromJson, type StoredEnquiry } from '../enquiries/stored-enquiry.ts'
import { answerStart, storedColumns } from './columns.ts'
import { contactsToClaim } from './contact-keys.ts'
import { isClosed, leadFieldNames } from './fields.ts'
import type { ContactKeys, LeadRow, LockedLead, OtherContact } from './lead.ts'
import type { NextStep } from './next-step.ts'
import { remindersOf } from './reminder-times.ts'

/** A lead with those of the wanted keys that are its own. */
export interface MatchedLead extends LockedLead {
  matched_keys: string[]
  /** Its newest enquiry. */
  last_enquiry: StoredEnquiry | null
}

/** Locks the keys of contacts before a lead whose contacts change, in the order of a merge. */
export async function lockContacts(tx: TransactionSql, accountId: string, keys: string[]): Promise<void> {
  await tx`select lock_contacts(${accountId}, ${keys})`
}

/** Whether a key of a contact is that of a lead, as a first or another contact. Call it as an actor that sees everything. */
export async function isContactOfLead(tx: TransactionSql, accountId: string, key: string): Promise<boolean> {
  const [row] = await tx`
    select from leads where account_id = ${accountId} and (phone_key = ${key} or email_key = ${key})
    union all select from lead_contacts where account_id = ${accountId} and key = ${key} limit 1`
  return row !== undefined
}

/** Locks and returns the leads with any of these keys, as a first or another contact, in an order in which two merges cannot deadlock. */
export async function lockMatches(tx: TransactionSql, accountId: string, keys: string[]): Promise<MatchedLead[]> {
  const rows = await tx<(StoredLead & { other_keys: string[]; last_enquiry: EnquiryJson | null })[]>`
    select ${tx(storedColumns)}, other_keys, last_enquiry from lock_matches(${accountId}, ${keys})`
  return rows.map(({ other_keys, last_enquiry, ...lead }) => {
    const matched_keys = keys.filter(
      (key) => key === lead.phone_key || key === lead.email_key || other_keys.includes(key),
    )
    return { ...withNumber(lead), matched_keys, last_enquiry: last_enquiry && fromJson(last_enquiry) }
  })
}

type StoredLead = LockedLead & { deal_value: string | null }

const withNumber = (row: StoredLead): LockedLead => ({
  ...row,
  deal_value: row.deal_value === null ? null : Number(row.deal_value),
})

const changedColumns = [...leadFieldNames, 'updated_at', 'phone_key', 'email_key', 'answer_start'] as const

export interface LeadUpdate {
  before: LeadRow
  after: LeadRow
  keys: ContactKeys
  /** Other contacts that are added, and the keys of those that are removed. */
  added?: OtherContact[]
  removed?: string[]
  /** When to call it again, set at `now`. Undefined: it stays, unless the lead is closed. */
  callAgain?: { at: Date | null; now: Date } | undefined
  /** Why there is no next step, set at `now`. Undefined: it stays, unless the status changes. */
  noNextStep?: { reason: string | null; now: Date } | undefined
  /** Why it is lost. Undefined changes nothing. */
  lostReason?: string | null | undefined
  /** When it is expected to be won. Undefined changes nothing. */
  expectedClose?: string | null | undefined
}

/** A contact that is written belongs to another lead by now. */
export class ContactTaken extends Error {
  readonly code = '23505'
}

/** Writes the row of a changed lead, and its other contacts. Fails with 23505 as `writeChange`. */
export async function updateLead(tx: TransactionSql, accountId: string, change: LeadUpdate): Promise<void> {
  const { before, after, keys, added = [], removed = [], lostReason, expectedClose } = change
  const row = { ...after, ...keys, answer_start: answerStart(after) }
  const isReopened = before.status === 'Lost' && after.status !== 'Lost'
  const columns: Record<string, unknown> = {
    ...Object.fromEntries(changedColumns.map((name) => [name, row[name]])),
    ...nextStepColumns(change),
    ...closingColumns(tx, change),
    ...(after.assigned_to === before.assigned_to ? {} : { first_assignee: tx`coalesce(first_assignee, assigned_to)` }),
    ...(lostReason !== undefined || isReopened ? { lost_reason: lostReason ?? null } : {}),
    ...(expectedClose === undefined ? {} : { expected_close: expectedClose }),
  }
  const values = Object.entries(columns).map(
    ([name, value], at) => tx`${at === 0 ? tx`` : tx`, `}${tx(name)} = ${value}`,
  )
  await Promise.all([
    removed.length === 0
      ? null
      : tx`delete from lead_contacts
          where account_id = ${accountId} and lead_id = ${before.id} and key = any (${removed})`,
    tx`update leads set ${values} where account_id = ${accountId} and id = ${before.id}`,
  ])
  if (before.phone !== after.phone || before.email !== after.email || added.length > 0)
    await claimContacts(tx, accountId, { after, keys, added })
}

function nextStepColumns({ before, after, callAgain, noNextStep }: LeadUpdate) {
  const isOther = before.status !== after.status
  const again =
    callAgain ?? (isClosed(after.status) && !isClosed(before.status) ? { at: null, now: after.updated_at } : null)
  return {
    ...(again
      ? { call_again_at: again.at, call_again_set_at: again.at && again.now, ...remindersOf(again.at, again.now) }
      : {}),
    ...(noNextStep?.reason ? { call_again_set_at: noNextStep.now } : {}),
    ...(noNextStep || isOther ? { no_next_step: noNextStep?.reason ?? null } : {}),
  }
}

/** In milliseconds. An undo of a change of the status keeps when the lead was closed, and by which owner. */
const closingKept = 86_400_000

/** When a lead was closed, who owned it then, and its last open status. */
function closingColumns(tx: TransactionSql, { before, after }: LeadUpdate) {
  if (before.status === after.status) return {}
  const until = new Date(after.updated_at.getTime() + closingKept)
  const former = isClosed(before.status)
    ? tx`jsonb_build_object('status', status, 'closed_at', closed_at, 'assignee', assignee_at_close, 'before', status_before_close,
        'until', ${until}::timestamptz)`
    : null
  if (!isClosed(after.status))
    return { closed_at: null, assignee_at_close: null, status_before_close: null, former_closing: former }
  const isUndone = tx`former_closing->>'status' = ${after.status} and (former_closing->>'until')::timestamptz > ${after.updated_at}`
  const orFormer = (field: string, type: Statement, value: Statement) =>
    tx`case when ${isUndone} then (former_closing->>${field}::text)::${type} else ${value} end`
  const status = isClosed(before.status) ? tx`status_before_close` : tx`${before.status}`
  return {
    closed_at: orFormer('closed_at', tx`timestamptz`, tx`${after.updated_at}::timestamptz`),
    assignee_at_close: orFormer('assignee', tx`uuid`, tx`${after.assigned_to}::uuid`),
    status_before_close: orFormer('before', tx`text`, tx`${status}::text`),
    former_closing: former,
  }
}

async function claimContacts(
  tx: TransactionSql,
  accountId: string,
  { after, keys, added }: { after: LeadRow; keys: ContactKeys; added: OtherContact[] },
): Promise<void> {
  const first = [keys.phone_key, keys.email_key].filter((key) => key !== null)
  const contacts = contactsToClaim(added, after.updated_at)
  const [row] = await tx<{ claimed: boolean }[]>`
    select claim_contacts(${accountId}, ${after.id}, ${after.assigned_to}, ${first}, ${contacts && tx.json(contacts)}) as claimed`
  if (!row!.claimed) throw new ContactTaken('a contact belongs to another lead')
}

/** Returns a lead without a lock; null if the actor sees none. */
export async function findLead(tx: TransactionSql, accountId: string, id: string): Promise<LockedLead | null> {
  const [row] = await tx<StoredLead[]>`
    select ${tx(storedColumns)} from leads where account_id = ${accountId} and id = ${id}`
  return row ? withNumber(row) : null
}

/** Locks and returns a lead; null if the actor sees none. */
export async function lockLead(tx: TransactionSql, accountId: string, id: string): Promise<LockedLead | null> {
  const [row] = await tx<StoredLead[]>`
    select ${tx(storedColumns)} from leads where account_id = ${accountId} and id = ${id} for update`
  return row ? withNumber(row) : null
}

export async function otherContacts(tx: TransactionSql, accountId: string, leadId: string): Promise<OtherContact[]> {
  return tx<OtherContact[]>`select kind, value, key from lead_contacts
    where account_id = ${accountId} and lead_id = ${leadId} order by added_at, key`
}

/** Records that a submission named two leads as one person. The smaller id comes first. */
export async function recordConflict(tx: TransactionSql, accountId: string, leadId: string, otherId: string) {
  const [first, second] = [leadId, otherId].sort()
  await tx`insert into lead_conflicts (account_id, lead_id, other_lead_id, found_at)
    values (${accountId}, ${first!}, ${second!}, clock_timestamp()) on conflict do nothing`
}

export async function nextStepOf(tx: TransactionSql, accountId: string, id: string): Promise<NextStep> {
  const [row] = await tx<NextStep[]>`
    select call_again_at, no_next_step from leads where account_id = ${accountId} and id = ${id}`
  return row ?? { call_again_at: null, no_next_step: null }
}

/** How a lead ended, or when it is expected to. */
export interface Closing {
  lost_reason: string | null
  /** A day, as 2026-12-15. */
  expected_close: string | null
}

export async function closingOf(tx: TransactionSql, accountId: string, id: string): Promise<Closing> {
  const [row] = await tx<Closing[]>`
    select lost_reason, expected_close::text from leads where account_id = ${accountId} and id = ${id}`
  return row ?? { lost_reason: null, expected_close: null }
}

/** Removes the lead with its calls, timeline, notes and stored answers. */
export async function deleteLead(tx: TransactionSql, accountId: string, lead: LeadRow): Promise<void> {
  await appendChanges(tx, accountId, leadCounts, [{ row: lead, n: -1 }])
  await tx`select uncount_calls(${accountId}, ${lead.id})`
  await tx`select leave_bulk_changes(${accountId}, ${lead.id})`
  await tx`delete from enquiries where account_id = ${accountId} and lead_id = ${lead.id}`
  await tx`delete from leads where account_id = ${accountId} and id = ${lead.id}`
}
