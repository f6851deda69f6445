import type { CountryCode } from 'libphonenumber-js/max'
import { type Contact, contactKey, emailKey, phoneKey } from '../contacts/contact.ts'
import { isSharedPlaceholder } from '../contacts/contract.ts'
import { maxOtherContacts } from './fields.ts'
import type { ContactKeys, LeadFields, OtherContact } from './lead.ts'

/** Returns the keys of a lead's first phone and email. A placeholder that many people share identifies only together with the name. */
export function contactKeys(lead: Pick<LeadFields, 'name' | 'phone' | 'email'>, country: CountryCode): ContactKeys {
  const phone_key = lead.phone === null ? null : phoneKey(lead.phone, country)
  const email_key = lead.email === null ? null : emailKey(lead.email)
  return { phone_key: identifying(phone_key, lead.name), email_key: identifying(email_key, lead.name) }
}

const identifying = (key: string | null, name: string) =>
  key !== null && isSharedPlaceholder(key) ? `${key} ${name.normalize('NFC').toLowerCase()}` : key

/** Returns the contacts beside the first ones: each once, without placeholders, as many as a lead may have. */
export function otherContactsOf(contacts: Contact[], first: ContactKeys, country: CountryCode): OtherContact[] {
  const byKey = new Map<string, OtherContact>()
  for (const contact of contacts) {
    const key = contactKey(contact, country)
    if (key === null || isSharedPlaceholder(key) || key === first.phone_key || key === first.email_key) continue
    if (!byKey.has(key)) byKey.set(key, { ...contact, key })
  }
  return [...byKey.values()].slice(0, maxOtherContacts)
}

/** Returns the other contacts as `claim_contacts` takes them: null for none. */
export const contactsToClaim = (contacts: OtherContact[], added_at: Date) =>
  contacts.length === 0 ? null : contacts.map((contact) => ({ ...contact, added_at }))

/** All keys of a lead or of what is to be saved, those that decide first before the others. */
export const allKeys = ({ phone_key, email_key, contacts }: ContactKeys & { contacts: OtherContact[] }): string[] =>
  [phone_key, email_key, ...contacts.map(({ key }) => key)].filter((key) => key !== null)
