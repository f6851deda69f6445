import { msg } from '@lingui/core/runtime-macro'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type Contact, phoneKey } from '../../crm/contacts/contact.ts'
import { digitsOf } from '../../crm/contacts/contract.ts'
import { readDigits } from '../../crm/contacts/lost-digits.ts'
import { contactParts, emailsIn, holdsMore, isMobile, phonesIn } from '../../crm/contacts/parse-contact.ts'
import { leadFields } from '../../crm/leads/contract.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { type FieldMatch, isLeadTarget, type MappedField, type Warning } from './contract.ts'
import { type FittedField, fitTags, fitText, isFitted, withWarnings } from './fit-lead.ts'
import { type DraftField, fieldReaders, hasContact, type LeadDraft, lines } from './lead-draft.ts'

const maxShownLength = 1000
const maxWarnings = 100

/** The field of a lead that a mapped field is written to. */
export function toLeadField(field: MappedField): DraftField | 'ignore' {
  if (!isLeadTarget(field)) return 'ignore'
  return field === 'first_name' || field === 'last_name' ? 'name' : field
}

/**
 * Returns the lead of values whose fields are all known, as in the row of a file with the phones and emails of its cells. `isCaller`: the
 * row is a call, of which the number is all that is known.
 */
export function leadOfMatches(
  matches: FieldMatch[],
  sent: Contact[],
  country: CountryCode,
  { language, isCaller = false }: { language?: Language | undefined; isCaller?: boolean } = {},
): { lead: LeadDraft; warnings: Warning[] } {
  const builder = new LeadBuilder(withMobileFirst(matches, country), language)
  for (const contact of sent) builder.addOthersIn(contact, country)
  builder.addNameFromContact(isCaller ? country : undefined)
  return { lead: builder.lead, warnings: builder.warnings }
}

/** The first mobile number is the lead's phone, as within one field, and landlines are further contacts. */
function withMobileFirst(matches: FieldMatch[], country: CountryCode): FieldMatch[] {
  const phones = matches.filter(({ field }) => field === 'phone')
  if (phones.length < 2) return matches
  const mobile = phones.find(({ value }) => isMobile(fieldReaders.phone(value) ?? '', country))
  return mobile ? [mobile, ...matches.filter((match) => match !== mobile)] : matches
}

/** Returns the match with as much of its value as is shown; the lead has the whole value. */
export const shortMatch = (match: FieldMatch): FieldMatch => ({ ...match, value: match.value.slice(0, maxShownLength) })

/** Builds a lead from values and their fields, with a warning for each value that cannot be used. */
export class LeadBuilder {
  readonly lead: LeadDraft = {}
  /** Why each field has its value. */
  readonly matches: FieldMatch[] = []
  #warnings: Warning[] = []
  readonly #language: Language | undefined
  readonly #invalid: { field: 'email' | 'phone'; value: string }[] = []

  /** `language`: of the warnings. */
  constructor(matches: FieldMatch[], language?: Language) {
    this.#language = language
    const parts: { name?: string; first_name?: string; last_name?: string } = {}
    for (const match of matches) {
      const { field } = match
      if (field === 'ignore' || !isLeadTarget(field)) continue
      if (field === 'name' || field === 'first_name' || field === 'last_name') {
        const part = fieldReaders.name(match.value)
        if (part === undefined || parts[field] !== undefined) continue
        parts[field] = part
      } else if (!this.#write(field, match)) continue
      this.matches.push(shortMatch(match))
    }
    const name = fullName(parts)
    if (name) this.lead.name = this.#fit('name', name)
  }

  get warnings(): Warning[] {
    const isKept = hasContact(this.lead)
    const invalid = this.#invalid.map(({ field, value }) => {
      const why =
        field === 'email'
          ? msg`“${{ value }}” is not a valid email address`
          : readDigits(value).isLost
            ? msg`“${{ value }}” has lost digits`
            : msg`“${{ value }}” is not a valid phone number`
      return { field, message: this.#say(isKept ? msg`${{ why }}; it is kept in the notes` : why) }
    })
    return [...invalid, ...this.#warnings].slice(0, maxWarnings)
  }

  /** Warns that a value cannot be what it is mapped to. */
  rejectValue(field: DraftField, value: string, path: string): void {
    if (field === 'email' || field === 'phone') this.noteInvalidContacts([{ field, value }])
    else this.#warn({ field, message: this.#say((requirements[field] ?? unreadable)(shown(value), path)) })
  }

  /** Appends contacts that are not valid to the notes, so that they do not cost the lead. */
  noteInvalidContacts(contacts: { field: 'email' | 'phone'; value: string }[]): void {
    const invalid = contacts.map(({ field, value }) => ({ field, value: shown(value) }))
    if (invalid.length === 0) return
    this.#invalid.push(...invalid)
    const kinds = { email: 'Email', phone: 'Phone' }
    this.#addToNotes(invalid.map(({ field, value }) => `${kinds[field]} as sent: ${value}`).join('\n'))
  }

  /** Adds the other phones or emails that a field holds as it was sent, and to the notes what else it says: whose they are. */
  addOthersIn({ kind, value: sent }: Contact, country: CountryCode): void {
    const values = kind === 'phone' ? phonesIn(sent, country) : emailsIn(sent)
    this.#addContacts(values.slice(1).map((value) => ({ kind, value })))
    if (kind === 'phone' && values.length > 0 && holdsMore(sent, country))
      this.#addToNotes(`Phone as sent: ${shown(sent)}`)
  }

  #addContacts(contacts: Contact[]): void {
    if (contacts.length > 0) this.lead.other_contacts = [...(this.lead.other_contacts ?? []), ...contacts]
  }

