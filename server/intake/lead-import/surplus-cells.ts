import { rupeesIn } from '../../crm/leads/contract.ts'
import { reasonColumns } from './column-names.ts'
import type { ImportColumn, ImportField } from './contract.ts'
import { readCellTime } from './read-time.ts'

/** More surplus cells have too many readings. */
const maxSurplus = 10

const placeholder = /^(n\/?a|none|nil|null|no|unknown|not available|[-–—.]*)$/i
const phoneLike = /^[\p{L}:'"]{0,12}[\d\s+()./\\;:'"p-]{6,40}$/iu

/** Whether a column may hold a text. Columns that are not listed may hold any. */
const fits: Partial<Record<ImportField, (text: string) => boolean>> = {
  phone: (text) => phoneLike.test(text),
  email: (text) => /^\S+@\S+$/.test(text) || /^.*<\S+@\S+>$/.test(text),
  // One with commas must have them between thousands.
  deal_value: (text) => rupeesIn(text) !== undefined || !text.includes(',') || /\d\s*(-|–|to)\s*[\d₹]/.test(text),
  created_at: (text) => readCellTime(text) !== undefined,
  updated_at: (text) => readCellTime(text) !== undefined,
  called_at: (text) => readCellTime(text) !== undefined,
  call_again_at: (text) => readCellTime(text) !== undefined,
}

const isBlank = (text: string) => text.trim() === ''

const mayHold = (field: ImportField, text: string) => {
  const trimmed = text.trim()
  return placeholder.test(trimmed) || (fits[field]?.(trimmed) ?? true)
}

/** A name or a city contains no phone, and no text ends with a separator. */
const mayBeJoined = (field: ImportField, pieces: string[]) =>
  !isBlank(pieces[0]!) &&
  !isBlank(pieces.at(-1)!) &&
  (field === 'notes' || !pieces.some((piece) => /@|\d{7}|\d{5}[\s-]\d{5}/.test(piece)))

export interface JoinedRow {
  /** One for each column. */
  cells: string[]
  /** The columns whose cells were joined. */
  joined: number[]
}

/** How often the rest of a row can be read, and how many further cells each of its columns takes. */
interface Reading {
  count: number
  takes: number[]
}

/**
 * Reads a row with more cells than columns, as of commas that should be in quotes: joins cells, or leaves out empty ones at
 * the end, where the row can be read in exactly one way; otherwise returns undefined.
 */
export function joinSurplus(cells: string[], columns: ImportColumn[], separator: string): JoinedRow | undefined {
  const surplus = cells.length - columns.length
  // Rejected rows have the reason behind the columns, and wait for a correction.
  if (columns.some(({ name }) => name === reasonColumns.rejected)) return undefined
  const own = cells.slice(0, columns.length)
  const isPadded =
    cells.slice(columns.length).every(isBlank) && own.every((cell, column) => mayHold(columns[column]!.field, cell))
  const { count, takes } = surplus > maxSurplus ? { count: 0, takes: [] } : readJoined(cells, columns, separator)
  if (count + (isPadded ? 1 : 0) !== 1) return undefined
  if (isPadded) return { cells: own, joined: [] }
  let at = 0
  const read = takes.map((more) => {
    const text = cells.slice(at, at + more + 1).join(separator)
    at += more + 1
    return text
  })
  return { cells: read, joined: takes.flatMap((more, column) => (more > 0 ? [column] : [])) }
}

/** From the last column to the first, for each number of cells that the columns before it may have taken. */
function readJoined(cells: string[], columns: ImportColumn[], separator: string): Reading {
  const surplus = cells.length - columns.length
  let rest: Reading[] = Array.from({ length: surplus + 1 }, (_, taken) => ({
    count: taken === surplus ? 1 : 0,
    takes: [],
  }))
  for (let column = columns.length - 1; column >= 0; column--) {
    const { field } = columns[column]!
    rest = rest.map((_, taken) => {
      const reading: Reading = { count: 0, takes: [] }
      for (let more = 0; taken + more <= surplus && reading.count < 2; more++) {
        const after = rest[taken + more]!
        const pieces = cells.slice(column + taken, column + taken + more + 1)
        if (after.count === 0 || (more > 0 && !mayBeJoined(field, pieces))) continue
        if (!mayHold(field, pieces.join(separator))) continue
        reading.count += after.count
        reading.takes = [more, ...after.takes]
      }
      return reading
    })
  }
  return rest[0]!
}
