import { msg } from '@lingui/core/runtime-macro'
import { findAccount } from '../../access/account/users.ts'
import { type Actor, actAs, asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { changedMeanwhile, invalid, notFound } from '../../platform/http/problem.ts'
import { fieldsOf } from '../leads/change-lead.ts'
import { changeNextStep } from '../leads/change-next-step.ts'
import { maxOtherContacts } from '../leads/fields.ts'
import type { ContactKeys, LeadFields, LeadRow, LockedLead, OtherContact } from '../leads/lead.ts'
import { contactsBeside, contactsChange } from '../leads/merge-contacts.ts'
import { deleteLead, lockContacts, lockLead, otherContacts } from '../leads/store.ts'
import { nextUpdate } from '../leads/updated-at.ts'
import { withOwnerEmails, writeChange } from '../leads/write-change.ts'
import { mergedLeadSummary } from '../timeline/summaries.ts'
import { countBelongings, giveBelongings, type Moved, maxMoved, moveAll } from './belongings.ts'
import type { LeadMerge } from './contract.ts'
import { joinFields } from './join-fields.ts'
import { type ConflictRow, movePairs } from './pairs.ts'

/** What `merged_leads.undo` holds: both leads before the merge, the kept one after it, and what moved. */
export interface Undo {
  /** The whole row of the other lead. */
  other: Record<string, unknown>
  contacts: OtherContact[]
  before: LeadFields
  after: LeadFields
  /** The kept lead's keys before the merge. */
  keys: ContactKeys
  /** The kept lead before and after: its next step, its enquiries, and why it was lost. */
  besides: { before: BesideFields; after: BesideFields }
  moved: Moved
  pairs: ConflictRow[]
}

/** Columns beside a lead's fields that an undo restores, each group as a whole unless its first column changed since. */
export const restoredColumns = [
  ['call_again_at', 'call_again_set_at', 'remind_at', 'reminded_at'],
  ['no_next_step'],
  ['expected_close'],
  ['closed_at', 'assignee_at_close', 'status_before_close'],
  ['enquired_again_at'],
  ['product'],
  ['campaign'],
  ['ad'],
  ['form'],
] as const

/** What a lead has beside its fields, with the times as PostgreSQL writes them. */
const besideColumns = [...restoredColumns.flat(), 'lost_reason'] as const
export type BesideFields = Record<(typeof besideColumns)[number], string | null>

interface How {
  at: Date
  /** The name of the user. */
  by: string
}

/**
 * Merges a lead into the lead `keptId`, both of which the actor sees: the id of the other one ends, and its contacts, calls, timeline and
 * deliveries belong to the kept lead. All in one transaction, which holds the contacts of both leads, then both leads, as a submission
 * does: so a person is one lead at each moment.
 */
export async function mergeLeads(
  database: Database,
  actor: Actor,
  keptId: string,
  merge: LeadMerge,
  how: How,
): Promise<void> {
  if (merge.other_id === keptId) throw invalid(msg`${{ field: 'other_id' }} must be another lead.`, 'other_id')
  const account = await findAccount(database, actor.account_id)
  const { account_id } = actor
  await asActor(database, actor, async (tx) => {
    const { kept, other } = await lockPair(tx, actor, keptId, merge)
    await actAs(tx, forWholeAccount(actor))
    await checkSize(tx, actor, other)
    const joined = joinFields(fieldsOf(kept), fieldsOf(other), merge.take, how.at)
    const { fields, notTaken, message } = joined
    const keys = {
      phone_key: merge.take.includes('phone') ? other.phone_key : kept.phone_key,
      email_key: merge.take.includes('email') ? other.email_key : kept.email_key,
    }
    const [own, moving] = [await otherContacts(tx, account_id, kept.id), await otherContacts(tx, account_id, other.id)]
    const added = contactsBeside({
      before: kept,
      after: { ...fields, ...keys },
      offered: other,
      others: [],
      elsewhere: { has: () => false },
    })
    if (own.length + moving.length + added.length > maxOtherContacts) {
      throw invalid(
        msg`Together, the leads have more than ${{ maxOtherContacts }} other contacts. Remove some of either lead first.`,
        'other_id',
      )
    }
    const row = await wholeRow(tx, account_id, other.id)
    const besides = { before: await besidesOf(tx, account_id, kept.id) }
    const pairs = await movePairs(tx, account_id, other.id, kept.id)
    await giveBelongings(tx, account_id, other.id, fields.assigned_to)
    // A user who is not the owner of the kept lead is not notified of it.
    await tx`update notices set notify_at = null where account_id = ${account_id} and lead_id = ${other.id}
      and notify_at is not null and user_id is distinct from ${fields.assigned_to}`
    await tx`update lead_contacts set lead_id = ${kept.id} where account_id = ${account_id} and lead_id = ${other.id}`
    const moved = await moveAll(tx, account_id, { from: other.id, to: kept.id, at: how.at })
    await deleteLead(tx, account_id, other)
    const nextStep = await changeNextStep(tx, account_id, { lead: kept, status: fields.status, now: how.at })
    const changes = withOwnerEmails(account, [
      ...joined.changes,
      ...contactsChange([...moving, ...added], []),
      ...(nextStep?.changes ?? []),
    ])
    const after: LeadRow = {
      ...fields,
      id: kept.id,
      created_at: kept.created_at,
      updated_at: nextUpdate(kept.updated_at, how.at),
    }
    const summary = mergedLeadSummary(how.by, { changes, notTaken, hasMessage: message !== null })
    const details = { changes, not_taken: notTaken, merged_lead: other.id, ...(message === null ? {} : { message }) }
    const entry = { at: how.at, kind: 'merged', summary, details } as const
    const audit = { action: 'leads.merged', details: { merged_lead: other.id } } as const
    try {
      await tx.savepoint((part) =>
        writeChange(part, actor, { before: kept, after, keys, added, ...nextStep?.update, entry, audit }),
      )
    } catch (error) {
      throw isConflict(error) ? changed() : error
    }
    await tx`select recount_calls(${account_id}, ${kept.id})`
    await writeBesides(tx, account_id, kept.id, { row, take: merge.take })
    const undo: Undo = {
      other: row,
      contacts: moving,
      before: fieldsOf(kept),
      after: fields,
      keys: { phone_key: kept.phone_key, email_key: kept.email_key },
      besides: { ...besides, after: await besidesOf(tx, account_id, kept.id) },
      moved,
      pairs,
    }
    await tx`insert into merged_leads (account_id, lead_id, kept_lead_id, merged_at, merged_by, undo)
      values (${account_id}, ${other.id}, ${kept.id}, ${how.at}, ${actor.user_id}, ${tx.json(undo)})`
  })
}

const changed = () =>
  changedMeanwhile(msg`One of the leads was changed since you compared them. Compare them again.`, 'other_id')

/**
 * Locks all contacts of two leads, then the leads in the order of their ids, and checks that both are as they were compared: then the
 * contacts that were locked are all that they have.
 */
async function lockPair(tx: TransactionSql, { account_id }: Actor, keptId: string, merge: LeadMerge) {
  const ids = [keptId, merge.other_id]
  const held = await tx<{ key: string }[]>`
    select key from leads, lateral (values (phone_key), (email_key)) as contact (key)
    where account_id = ${account_id} and id = any (${ids}::uuid[]) and key is not null
    union all select key from lead_contacts where account_id = ${account_id} and lead_id = any (${ids}::uuid[])`
  await lockContacts(
    tx,
    account_id,
    held.map(({ key }) => key),
  )
  const locked = new Map<string, LockedLead | null>()
  for (const id of ids.toSorted()) locked.set(id, await lockLead(tx, account_id, id))
  const [kept, other] = ids.map((id) => locked.get(id))
  if (!kept) throw notFound(msg`No lead with this id.`)
  if (!other) throw notFound(msg`No lead with this ${{ field: 'other_id' }}.`, 'other_id')
  const isAsCompared = (lead: LockedLead, version: string) => lead.updated_at.getTime() === Date.parse(version)
  if (!isAsCompared(kept, merge.updated_at) || !isAsCompared(other, merge.other_updated_at)) throw changed()
  return { kept, other }
}

async function checkSize(tx: TransactionSql, { account_id }: Actor, other: LockedLead): Promise<void> {
  if ((await countBelongings(tx, account_id, other.id)) <= maxMoved) return
  throw invalid(
    msg`This lead has more than ${{ count: maxMoved.toLocaleString('en') }} calls, timeline entries and deliveries, which cannot move at once. Keep this lead, and merge the other one into it.`,
    'other_id',
  )
}

/** All stored columns, without those that the database generates. */
async function wholeRow(tx: TransactionSql, accountId: string, id: string): Promise<Record<string, unknown>> {
  const [found] = await tx<{ lead: Record<string, unknown> }[]>`
    select to_jsonb(leads) - array['name_key', 'last_name_key', 'phone_end', 'company_key', 'city_key', 'deal_paise'] as lead
    from leads where account_id = ${accountId} and id = ${id}`
  return found!.lead
}

export async function besidesOf(tx: TransactionSql, accountId: string, id: string): Promise<BesideFields> {
  const { account_id, ...row } = await wholeRow(tx, accountId, id)
  return Object.fromEntries(besideColumns.map((column) => [column, row[column] ?? null])) as BesideFields
}

/** The later enquiry of both leads, what only the other one asked for, and the call of an open lead and the reason for Lost that were chosen. */
async function writeBesides(
  tx: TransactionSql,
  accountId: string,
  id: string,
  { row, take }: { row: Record<string, unknown>; take: LeadMerge['take'] },
): Promise<void> {
  if (take.includes('status')) {
    await tx`update leads set lost_reason = case when status = 'Lost' then ${row.lost_reason}::text end, closed_at = ${row.closed_at},
        assignee_at_close = ${row.assignee_at_close}, status_before_close = ${row.status_before_close}
      where account_id = ${accountId} and id = ${id} and status in ('Won', 'Lost')`
  }
  if (take.includes('call_again_at')) {
    await tx`update leads set call_again_at = ${row.call_again_at}, call_again_set_at = ${row.call_again_set_at},
        remind_at = ${row.remind_at}, reminded_at = ${row.reminded_at}, no_next_step = null
      where account_id = ${accountId} and id = ${id} and status not in ('Won', 'Lost')`
  }
  await tx`update leads set enquired_again_at = greatest(enquired_again_at, ${row.enquired_again_at}::timestamptz),
      product = coalesce(product, ${row.product}), campaign = coalesce(campaign, ${row.campaign}), ad = coalesce(ad, ${row.ad}),
      form = coalesce(form, ${row.form}), expected_close = coalesce(expected_close, ${row.expected_close})
    where account_id = ${accountId} and id = ${id}`
}
