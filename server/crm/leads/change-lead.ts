import { msg } from '@lingui/core/runtime-macro'
import { type Account, findAccount, userByEmail } from '../../access/account/users.ts'
import { type Actor, actAs, asActor, forWholeAccount, maySee } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantOrNull } from '../../platform/http/instants.ts'
import { type HttpProblem, invalid, notFound } from '../../platform/http/problem.ts'
import type { Text } from '../../platform/languages/translate.ts'
import { type Contact, contactKey } from '../contacts/contact.ts'
import { kindOf } from '../contacts/parse-contact.ts'
import { changedSummary } from '../timeline/summaries.ts'
import { changeClosing, type WantedClosing } from './change-closing.ts'
import { changeNextStep, type WantedNextStep } from './change-next-step.ts'
import { allKeys, contactKeys, otherContactsOf } from './contact-keys.ts'
import { maxOtherContacts, maxTags, newTags } from './fields.ts'
import type { ContactKeys, LeadFields, LeadRow, LockedLead, OtherContact } from './lead.ts'
import { contactsChange } from './merge-contacts.ts'
import { changesBetween } from './merge-lead.ts'
import { lockContacts, lockLead, lockMatches, otherContacts } from './store.ts'
import { nextUpdate } from './updated-at.ts'
import { withOwnerEmails, writeChange } from './write-change.ts'

export interface HandChange extends WantedNextStep, WantedClosing {
  /** Returns the changed lead, while it is locked. An `assigned_to` is the id of an active user that the actor may assign. */
  fields(lead: LeadFields): LeadFields
  /** The new phone and email, and the contacts to add and to remove beside the first ones, as they are written. */
  contacts?: { first: string[]; add: string[]; remove: string[] }
  /** The name of the user. */
  by: string
  at: Date
  /** Part of a bulk change, which notifies a new owner of all leads at once. */
  isOneOfMany?: boolean
}

export type PreviousValues = Partial<LeadFields> & {
  call_again_at?: string | null
  no_next_step?: string | null
  lost_reason?: string | null
  expected_close?: string | null
  other_contacts?: string[]
}

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
  const previous = await asActor(database, actor, (tx) => changeLeadIn(tx, actor, { account, id, change }))
  // The open pages of the owner before show at once that the lead is theirs no longer.
  const former = previous.assigned_to && userByEmail(account, previous.assigned_to)
  if (former) database.announceToUsers(account.id, [former.id])
  return previous
}

/** As changeLead, in a transaction that acts as `actor`. */
export async function changeLeadIn(
  tx: TransactionSql,
  actor: Actor,
  { account, id, change }: { account: Account; id: string; change: HandChange },
): Promise<PreviousValues> {
  const { first: newFirst, add, remove } = change.contacts ?? { first: [], add: [], remove: [] }
  const offered = [...newFirst, ...add].flatMap((value) => contactKey(toContact(value), account.country) ?? [])
  if (offered.length > 0) await lockContacts(tx, actor.account_id, offered)
  const lead = await lockLead(tx, actor.account_id, id)
  if (!lead) throw notFound(msg`No lead with this id.`)
  const fields = change.fields(fieldsOf(lead))
  const first = contactKeys(fields, account.country)
  const keys = {
    phone_key: fields.phone === lead.phone ? lead.phone_key : first.phone_key,
    email_key: fields.email === lead.email ? lead.email_key : first.email_key,
  }
  const own = await otherContacts(tx, actor.account_id, id)
  const { added, removed } = changedContacts(own, { add, remove }, (contacts) =>
    otherContactsOf(contacts, keys, account.country),
  )
  checkReachable(actor, fields, own.length + added.length - removed.length)
  const { call_again_at, no_next_step, lost_reason, expected_close, at: now } = change
  const wanted = { call_again_at, no_next_step }
  const nextStep = await changeNextStep(tx, actor.account_id, { lead, status: fields.status, wanted, now })
  const closing = await changeClosing(tx, account, {
    lead,
    status: fields.status,
    wanted: { lost_reason, expected_close },
  })
  const changes = withOwnerEmails(account, [
    ...changesBetween(fieldsOf(lead), fields),
    ...contactsChange(added, removed),
    ...(nextStep?.changes ?? []),
    ...(closing?.changes ?? []),
  ])
  if (changes.length === 0) return {}
  const updated_at = nextUpdate(lead.updated_at, change.at)
  const after: LeadRow = { ...fields, id, created_at: lead.created_at, updated_at }
  const summary = changedSummary(change.by, changes)
  const entry = { at: change.at, kind: 'changed', summary, details: { changes } } as const
  try {
    const { isOneOfMany = false } = change
    const update = {
      before: lead,
      after,
      keys,
      added,
      removed: removed.map(({ key }) => key),
      ...nextStep?.update,
      ...closing?.update,
      entry,
      isOneOfMany,
    }
    await tx.savepoint((part) => writeChange(part, actor, update))
  } catch (error) {
    throw isConflict(error) ? await takenElsewhere(tx, actor, id, { ...keys, contacts: added }) : error
  }
  const before = {
    ...fieldsOf(lead),
    call_again_at: nextStep && instantOrNull(nextStep.before.call_again_at),
    no_next_step: nextStep?.before.no_next_step,
    lost_reason: closing?.before.lost_reason,
    expected_close: closing?.before.expected_close,
    other_contacts: own.map(({ value }) => value),
  }
  return Object.fromEntries(
    changes.map((one) => [one.field, one.field === 'assigned_to' ? one.before : before[one.field]]),
  )
}

