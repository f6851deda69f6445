import type { CountryCode } from 'libphonenumber-js/max'
import { invalid } from '../../platform/http/problem.ts'
import { type Contact, isEmail } from '../contacts/contact.ts'
import { contactFormat, phoneFormat } from '../contacts/contact-formats.ts'
import { emailsIn, holdsMore, isWhatsAppId, phonesIn } from '../contacts/parse-contact.ts'

interface Given {
  phone?: string | null
  email?: string | null
}

/**
 * Reads the phone and the email of a request as those of payloads and files. `contacts` are the further ones of each field, and `beside` is
 * a phone field that says more than its numbers. Throws if a phone field has no number.
 */
export function readGivenContacts<Body extends Given>(
  body: Body,
  country: CountryCode,
): { given: Body; contacts: Contact[]; beside: string | null } {
  const { phone, email } = body
  if (!phone && !email) return { given: body, contacts: [], beside: null }
  const phones = phone ? phonesIn(phone, country) : []
  if (phone && phones.length === 0) throw invalid(phoneFormat.message('phone'), 'phone')
  const emails = email ? emailsIn(email) : []
  const given = { ...body, ...(phone ? { phone: phones[0]! } : {}), ...(email ? { email: emails[0] ?? email } : {}) }
  const contacts = [...ofKind('phone', phones.slice(1)), ...ofKind('email', emails.slice(1))]
  return { given, contacts, beside: phone && holdsMore(phone, country) ? `Phone as sent: ${phone}` : null }
}

/** Reads contacts that are added beside the first ones, each of which may hold several. */
export function readOtherContacts(texts: readonly string[], country: CountryCode): Contact[] {
  return texts.flatMap((text) => {
    if (isWhatsAppId(text)) return { kind: 'whatsapp' as const, value: text }
    const emails = isEmail(text) ? [text] : emailsIn(text)
    const phones = emails.length > 0 ? [] : phonesIn(text, country)
    if (emails.length + phones.length === 0) throw invalid(contactFormat.message('add_contacts'), 'add_contacts')
    return [...ofKind('email', emails), ...ofKind('phone', phones)]
  })
}

const ofKind = (kind: 'phone' | 'email', values: string[]): Contact[] => values.map((value) => ({ kind, value }))
