import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Contact } from '../../crm/contacts/contact.ts'
import { isWithheld } from '../../crm/contacts/withheld.ts'
import type { EnquiryDraft } from '../../crm/enquiries/enquiry.ts'
import { allKeys, contactKeys, otherContactsOf } from '../../crm/leads/contact-keys.ts'
import { textFieldNames } from '../../crm/leads/fields.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { folded } from '../../platform/text/contract.ts'
import type { FieldMatch, MappedField } from '../payload/contract.ts'
import { leadOfMatches } from '../payload/lead-builder.ts'
import { fieldReaders, type LeadDraft } from '../payload/lead-draft.ts'
import { isBlank, lastDigits } from '../payload/structure/values.ts'
import { customerOf } from './call-report.ts'
import { cellsByName } from './columns.ts'
import {
  type ImportColumn,
  type ImportField,
  isMigrated,
  isOfEnquiry,
  type RowWarning,
  type WarningKind,
} from './contract.ts'
import type { FileRow } from './file-limits.ts'
import { joinPhones } from './join-phones.ts'
import { priorityNamed, statusNamed } from './known-values.ts'
import { chooseDateOrder, type DateSigns } from './read-time.ts'
import type { RowCall } from './row-call.ts'
import { type Cell, isSide, type NamedCell, shown, type Warn } from './row-cell.ts'
import { enquiryOf } from './row-enquiry.ts'
import { noTimes, readTimes } from './row-times.ts'
import { joinSurplus } from './surplus-cells.ts'

export interface Lookup extends NamedCell {
  field: 'assigned_to' | 'status' | 'priority' | 'lost_reason'
}

/** A row read by its columns, before what depends on the account is looked up. Can be sent between threads. */
export interface RowDraft extends FileRow {
  lead: LeadDraft
  /** Cells that only the account, or a choice of the user, can say something of. */
  lookups: Lookup[]
  call_again_at: Date | null
  /** When the lead was created and changed in the system that it comes from. */
  created_at: Date | null
  updated_at: Date | null
  call: RowCall | null
  /** What the person said and where it came from; null if the row has none of it. */
  enquiry: EnquiryDraft | null
  warnings: RowWarning[]
  /** The keys of its contacts, the phone and the email first; empty if the row is rejected. */
  contacts: string[]
  /** The reason for a rejection. */
  problem: string | null
}

interface Reading {
  columns: ImportColumn[]
  dates: DateSigns[]
  country: CountryCode
  now: Date
  /** Numbers of the business, in E.164. */
  own: string[]
  /** Between the cells of a text file. A workbook has none. */
  separator: string | undefined
  /** The language of problems and warnings. */
  language?: Language | undefined
}

type Say = (text: Text) => string

