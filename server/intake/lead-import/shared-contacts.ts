import { hashText } from '../payload/recognition/hash.ts'
import type { SharedContact } from './contract.ts'
import type { RowDraft } from './row-draft.ts'

/** Contacts that are counted, the first ones of the file: a map of them takes at most 40 MB. */
const maxContacts = 300_000
/** The contacts with the most rows are listed. */
const maxShared = 50
const maxLines = 5

interface Rows {
  count: number
  name: number
  differ: boolean
  lines: number[]
}

/** A name's hash and the line of the only row with a contact, in one number: most contacts have one row. */
const lines = 2 ** 21
const packed = (name: number, line: number) => name * lines + Math.min(line, lines - 1)

/**
 * Counts the rows that share a phone or an email under different names: a number that a spreadsheet rounded, or that of an office. All
 * of them become one lead.
 */
export function sharedContacts() {
  const contacts = new Map<string, number | Rows>()

  /** Takes the next row that is not rejected. */
  function add({ contacts: keys, lead, line }: Pick<RowDraft, 'contacts' | 'lead' | 'line'>): void {
    const name = nameOf(lead)
    for (const key of keys) {
      const held = contacts.get(key)
      if (held === undefined) {
        if (contacts.size < maxContacts) contacts.set(key, packed(name, line))
        continue
      }
      const rows = typeof held === 'number' ? firstOf(held) : held
      if (held !== rows) contacts.set(key, rows)
      rows.count++
      rows.differ ||= name !== unnamed && rows.name !== unnamed && name !== rows.name
      if (rows.name === unnamed) rows.name = name
      if (rows.lines.length < maxLines) rows.lines.push(line)
    }
  }

  /** Those with the most rows first. */
  function list(): SharedContact[] {
    const shared: SharedContact[] = []
    for (const [contact, rows] of contacts)
      if (typeof rows === 'object' && rows.differ) shared.push({ contact, rows: rows.count, lines: rows.lines })
    return shared.sort((one, other) => other.rows - one.rows).slice(0, maxShared)
  }

  return { add, list }
}

const firstOf = (held: number): Rows => ({
  count: 1,
  name: Math.floor(held / lines),
  differ: false,
  lines: [held % lines],
})

/** A row without a name has that of its contact. */
const unnamed = 0

function nameOf({ name = '', phone, email }: RowDraft['lead']): number {
  if (name === phone || name === email) return unnamed
  return hashText(name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim())
}
