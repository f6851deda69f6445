import type { LeadDraft } from '../lead-draft.ts'
import { lastDigits } from '../structure/values.ts'
import { meaningOf } from '../words/meaning.ts'

/** Whether a value says once more what a field of the lead has: a first name beside the whole one, the number without its country code. */
export function repeatsLead(
  { name, phone, email, notes, city, company, other_contacts = [] }: LeadDraft,
  question: string,
  value: string,
): boolean {
  const text = value.trim().toLowerCase()
  const is = (other: string | undefined) => other?.trim().toLowerCase() === text
  if (is(email) || is(notes) || other_contacts.some((contact) => is(contact.value))) return true
  const digits = lastDigits(value)
  const numbers = [phone, ...other_contacts.map((contact) => contact.value)]
  if (digits.length > 6 && !/\p{L}/u.test(value) && numbers.some((number) => number && lastDigits(number) === digits))
    return true
  const { senses } = meaningOf(question)
  if (Math.max(senses.name ?? 0, senses.first ?? 0, senses.last ?? 0) >= 80 && name?.toLowerCase().includes(text))
    return true
  return (
    ((senses.city ?? 0) >= 80 && is(city)) ||
    ((senses.company ?? 0) >= 80 && is(company)) ||
    (is(name) && /name/i.test(question)) ||
    // The number of a question whose text is elsewhere.
    (/^\d+$/.test(question) && text.length > 2 && ` ${name} `.toLowerCase().includes(` ${text} `))
  )
}