/** Returns a function that reads rows by the columns. */
export function rowReader({
  columns,
  dates,
  country,
  now,
  own,
  separator,
  language,
}: Reading): (row: FileRow) => RowDraft {
  const say: Say = (text) => translate(text, language)
  const names = columns.map(({ name }) => name)
  const phones = joinPhones(columns, country)
  const orders = columns.map((_, index) => (dates[index] ? chooseDateOrder(dates[index]) : 'day first'))
  const isOfCalls = columns.some(({ field }) => field === 'called_at')
  const ownKeys = new Set(own)
  const digits = new Set(own.map(lastDigits))
  return (row) => {
    const { line } = row
    const whole = separator === undefined || row.cells.length <= columns.length
    const { cells, joined } = whole
      ? { cells: row.cells, joined: [] }
      : (joinSurplus(row.cells, columns, separator) ?? { cells: undefined, joined: [] })
    if (!cells) return tooManyCells(row, columns.length, say)
    const warnings: RowWarning[] = []
    const warn: Warn = (kind, text) => warnings.push({ kind, text: say(text) })
    const values = cellsByName(names, { line, cells }).map(([, cell]) => cell)
    const given: Cell[] = []
    for (const [index, { name, field }] of columns.entries()) {
      const sent = values[index]!
      if (field === 'ignore' || sent === '') continue
      const order = orders[index]!
      const value = field === 'phone' ? phones(index, values) : sent
      const parts = partsOfCell(field, value)
      if (!parts) given.push({ field, name, value, sent, order })
      else given.push(...parts.map((part) => ({ field, name, value: part, sent: part, order })))
    }
    const party = given.some(isSide)
      ? customerOf(
          columns.map(({ name, field }, index) => ({ name, field, value: values[index]! })),
          digits,
        )
      : null
    const usable = given.filter(({ field, value }) => {
      if (isOfCalls && field === 'phone' && isWithheld(value)) return false
      return holdsAnyText(field) || !isEmptyWord(value)
    })
    const { picks, contacts, kept, lookups } = leadCells(usable, warn)
    if (party?.number !== undefined) {
      picks.push(pickOf('phone', party.number))
      contacts.push({ kind: 'phone', value: party.number })
    }
    for (const at of joined)
      warn('joined', msg`“${{ value: shown(cells[at]!) }}” is read as one value of ${{ column: names[at] }}`)
    const built = leadOfMatches(picks, contacts, country, { language, isCaller: isOfCalls })
    const { lead } = built
    for (const { field, message } of built.warnings)
      if (!(isOfCalls && field === 'name')) warnings.push({ kind: kindOfField(field), text: message })
    const times = readTimes(usable, { now, warn, kept, party })
    for (const cell of usable) if (cell.field === 'email' && !isWholly(cell.value, lead)) kept.add(cell)
    const enquiry = enquiryOf(given, kept, lead)
    if (enquiry && enquiry.omitted > 0)
      warn('cut', msg`${{ count: enquiry.omitted }} answers have no room in the enquiry`)
    const draft = {
      line,
      cells: cells.slice(0, names.length),
      lead,
      lookups,
      enquiry,
      warnings,
      ...times,
    }
    const keys = keysOf(lead, country)
    const rejected = (problem: Text) => ({ ...draft, contacts: [], problem: say(problem) })
    if (given.some(({ sent }) => sent.startsWith('<') && testLead.test(sent)))
      return rejected(msg`It is a test lead of the platform.`)
    const number = lead.phone
    if (isOfCalls && number !== undefined && ownKeys.has(keys[0]!))
      return rejected(msg`${{ number }} is a line of your business, and no customer’s number.`)
    if (isOfCalls && given.some(({ field, sent }) => field === 'phone' && isWithheld(sent)) && keys.length === 0)
      return rejected(msg`The caller’s number is withheld.`)
    if (lead.name !== undefined && keys.length > 0) return { ...draft, problem: null, contacts: keys }
    if (party) return rejected(party.isWithheld ? msg`The caller’s number is withheld.` : unclearSides)
    const why = built.warnings.find(({ field }) => field === 'phone' || field === 'email')?.message
    return rejected(why ? contactProblem(why) : msg`It has no phone and no email.`)
  }
}

