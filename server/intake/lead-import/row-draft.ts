import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Contact } from '../../crm/contacts/contact.ts'
import type { Answer, Consent, Origin } from '../../crm/enquiries/contract.ts'
import { type EnquiryDraft, fitEnquiry, isEmptyEnquiry } from '../../crm/enquiries/enquiry.ts'
import { answersIn, consentIn, originIn } from '../../crm/enquiries/readable-enquiry.ts'
import { joinConsent } from '../../crm/enquiries/stored-enquiry.ts'
import { allKeys, contactKeys, otherContactsOf } from '../../crm/leads/contact-keys.ts'
import { fieldLabel } from '../../crm/leads/fields.ts'
import type { DateOrder } from '../../platform/http/parse-time.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { FieldMatch, MappedField } from '../payload/contract.ts'
import type { FreeValue } from '../payload/enquiry/part-of-value.ts'
import { readEnquiry } from '../payload/enquiry/read-enquiry.ts'
import { partOfName } from '../payload/enquiry/word-part.ts'
import { leadOfMatches } from '../payload/lead-builder.ts'
import { fieldReaders, type LeadDraft, lines } from '../payload/lead-draft.ts'
import { fieldNamed, zoneIn } from './column-names.ts'
import { cellsByName } from './columns.ts'
import { type ImportColumn, type ImportField, isMigrated, isOfEnquiry } from './contract.ts'
import type { FileRow } from './file-limits.ts'
import { joinPhones } from './join-phones.ts'
import { priorityNamed, statusNamed } from './known-values.ts'
import { chooseDateOrder, type DateSigns, readCellTime } from './read-time.ts'
import { type RowCall, readCall } from './row-call.ts'
import { joinSurplus } from './surplus-cells.ts'

/** A row read by its columns, before its owner is looked up. Can be sent between threads. */
export interface RowDraft extends FileRow {
  lead: LeadDraft
  /** The text of the owner's column. */
  owner: string | null
  /** When the lead was created and changed in the system that it comes from. */
  created_at: Date | null
  updated_at: Date | null
  call: RowCall | null
  /** What the person said and where it came from; null if the row has none of it. */
  enquiry: EnquiryDraft | null
  warnings: string[]
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
  /** Between the cells of a text file. A workbook has none. */
  separator: string | undefined
  /** The language of problems and warnings. */
  language?: Language | undefined
}

type Say = (text: Text) => string

interface Cell {
  field: ImportField
  name: string
  value: string
  /** The cell as it is in the file. */
  sent: string
  order: DateOrder
}

/** Returns a function that reads rows by the columns. */
export function rowReader({ columns, dates, country, now, separator, language }: Reading): (row: FileRow) => RowDraft {
  const say: Say = (text) => translate(text, language)
  const names = columns.map(({ name }) => name)
  const phones = joinPhones(columns, country)
  const orders = columns.map((_, index) => (dates[index] ? chooseDateOrder(dates[index]) : 'day first'))
  return (row) => {
    const { line } = row
    const whole = separator === undefined || row.cells.length <= columns.length
    const { cells, joined } = whole
      ? { cells: row.cells, joined: [] }
      : (joinSurplus(row.cells, columns, separator) ?? { cells: undefined, joined: [] })
    if (!cells) return tooManyCells(row, columns.length, say)
    const values = cellsByName(names, { line, cells }).map(([, cell]) => cell)
    const given: Cell[] = columns.flatMap(({ name, field }, index) => {
      const cell = values[index]!
      if (field === 'ignore' || cell === '') return []
      const value = field === 'phone' ? withoutFraction(phones(index, values)) : cell
      return [{ field, name, value, sent: cell, order: orders[index]! }]
    })
    const { picks, contacts, unread, warnings } = leadCells(given, say)
    warnings.push(
      ...joined.map((at) =>
        say(msg`“${{ value: shown(cells[at]!) }}” is read as one value of ${{ column: names[at] }}`),
      ),
    )
    const built = leadOfMatches(picks, contacts, country, language)
    const { lead } = built
    const enquiry = enquiryOf(given, unread)
    warnings.push(...built.warnings.map(({ message }) => message))
    const times = readTimes(given, now, { warnings, say })
    const owner = given.find(({ field }) => field === 'assigned_to')?.value ?? null
    const own = { line, cells: cells.slice(0, names.length), lead, owner, enquiry, warnings, ...times }
    const keys = keysOf(lead, country)
    if (lead.name !== undefined && keys.length > 0) return { ...own, problem: null, contacts: keys }
    const why = built.warnings.find(({ field }) => field === 'phone' || field === 'email')?.message
    return { ...own, contacts: [], problem: say(why ? contactProblem(why) : msg`It has no phone and no email.`) }
  }
}