  #addToNotes(added: string): void {
    // Earlier notes are cut to make room.
    const before = this.#fit('notes', this.lead.notes ?? '', leadFields.notes.maxLength - added.length - 1)
    this.lead.notes = before ? `${before}\n${added}` : added
  }

  /** Names a lead without a name by its email or phone. `caller`: who called has that number, in this country. */
  addNameFromContact(caller?: CountryCode): void {
    const { email, phone, other_contacts } = this.lead
    const contact = email ?? phone ?? other_contacts?.[0]?.value
    if (this.lead.name || !contact) return
    const isCaller = caller !== undefined && phone !== undefined
    this.lead.name = isCaller ? callerName(phone, caller) : contact.slice(0, leadFields.name.maxLength)
    const from = isCaller ? 'phone' : email ? 'email' : phone ? 'phone' : 'contact'
    this.#warn({ field: 'name', message: this.#say(nameless[from]) })
  }

  #write(field: DraftField, { value, path }: FieldMatch): boolean {
    const { lead } = this
    const read = fieldReaders[field](value)
    if (read === undefined) {
      if (value.trim() !== '') this.rejectValue(field, value, path)
      return false
    }
    if (field === 'tags') {
      const { tags, warnings } = fitTags([...(lead.tags ?? []), ...(read as string[])])
      lead.tags = tags
      this.#warnings = withWarnings(this.#warnings, warnings)
    } else if (field === 'notes' && lead.notes) lead.notes = this.#fit('notes', `${lead.notes}\n${read}`)
    else if (field === 'other_contacts') {
      this.#addContacts(read as Contact[])
      if ((read as Contact[]).length < contactParts(value).length)
        this.#addToNotes(`Other contacts as sent: ${shown(value)}`)
    } else if ((field === 'phone' || field === 'email') && lead[field] !== undefined)
      this.#addContacts([{ kind: field, value: read as string }])
    else if (lead[field] !== undefined) return false
    else Object.assign(lead, { [field]: isFitted(field) ? this.#fit(field, String(read)) : read })
    return true
  }

  #fit(field: FittedField, text: string, limit?: number): string {
    const fitted = fitText(field, text, limit)
    this.#warnings = withWarnings(this.#warnings, fitted.warnings)
    return fitted.text
  }

  #say(text: Text): string {
    return translate(text, this.#language)
  }

  #warn(warning: Warning): void {
    this.#warnings.push(warning)
  }
}

function fullName({ name, first_name, last_name }: { name?: string; first_name?: string; last_name?: string }) {
  const missing = (part: string | undefined) => part && !name?.toLowerCase().includes(part.toLowerCase())
  const parts = name
    ? [missing(first_name) && first_name, name, missing(last_name) && last_name]
    : [first_name, endsWith(first_name, last_name) ? undefined : last_name]
  return fieldReaders.name(parts.filter(Boolean).join(' '))
}

/** Whether the last name is at the end of the first name, where some forms put the whole name. */
const endsWith = (first: string | undefined, last: string | undefined) =>
  ` ${first} `.toLowerCase().endsWith(` ${last} `.toLowerCase())

/**
 * `Caller +91 98100 44321`: a name that a later one replaces (isPlaceholderName in server/crm/leads/merge-lead.ts). A number in no country's
 * plan is written as one of the account's country only if it was sent so.
 */
function callerName(phone: string, country: CountryCode): string {
  const key = phoneKey(phone, country) ?? phone
  const number = parsePhoneNumberFromString(`+${digitsOf(key).replace(/^0+/, '')}`)
  const isInternational = key.startsWith('+') || (digitsOf(key).length > 10 && number?.isPossible() === true)
  return `Caller ${isInternational ? number?.formatInternational() : phone}`
}

const nameless = {
  phone: msg`No name was sent; it is taken from the phone`,
  email: msg`No name was sent; it is taken from the email`,
  contact: msg`No name was sent; it is taken from the contact`,
}

type Unusable = (value: string, path: string) => Text

const unreadable: Unusable = (value, path) => msg`“${{ value }}” at ${{ path }} cannot be read`

const requirements: Partial<Record<DraftField, Unusable>> = {
  other_contacts: (value, path) => msg`“${{ value }}” at ${{ path }} is not a phone or an email`,
  status: (value, path) => msg`“${{ value }}” at ${{ path }} is not a status`,
  priority: (value, path) => msg`“${{ value }}” at ${{ path }} is not a priority`,
  deal_value: (value, path) => msg`“${{ value }}” at ${{ path }} is not an amount`,
  assigned_to: (value, path) => msg`“${{ value }}” at ${{ path }} is not the email of a user`,
}

function shown(text: string): string {
  const short = lines(text)?.replace(/\s+/g, ' ') ?? ''
  return short.length > 80 ? `${short.slice(0, 80).toWellFormed()}…` : short
}