export function fieldsOf({ id, phone_key, email_key, created_at, updated_at, ...fields }: LockedLead): LeadFields {
  return fields
}

function checkReachable(actor: Actor, { phone, email, assigned_to }: LeadFields, otherContacts: number) {
  if (phone === null && email === null && otherContacts === 0)
    throw invalid(msg`A lead needs a phone or an email.`, 'phone')
  if (!maySee(actor, assigned_to)) {
    throw invalid(msg`Only Admins can leave a lead unassigned.`, 'assigned_to')
  }
}

/** Names the lead that has one of the contacts, if the actor may see it. */
async function takenElsewhere(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  wanted: ContactKeys & { contacts: OtherContact[] },
): Promise<HttpProblem> {
  await actAs(tx, forWholeAccount(actor))
  const holders = (await lockMatches(tx, actor.account_id, allKeys(wanted))).filter((lead) => lead.id !== id)
  const isHeld = (key: string | null) => key !== null && holders.some(({ matched_keys }) => matched_keys.includes(key))
  const field = isHeld(wanted.phone_key) ? 'phone' : isHeld(wanted.email_key) ? 'email' : 'add_contacts'
  const key = field === 'add_contacts' ? wanted.contacts.map(({ key }) => key).find(isHeld) : wanted[`${field}_key`]
  const holder = holders.find(({ matched_keys }) => matched_keys.includes(key ?? ''))
  // The other lead no longer has it: saving again works.
  if (!holder) return invalid(msg`Another lead had this phone or email just now. Save again.`, 'phone')
  const kind = kindNames[kindOf(key!)]
  return invalid(
    maySee(actor, holder.assigned_to)
      ? msg`This ${{ kind }} belongs to the lead “${{ name: holder.name }}”. Use another one, or change that lead.`
      : msg`This ${{ kind }} belongs to a colleague’s lead. Use another one, or change that lead.`,
    field,
  )
}

const kindNames: Record<Contact['kind'], Text> = { phone: msg`phone`, email: msg`email`, whatsapp: 'whatsapp' }

const toContact = (value: string): Contact => ({ kind: kindOf(value), value })

/** Returns what is added to the other contacts of a lead, and what is removed. */
function changedContacts(
  own: OtherContact[],
  { add, remove }: { add: string[]; remove: string[] },
  withKeys: (contacts: Contact[]) => OtherContact[],
) {
  const added = withKeys(add.map(toContact)).filter(({ key }) => own.every((one) => one.key !== key))
  const removed = own.filter(({ value }) => remove.includes(value))
  if (added.length > 0 && own.length + added.length - removed.length > maxOtherContacts)
    throw invalid(msg`A lead holds at most ${{ maxOtherContacts }} other contacts. Remove some first.`, 'add_contacts')
  return { added, removed }
}

/** Adds and removes single tags, so that two users at once lose none. */
export function changedTags(tags: string[], add: string[], remove: string[]): string[] {
  const kept = tags.filter((tag) => !remove.includes(tag))
  const changed = [...kept, ...newTags(kept, add)]
  if (changed.length > Math.max(maxTags, tags.length)) {
    throw invalid(msg`A lead holds at most ${{ maxTags }} tags. Remove some first.`, 'add_tags')
  }
  return changed
}
