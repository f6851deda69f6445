import type { TransactionSql } from 'postgres'
import { findAccount } from '../account/users.ts'
import { emailKey, phoneKey } from '../contacts/contact.ts'
import { type Actor, actAs, asActor, forWholeAccount, maySee } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isConflict } from '../database/errors.ts'
import { instantOrNull, istTime, wholeSecond } from '../http/instants.ts'
import { type HttpProblem, invalid, notFound } from '../http/problem.ts'
import { changedSummary } from '../timeline/summaries.ts'
import { maxTags, newTags } from './fields.ts'
import type { ContactKeys, LeadFields, LeadRow, LockedLead } from './lead.ts'
import { type Change, changesBetween } from './merge-lead.ts'
import { callAgainAt, lockLead, lockMatches, setCallAgain } from './store.ts'
import { nextUpdate } from './updated-at.ts'
import { withOwnerEmails, writeChange } from './write-change.ts'

export interface HandChange {
  /** Returns the changed lead, while it is locked. An `assigned_to` is the id of an active user that the actor may assign. */
  fields(lead: LeadFields): LeadFields
  /** When to call the lead again. Undefined changes nothing. */
  call_again_at?: Date | null | undefined
  /** The name of the user. */
  by: string
  at: Date
}

type PreviousValues = Partial<LeadFields> & { call_again_at?: string | null }

/**
 * Changes a lead that the actor sees, for a user. Returns the previous values of the changed fields, with the email of the
 * owner. If nothing changes, nothing is recorded.
 */
export async function changeLead(
  database: Database,
  actor: Actor,
  id: string,
  change: HandChange,
): Promise<PreviousValues> {
  const account = await findAccount(database, actor.account_id)
  return asActor(database, actor, async (tx) => {
    const lead = await lockLead(tx, actor.account_id, id)
    if (!lead) throw notFound('No lead with this id.')
    const fields = change.fields(fieldsOf(lead))
    checkReachable(actor, fields)
    const callAgain =
      change.call_again_at === undefined ? null : await callAgainChange(tx, actor, id, change.call_again_at)
    const changes = withOwnerEmails(account, [
      ...changesBetween(fieldsOf(lead), fields),
      ...(callAgain ? [callAgain.change] : []),
    ])
    if (changes.length === 0) return {}
    const keys = {
      phone_key:
        fields.phone === lead.phone ? lead.phone_key : keyOf(fields.phone, (text) => phoneKey(text, account.country)),
      email_key: fields.email === lead.email ? lead.email_key : keyOf(fields.email, emailKey),
    }
    const updated_at = nextUpdate(lead.updated_at, change.at)
    const after: LeadRow = { ...fields, id, created_at: lead.created_at, updated_at }
    const summary = changedSummary(change.by, changes)
    const entry = { at: change.at, kind: 'changed', summary, details: { changes } } as const
    try {
      await tx.savepoint((part) => writeChange(part, actor, { before: lead, after, keys, entry }))
      if (callAgain) await setCallAgain(tx, actor.account_id, id, callAgain.after)
    } catch (error) {
      throw isConflict(error) ? await takenElsewhere(tx, actor, id, keys) : error
    }
    const before = { ...fieldsOf(lead), call_again_at: callAgain && instantOrNull(callAgain.before) }
    return Object.fromEntries(
      changes.map((one) => [one.field, one.field === 'assigned_to' ? one.before : before[one.field]]),
    )
  })
}

/** The time before, read while the lead is locked. Null if it stays. Timelines name times as people read them. */
async function callAgainChange(tx: TransactionSql, actor: Actor, id: string, wanted: Date | null) {
  const before = await callAgainAt(tx, actor.account_id, id)
  const after = wanted && wholeSecond(wanted)
  if (before?.getTime() === after?.getTime()) return null
  const change: Change = { field: 'call_again_at', before: before && istTime(before), after: after && istTime(after) }
  return { before, after, change }
}

function fieldsOf({ id, phone_key, email_key, created_at, updated_at, ...fields }: LockedLead): LeadFields {
  return fields
}

const keyOf = (text: string | null, key: (text: string) => string | null) => (text === null ? null : key(text))

function checkReachable(actor: Actor, { phone, email, assigned_to }: LeadFields) {
  if (phone === null && email === null) throw invalid('A lead needs a phone or an email.', 'phone')
  if (!maySee(actor, assigned_to)) {
    throw invalid('Only Admins can leave a lead unassigned.', 'assigned_to')
  }
}

/** Names the lead that has the phone or the email, if the actor may see it. */
async function takenElsewhere(tx: TransactionSql, actor: Actor, id: string, keys: ContactKeys): Promise<HttpProblem> {
  await actAs(tx, forWholeAccount(actor))
  const others = (await lockMatches(tx, actor.account_id, keys)).filter((lead) => lead.id !== id)
  const byPhone = others.find((lead) => keys.phone_key !== null && lead.phone_key === keys.phone_key)
  const holder = byPhone ?? others[0]
  const field = byPhone ? 'phone' : 'email'
  // The other lead no longer has it: saving again works.
  if (!holder) return invalid('Another lead had this phone or email just now. Save again.', 'phone')
  const whose = maySee(actor, holder.assigned_to) ? `the lead “${holder.name}”` : 'a lead you cannot see'
  return invalid(`This ${field} belongs to ${whose}. Use another one, or change that lead.`, field)
}

/** Adds and removes single tags, so that two users at once lose none. */
export function changedTags(tags: string[], add: string[], remove: string[]): string[] {
  const kept = tags.filter((tag) => !remove.includes(tag))
  const changed = [...kept, ...newTags(kept, add)]
  if (changed.length > Math.max(maxTags, tags.length)) {
    throw invalid(`A lead holds at most ${maxTags} tags. Remove some first.`, 'add_tags')
  }
  return changed
}
