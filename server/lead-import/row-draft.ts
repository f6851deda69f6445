import type { CountryCode } from 'libphonenumber-js/max'
import { emailKey, phoneKey } from '../leads/contact.ts'
import { leadOfMatches } from '../payload/lead-builder.ts'
import type { LeadDraft } from '../payload/lead-draft.ts'
import { cellsByName } from './columns.ts'
import type { ImportColumn } from './contract.ts'
import { joinPhones } from './join-phones.ts'
import type { CsvRow } from './read-csv.ts'

/** A row read by its columns, before its owner is looked up. Can be sent between threads. */
export interface RowDraft extends CsvRow {
  lead: LeadDraft
  warnings: string[]
  /** The keys of its phone and email; empty if the row is rejected. */
  contacts: string[]
  /** The reason for a rejection. */
  problem: string | null
}

/** Returns a function that reads rows by the columns. */
export function rowReader(columns: ImportColumn[], country: CountryCode): (row: CsvRow) => RowDraft {
  const names = columns.map(({ name }) => name)
  const phones = joinPhones(columns, country)
  return ({ line, cells }) => {
    const values = cellsByName(names, { line, cells }).map(([, cell]) => cell)
    const picks = columns.flatMap(({ name, field }, index) => {
      const cell = values[index]!
      if (field === 'ignore' || cell === '') return []
      const value = field === 'phone' ? phones(index, values) : cell
      return [{ field, path: name, value, reason: 'Mapped manually', by: 'owner' as const }]
    })
    const { lead, warnings } = leadOfMatches(picks)
    const messages = warnings.map(({ message }) => message)
    const own = { line, cells: cells.slice(0, names.length), lead, warnings: messages }
    if (lead.name !== undefined && (lead.email !== undefined || lead.phone !== undefined)) {
      return { ...own, problem: null, contacts: contactsOf(lead, country) }
    }
    const why = warnings.find(({ field }) => field === 'phone' || field === 'email')?.message
    return { ...own, contacts: [], problem: why ? contactProblem(why) : 'It has no phone and no email.' }
  }
}

function contactsOf({ phone, email }: LeadDraft, country: CountryCode): string[] {
  return [...(phone ? [phoneKey(phone, country) ?? phone] : []), ...(email ? [emailKey(email)] : [])]
}

const contactProblem = (why: string) => `${why.replace(/; it is kept in the notes$/, '')}, and it has no other contact.`
