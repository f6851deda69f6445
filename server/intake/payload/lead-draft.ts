import type { Contact } from '../../crm/contacts/contact.ts'
import { isEmail } from '../../crm/contacts/contact.ts'
import { emailsIn, mailboxIn, phoneIn, splitContacts } from '../../crm/contacts/parse-contact.ts'
import { everyText, leadPriorities, leadStatuses, type NewLead, rupeesIn } from '../../crm/leads/contract.ts'
import { hasVisibleText, withoutControls } from '../../platform/http/visible-text.ts'
import { cleanLine } from '../../platform/text/clean-line.ts'

/** The fields of a lead that were read from a payload, within the limits of a lead. */
export type LeadDraft = Partial<NewLead> & { other_contacts?: Contact[] }
export type DraftField = keyof LeadDraft

/** Whether it makes a lead. */
export const hasContact = ({ email, phone, other_contacts }: LeadDraft) => [email, phone, other_contacts].some(Boolean)

/** Reads a value as a field of a lead, of any length; undefined if it is invalid. */
export const fieldReaders: { [Field in DraftField]-?: (text: string) => LeadDraft[Field] | undefined } = {
  name: (text) => line(mailboxIn(text)?.name ?? text),
  ...everyText(() => line),
  source: line,
  notes: lines,
  email: (text) => emailsIn(line(text)?.slice(0, 1000) ?? '')[0],
  phone: (text) => phoneIn(line(text)?.slice(0, 1000) ?? ''),
  status: (text) => oneOf(leadStatuses, text),
  priority: (text) => oneOf(leadPriorities, text),
  tags: (text) => tagsIn(splitTags(text)),
  deal_value: rupeesIn,
  other_contacts: (text) => {
    const contacts = splitContacts(text)
    return contacts.length > 0 ? contacts : undefined
  },
  assigned_to: (text) => (isEmail(text.trim()) ? text.trim() : undefined),
}

function line(text: string): string | undefined {
  const plain = text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return unlessEmpty(cleanLine(plain.replace(/[\u202d\u202e]/g, '')))
}

export function lines(text: string): string | undefined {
  return unlessEmpty(withoutControls(text))
}

const unlessEmpty = (text: string) => (hasVisibleText(text) ? text.trim() : undefined)

/** One with a separator is in quotes, as exports write it. */
const oneTag = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*(?=[,;\n]|$)|[^,;\n]+/gu

const splitTags = (text: string) =>
  [...text.matchAll(oneTag)].map(([all, quoted]) => quoted?.replaceAll('""', '"') ?? all)

function tagsIn(texts: readonly string[]): string[] | undefined {
  const tags = texts.slice(0, 500).flatMap((text) => line(text) ?? [])
  return tags.length > 0 ? tags : undefined
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value | undefined {
  const wanted = text.trim().toLowerCase()
  return values.find((value) => value.toLowerCase() === wanted)
}
