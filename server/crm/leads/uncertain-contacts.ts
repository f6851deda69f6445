import { noEnquiry } from '../enquiries/enquiry.ts'
import { contactKeys, otherContactsOf } from './contact-keys.ts'
import type { LeadToSave } from './create-lead.ts'
import type { GivenFields } from './lead.ts'

/**
 * Leaves out the contacts that are uncertain: another lead has one of the contacts, and an uncertain one is merged into no lead. They
 * become answers of the enquiry. Returns null if no other contact is left.
 */
export function withSureContacts(toSave: LeadToSave): LeadToSave | null {
  const { submission, wanted } = toSave
  const { given, contacts = [], uncertain = [], enquiry = noEnquiry, ...rest } = submission
  if (uncertain.length === 0) return toSave
  const isUncertain = (kind: string) => uncertain.some(({ field }) => field === kind)
  const kept: GivenFields = Object.fromEntries(Object.entries(given).filter(([field]) => !isUncertain(field)))
  const others = contacts.filter(({ kind }) => !isUncertain(kind))
  const contact = kept.email ?? kept.phone ?? others[0]?.value
  if (contact === undefined) return null
  // A lead without a name has one of its contacts as its name.
  const isNamed = uncertain.every(({ field }) => given[field] !== given.name)
  const name = isNamed ? given.name : contact
  const answers = uncertain.map(({ field, question }) => {
    const values = [given[field], ...contacts.filter(({ kind }) => kind === field).map(({ value }) => value)]
    return { question, answer: values.filter(Boolean).join(', ') }
  })
  const { phone = null, email = null } = kept
  const keys = contactKeys({ name, phone, email }, wanted.account.country)
  return {
    ...toSave,
    submission: {
      ...rest,
      given: { ...kept, name },
      contacts: others,
      enquiry: { ...enquiry, answers: [...enquiry.answers, ...answers] },
    },
    wanted: {
      ...wanted,
      ...keys,
      fields: { ...wanted.fields, name, phone, email },
      contacts: otherContactsOf(others, keys, wanted.account.country),
    },
  }
}
