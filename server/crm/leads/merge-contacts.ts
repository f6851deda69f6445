import type { Contact } from '../contacts/contact.ts'
import { isSharedPlaceholder } from '../contacts/contract.ts'
import { tooManyContacts } from '../timeline/summaries.ts'
import { maxOtherContacts } from './fields.ts'
import type { ContactKeys, LeadFields, OtherContact } from './lead.ts'
import type { Change, NotTaken } from './merge-lead.ts'

type FirstContacts = Pick<LeadFields, 'phone' | 'email'> & ContactKeys

interface ContactMerge {
  before: FirstContacts
  after: FirstContacts
  /** The first contacts and the others that were submitted. */
  offered: FirstContacts
  others: OtherContact[]
  /** Keys of contacts that belong to other leads. */
  elsewhere: { has(key: string): boolean }
}

/**
 * Returns the contacts that a merge keeps beside the first ones: those that it replaces, and those that were submitted and did not
 * become the first ones. `own` may be among them.
 */
export function contactsBeside({ before, after, offered, others, elsewhere }: ContactMerge): OtherContact[] {
  const byKey = new Map(
    [...firstContacts(before), ...firstContacts(offered), ...others].map((contact) => [contact.key, contact]),
  )
  return [...byKey.values()].filter(
    ({ key, value }) =>
      key !== after.phone_key && key !== after.email_key && !elsewhere.has(key) && !isSharedPlaceholder(value),
  )
}

/** Returns the first phone and email in the form of the others. */
export function firstContacts({ phone, phone_key, email, email_key }: FirstContacts): OtherContact[] {
  const contacts: { kind: Contact['kind']; value: string | null; key: string | null }[] = [
    { kind: 'phone', value: phone, key: phone_key },
    { kind: 'email', value: email, key: email_key },
  ]
  return contacts.filter((contact): contact is OtherContact => contact.value !== null && contact.key !== null)
}

/** Returns the contacts that are new to a lead with `own` ones, up to the limit; the timeline names the others. */
export function addContacts(own: OtherContact[], contacts: OtherContact[]) {
  const fresh = contacts.filter(({ key }) => own.every((one) => one.key !== key))
  const room = Math.max(0, maxOtherContacts - own.length)
  const added = fresh.slice(0, room)
  const left = fresh.slice(room).map(({ value }) => value)
  const reason = tooManyContacts(maxOtherContacts)
  const notTaken: NotTaken[] = left.length > 0 ? [{ field: 'other_contacts', offered: left, reason }] : []
  return { added, notTaken, changes: contactsChange(added, []) }
}

export function contactsChange(added: Contact[], removed: Contact[]): Change[] {
  if (added.length === 0 && removed.length === 0) return []
  const values = (contacts: Contact[]) => contacts.map(({ value }) => value)
  return [{ field: 'other_contacts', added: values(added), removed: values(removed) }]
}
