import type { CountryCode } from 'libphonenumber-js/max'
import { type LeadField, leadFieldNames, leadFields } from '../leads/fields.ts'
import { startsFormula } from '../leads/formula.ts'
import { type MappedField, mappedFields } from '../payload/contract.ts'
import { mapPayload } from '../payload/map-payload.ts'
import { pathText } from '../payload/path.ts'
import type { ImportColumn } from './contract.ts'
import type { CsvRow } from './read-csv.ts'

/** Makes column names unique and not empty, so that they can be keys of one object. */
export function columnNames({ cells }: CsvRow): string[] {
  const taken = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().slice(0, 200) || `Column ${index + 1}`
    let own = name
    for (let n = 2; taken.has(own); n++) own = `${name} (${n})`
    taken.add(own)
  }
  return [...taken]
}

/**
 * Maps each column to a field: by its exact name, else by what most of the first rows are recognised as, like a webhook's
 * payload. The mapping is the same for all rows.
 */
export function recogniseColumns(names: string[], rows: CsvRow[], country: CountryCode): ImportColumn[] {
  const exact = new Map(names.flatMap((name) => namesakes(name).map((field) => [name, field] as const)))
  const nameAt = new Map(names.map((name) => [pathText([name]), name]))
  const votes = new Map<string, { field: MappedField; name: string; reason: string; n: number }>()
  for (const row of rows) {
    const payload = Object.fromEntries(cellsByName(names, row).filter(([, cell]) => cell !== ''))
    for (const { field, path, reason } of mapPayload(payload, { mapping: [], country }).picks) {
      const name = nameAt.get(path)
      if (name === undefined || exact.has(name)) continue
      const key = `${field} ${name}`
      const vote = votes.get(key) ?? { field, name, reason, n: 0 }
      votes.set(key, { ...vote, n: vote.n + 1 })
    }
  }
  const chosen = new Map<string, ImportColumn>()
  for (const [name, field] of exact) chosen.set(name, { name, field, reason: 'Column name matches' })
  for (const { field, name, reason } of [...votes.values()].sort((one, other) => other.n - one.n)) {
    const taken = [...chosen.values()].some((column) => column.field === field)
    if (!taken && !chosen.has(name)) chosen.set(name, { name, field, reason })
  }
  return names.map((name) => chosen.get(name) ?? { name, field: 'ignore', reason: 'No lead field was recognised' })
}

/** Parses `columns` as a user mapped them. Undefined if it is not an object of column names and fields. */
export function columnsByHand(names: string[], text: string): ImportColumn[] | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const fields = new Map(Object.entries(given))
  if ([...fields].some(([name, field]) => !names.includes(name) || !mappedFields.includes(field))) return undefined
  return names.map((name) => ({ name, field: fields.get(name) ?? 'ignore', reason: 'Mapped manually' }))
}

export function cellsByName(names: string[], { cells }: CsvRow): [string, string][] {
  return names.map((name, index) => [name, withoutApostrophe(cells[index]?.trim() ?? '')])
}

/** An export marks cells that a spreadsheet would read as formulas, such as phones with a plus. */
const withoutApostrophe = (cell: string) =>
  cell.startsWith("'") && startsFormula.test(cell.slice(1)) ? cell.slice(1) : cell

/** Fields by the exact names of columns. */
const owned = new Map<string, LeadField>(
  leadFieldNames.flatMap((field) => {
    const entry = leadFields[field]
    const more = 'columnNames' in entry ? entry.columnNames : []
    return [field, spelled(entry.label), ...more].map((name) => [name, field] as const)
  }),
)

function spelled(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, '_')
}

function namesakes(name: string): MappedField[] {
  const field = owned.get(spelled(name))
  return field ? [field] : []
}