/** Whether the lead has all that an email is written with: whose it is, too. An invalid one is in its notes. */
function isWholly(cell: string, { name = '' }: LeadDraft): boolean {
  if (!/[\s<("]/.test(cell)) return true
  const emails = cell.match(/[^\s<>,;"()]+@[^\s<>,;"()]+/g) ?? []
  const rest = emails.reduce((text, email) => text.replace(email, ' '), cell).match(/\p{L}[\p{L}\p{M}]+/gu) ?? []
  return emails.length === 0 || rest.every((word) => folded(name).includes(folded(word)))
}

/** Returns the kind of the warnings of a field. */
const kindOfField = (field: string): WarningKind =>
  /^(phone|email|other_contacts)$/.test(field)
    ? 'contact'
    : field === 'name' || field === 'status' || field === 'priority' || field === 'deal_value'
      ? field
      : 'cut'

const unclearSides = msg`Neither the direction nor your phone lines say which number is the customer’s. Map its column to phone.`

/** Meta puts such texts into each field of its test leads. */
const testLead = /^<test lead:/i

/** A placeholder in such a field may be meant. */
const holdsAnyText = (field: ImportField) => isOfEnquiry(field) || textual.has(field)
const textual: ReadonlySet<string> = new Set(['last_name', 'notes', 'source', 'tags', ...textFieldNames])

const isEmptyWord = (value: string) => !/\d{3}|@/.test(value) && isBlank(value.replace(/^\((.*)\)$/, '$1'))

/** Google writes several contacts or labels into one cell, and its own group of all contacts. Undefined: it is one. */
function partsOfCell(field: ImportField, value: string): string[] | undefined {
  if (!value.startsWith('* ') && !value.includes(' ::: ')) return undefined
  if (field !== 'phone' && field !== 'email' && field !== 'tags') return undefined
  const parts = value.split(' ::: ').filter((part) => part !== '* myContacts')
  return parts.map((part) => part.replace(/^\* /, ''))
}

function tooManyCells({ line, cells }: FileRow, columns: number, say: Say): RowDraft {
  const problem = say(
    msg`It has ${{ values: cells.length }} values, but the file has ${{ columns }} columns. Put a value that contains the separator in quotes.`,
  )
  const more = { lead: {}, lookups: [], enquiry: null, warnings: [], contacts: [] }
  return { line, cells, ...more, ...noTimes, problem }
}

const pickOf = (field: MappedField, value: string): FieldMatch => ({
  field,
  path: field,
  value,
  reason: 'Mapped manually',
  by: 'owner',
})

/** Any number of cells make up one of these fields; of others, the first that can be read. */
const joinedFields: readonly ImportField[] = ['phone', 'email', 'other_contacts', 'tags', 'notes', 'first_name']

/**
 * The cells of lead fields, in our words. `kept`: those that a field cannot have, or has from another column already. They are answers.
 */
function leadCells(given: Cell[], warn: Warn) {
  const kept = new Set<Cell>()
  const picks: FieldMatch[] = []
  const contacts: Contact[] = []
  const lookups: Lookup[] = []
  const taken = new Set<ImportField>()
  for (const cell of given) {
    const { field, name, value, sent } = cell
    if (field === 'ignore' || isMigrated(field) || isOfEnquiry(field)) continue
    if (taken.has(field) && !joinedFields.includes(field)) {
      kept.add(cell)
      continue
    }
    if (field === 'call_again_at') continue
    const named = isLookedUp(field) ? undefined : wordOf(field, value)
    if (isLookedUp(field) || ((field === 'status' || field === 'priority') && named === undefined)) {
      lookups.push({ field, name, value })
      taken.add(field)
      continue
    }
    if (named === undefined) {
      warn('deal_value', msg`“${{ value: shown(value) }}” is not an amount; it is kept as an answer`)
      kept.add(cell)
      continue
    }
    const first = field === 'first_name' ? picks.find((pick) => pick.field === field) : undefined
    if (first) first.value += ` ${named}`
    else picks.push({ ...pickOf(field, named), path: name })
    taken.add(field)
    if (field === 'phone' || field === 'email') contacts.push({ kind: field, value: sent })
  }
  return { picks, contacts, kept, lookups }
}

const isLookedUp = (field: ImportField) => field === 'assigned_to' || field === 'lost_reason'

/** The value in our words; undefined if the field cannot have it, such as a budget of 50-60 lakh. */
function wordOf(field: MappedField, value: string): string | undefined {
  if (field === 'status') return statusNamed(value)
  if (field === 'priority') return priorityNamed(value)
  return field === 'deal_value' && fieldReaders.deal_value(value) === undefined ? undefined : value
}

function keysOf(lead: LeadDraft, country: CountryCode): string[] {
  const { name = '', phone, email, other_contacts = [] } = lead
  const first = contactKeys({ name, phone: phone ?? null, email: email ?? null }, country)
  return allKeys({ ...first, contacts: otherContactsOf(other_contacts, first, country) })
}

const contactProblem = (why: string) => msg`${{ why }}, and it has no other contact.`