function tooManyCells({ line, cells }: FileRow, columns: number, say: Say): RowDraft {
  const problem = say(
    msg`It has ${{ values: cells.length }} values, but the file has ${{ columns }} columns. Put a value that contains the separator in quotes.`,
  )
  const times = { created_at: null, updated_at: null, call: null }
  return { line, cells, lead: {}, owner: null, enquiry: null, ...times, warnings: [], contacts: [], problem }
}

/** Spreadsheets turn a column of phones with gaps into numbers with a fraction: 9820000001.0. */
const withoutFraction = (phone: string) => phone.replace(/^(\+?\d{7,15})\.0+$/, '$1')

/** The cells of lead fields, in our words. Those that a field cannot have are kept as answers. */
function leadCells(given: Cell[], say: Say) {
  const warnings: string[] = []
  const unread = new Set<Cell>()
  const picks: FieldMatch[] = []
  const contacts: Contact[] = []
  for (const cell of given) {
    const { field, name, value, sent } = cell
    if (field === 'ignore' || field === 'assigned_to' || isMigrated(field) || isOfEnquiry(field)) continue
    const named = wordOf(field, value)
    if (named === undefined) {
      warnings.push(say(unusable(field, shown(value))))
      unread.add(cell)
      continue
    }
    picks.push({ field, path: name, value: named, reason: 'Mapped manually', by: 'owner' })
    if (field === 'phone' || field === 'email') contacts.push({ kind: field, value: sent })
  }
  return { picks, contacts, unread, warnings }
}

const unusable = (field: MappedField, value: string): Text =>
  field === 'status'
    ? msg`“${{ value }}” is not a status; it is kept as an answer`
    : field === 'priority'
      ? msg`“${{ value }}” is not a priority; it is kept as an answer`
      : msg`“${{ value }}” is not an amount; it is kept as an answer`

/** The enquiry of a row: its cells in their order, and before them the answers of an export. */
function enquiryOf(given: Cell[], unread: ReadonlySet<Cell>): EnquiryDraft | null {
  const answers: Answer[] = []
  const origin: Origin = {}
  const consents: Consent[] = []
  const free = given.flatMap((cell): FreeValue[] => {
    const { field, name, value } = cell
    if (unread.has(cell)) return [{ question: name, value, part: 'answer' }]
    // The source of a lead may be a UTM value, too.
    if (field === 'source' && partOfName(name).part === 'utm_source')
      return [{ question: name, value, part: 'utm_source' }]
    if (!isOfEnquiry(field)) return []
    const given = field === 'consent' ? consentIn(value) : undefined
    if (given) {
      consents.push(given)
      return []
    }
    if (field !== 'answers' && field !== 'origin') {
      // An export has the name in the language of the page.
      const question = field === 'do_not_call' && fieldNamed(name) === field ? fieldLabel(field) : name
      return [{ question, value: withoutName(question, value), part: field }]
    }
    const exported = field === 'answers' ? answersIn(value) : originIn(value)
    if (!exported) return [{ question: name, value, part: 'answer' }]
    if (Array.isArray(exported)) answers.push(...exported)
    else Object.assign(origin, exported)
    return []
  })
  if (free.length + answers.length + consents.length + Object.keys(origin).length === 0) return null
  const { enquiry } = readEnquiry(free)
  const whole = fitEnquiry({
    ...enquiry,
    consent: consents.reduce(joinConsent, enquiry.consent),
    origin: { ...origin, ...enquiry.origin },
    answers: [...answers, ...enquiry.answers],
  })
  return isEmptyEnquiry(whole) ? null : whole
}

