import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import { phoneKey } from '../../crm/contacts/contact.ts'
import type { Text } from '../../platform/languages/translate.ts'
import { fieldReaders } from '../payload/lead-draft.ts'
import { fieldNamed } from './column-names.ts'
import type { FileRow } from './file-limits.ts'

/** The first rows, one of which may have the column names. */
export const maxTopRows = 20

export interface Header {
  /** The row with the column names; null if there is none. */
  row: FileRow | null
  /** Why, if it is not the first row. */
  reason: Text | null
}

/** Finds the row of column names among the first rows of a file: below a title, or nowhere if the first row is a lead. */
export function findHeader(rows: FileRow[], country: CountryCode): Header {
  const top = rows.slice(0, maxTopRows)
  const person = top.findIndex((row) => hasContact(row, country))
  // With names of fields it is no title, such as one with the phone of a company.
  const named = top.find((row) => namesIn(row) > 1 && !hasContact(row, country))
  if (!named && person === 0) {
    return { row: null, reason: msg`The first row looks like a person, so it is read as a lead.` }
  }
  const [first] = top
  const below = top.slice(0, person === -1 ? 1 : person).find((row) => valuesIn(row) > 1)
  const row = named ?? below ?? first ?? null
  if (!row || row === first) return { row, reason: null }
  return { row, reason: msg`Row ${{ line: row.line }} has the column names. The rows above it are not read.` }
}

/** Returns whether most of the rows are those of people: a sheet of instructions is none of leads. */
export function hasPeople(rows: FileRow[], country: CountryCode): boolean {
  const people = rows.filter((row) => hasContact(row, country)).length
  return people > 0 && people >= Math.floor(rows.length / 2)
}

const valuesIn = ({ cells }: FileRow) => cells.filter((cell) => cell.trim() !== '').length
const namesIn = ({ cells }: FileRow) => cells.filter((cell) => fieldNamed(cell.slice(0, 200)) !== undefined).length

/** A cell that is a phone of a country's plan, or an email. A number or a date is none. */
const hasContact = ({ cells }: FileRow, country: CountryCode) =>
  cells.some((cell) => {
    if (cell.length > 200 || !/[@\d]/.test(cell)) return false
    if (fieldReaders.email(cell) !== undefined) return true
    const phone = fieldReaders.phone(cell)
    return phone !== undefined && (phoneKey(phone, country)?.startsWith('+') ?? false)
  })