/** A mark against calls is stored with the name of its column: `Do not call: DND`. */
const withoutName = (name: string, value: string) =>
  value.startsWith(`${name}: `) ? value.slice(name.length + 2) : value

/** The value in our words; undefined if the field cannot have it, such as a budget of 50-60 lakh. */
function wordOf(field: MappedField, value: string): string | undefined {
  if (field === 'status') return statusNamed(value)
  if (field === 'priority') return priorityNamed(value)
  return field === 'deal_value' && fieldReaders.deal_value(value) === undefined ? undefined : value
}

function readTimes(given: Cell[], now: Date, { warnings, say }: { warnings: string[]; say: Say }) {
  const text = (wanted: ImportField) => given.find(({ field }) => field === wanted)?.value
  const time = (wanted: 'created_at' | 'updated_at' | 'called_at', otherwise: (why: Text) => Text): Date | null => {
    const cell = given.find(({ field }) => field === wanted)
    if (!cell) return null
    const read = readCellTime(withZone(cell), cell.order)
    if (read && read >= earliest && read <= now) return read
    const where = { value: shown(cell.value), column: cell.name }
    warnings.push(say(otherwise(!read ? noDate(where) : read > now ? inFuture(where) : tooEarly(where))))
    return null
  }
  const created_at = time('created_at', (why) => msg`${{ why }}; the time of the import is used`)
  const updated_at = time('updated_at', (why) => msg`${{ why }}, and is ignored`)
  const called_at = time('called_at', (why) => msg`${{ why }}, so the call is not logged`)
  const details = ['call_type', 'call_duration', 'call_outcome', 'call_notes'] as const
  if (!called_at) {
    const isCall = details.some((field) => text(field) !== undefined)
    if (isCall && text('called_at') === undefined) warnings.push(say(msg`The call has no time, so it is not logged`))
    return { created_at, updated_at, call: null }
  }
  const [type, duration, outcome, notes] = details.map(text)
  const unit = given.find(({ field }) => field === 'call_duration')?.name ?? ''
  const read = readCall({
    called_at,
    durationUnit: /min/i.test(unit) ? 'minutes' : 'seconds',
    ...(type === undefined ? {} : { type }),
    ...(duration === undefined ? {} : { duration }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(notes === undefined ? {} : { notes }),
  })
  warnings.push(...read.warnings.map(say))
  return { created_at, updated_at, call: read.call }
}

interface Where {
  value: string
  column: string
}

const noDate = ({ value, column }: Where) => msg`“${{ value }}” in ${{ column }} is not a date`
const inFuture = ({ value, column }: Where) => msg`“${{ value }}” in ${{ column }} is in the future`
const tooEarly = ({ value, column }: Where) => msg`“${{ value }}” in ${{ column }} is before 1980`

/** The zone in the name of a column is that of its times, unless they state their own. */
function withZone({ name, value }: Cell): string {
  const zone = zoneIn(name)
  return zone !== undefined && endsWithTime.test(value) ? `${value} ${zone}` : value
}

const endsWithTime = /(?<![+-]\d?)\d:\d\d(:\d\d)?(\.\d+)?(\s*[ap]\.?m\.?)?$/i

/** Earlier dates are zeros and typing errors. */
const earliest = new Date('1980-01-01T00:00:00Z')

function keysOf(lead: LeadDraft, country: CountryCode): string[] {
  const { name = '', phone, email, other_contacts = [] } = lead
  const first = contactKeys({ name, phone: phone ?? null, email: email ?? null }, country)
  return allKeys({ ...first, contacts: otherContactsOf(other_contacts, first, country) })
}

const shown = (text: string) => (lines(text)?.replace(/\s+/g, ' ') ?? '').slice(0, 200).toWellFormed()

const contactProblem = (why: string) => msg`${{ why }}, and it has no other contact.`
