import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import { answersIn, originIn } from '../../crm/enquiries/readable-enquiry.ts'
import { unescapeFormulas } from '../../platform/http/csv.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { isLeadTarget, type LeadTarget } from '../payload/contract.ts'
import { partOf } from '../payload/enquiry/part-of-value.ts'
import { mapPayload } from '../payload/map-payload.ts'
import { pathText } from '../payload/path.ts'
import { fieldNamed } from './column-names.ts'
import { type EnquiryField, type ImportColumn, type ImportField, importFields, isMigrated } from './contract.ts'
import type { FileRow } from './file-limits.ts'
import { chooseDateOrder, type DateSigns } from './read-time.ts'

/** Makes column names unique and not empty, so that they can be keys of one object. */
export function columnNames({ cells }: FileRow): string[] {
  const taken = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().slice(0, 200) || `Column ${index + 1}`
    let own = name
    for (let n = 2; taken.has(own); n++) own = `${name} (${n})`
    taken.add(own)
  }
  return [...taken]
}

interface Sample {
  names: string[]
  /** The first rows. */
  rows: FileRow[]
  country: CountryCode
  /** Also the columns of times and calls. */
  withMigrated: boolean
  /** The language of the reasons. */
  language?: Language | undefined
}

/**
 * Maps each column to a field: by its exact name, else by what most of the first rows are recognised as, like a webhook's
 * payload. The other columns are what the enquiry says, or what programs write. The mapping is the same for all rows.
 */
export function recogniseColumns({ names, rows, country, withMigrated, language }: Sample): ImportColumn[] {
  const exact = new Map(names.flatMap((name) => namesakes(name, withMigrated).map((field) => [name, field] as const)))
  if (['first_name', 'last_name'].every((part) => [...exact.values()].includes(part as ImportField))) {
    // It may be a title of the lead, as in Bitrix24.
    for (const [name, field] of exact) if (field === 'name') exact.set(name, 'ignore')
  }
  const nameAt = new Map(names.map((name) => [pathText([name]), name]))
  const votes = new Map<string, { field: LeadTarget; name: string; reason: string; n: number }>()
  for (const row of rows) {
    const payload = Object.fromEntries(cellsByName(names, row).filter(([, cell]) => cell !== ''))
    for (const { field, path, reason } of mapPayload(payload, { mapping: [], country, isRow: true, language }).picks) {
      const name = nameAt.get(path)
      if (name === undefined || exact.has(name) || !isLeadTarget(field)) continue
      const key = `${field} ${name}`
      const vote = votes.get(key) ?? { field, name, reason, n: 0 }
      votes.set(key, { ...vote, n: vote.n + 1 })
    }
  }
  const chosen = new Map<string, ImportColumn>()
  for (const [name, field] of exact) {
    chosen.set(name, {
      name,
      field,
      reason: translate(field === 'ignore' ? msg`The name is in other columns` : msg`Column name matches`, language),
    })
  }
  for (const { field, name, reason } of [...votes.values()].sort((one, other) => other.n - one.n)) {
    const taken = [...chosen.values()].some((column) => column.field === field)
    if (!taken && !chosen.has(name)) chosen.set(name, { name, field, reason })
  }
  return names.map((name, index) => {
    const known = chosen.get(name)
    if (known) return known
    const onlyAdmins = fieldNamed(name) !== undefined && !withMigrated
    const values = rows.map(({ cells }) => cells[index]?.trim() ?? '').filter((cell) => cell !== '')
    const field = onlyAdmins ? 'ignore' : partOfColumn(name, values)
    const reason = onlyAdmins ? msg`Only Admins import times and calls` : reasonOf(field)
    return { name, field, reason: translate(reason, language) }
  })
}

/** What most values of a column that is no field are. */
function partOfColumn(name: string, values: string[]): EnquiryField | 'ignore' {
  if (/^answers$/i.test(name) && values.some(answersIn)) return 'answers'
  if (/^origin$/i.test(name) && values.some(originIn)) return 'origin'
  const parts = (values.length > 0 ? values : [' ']).map((value) => partOf({ question: name, value }))
  const [[most]] = [...Map.groupBy(parts, (part) => part)].sort(
    ([, some], [, others]) => others.length - some.length,
  ) as [[(typeof parts)[number], unknown]]
  return most === 'left_out' ? 'ignore' : most
}

function reasonOf(field: EnquiryField | 'ignore'): Text {
  if (field === 'ignore') return msg`Written by programs, not by the person`
  if (field === 'answer') return msg`No lead field: kept with the column’s name as the question`
  return field === 'answers' || field === 'origin' ? msg`Column of an export` : msg`Column name matches`
}

/** Adds to the reason of each column of times how its ambiguous dates are read. */
export function withDateOrders(columns: ImportColumn[], dates: DateSigns[], language?: Language): ImportColumn[] {
  return columns.map((column, index) => {
    const signs = dates[index]
    if (!isTime(column.field) || !signs?.ambiguous) return column
    const { reason } = column
    const withOrder =
      chooseDateOrder(signs) === 'day first'
        ? msg`${{ reason }}; dates are read day first: 03/04/2025 is 3 April`
        : msg`${{ reason }}; dates are read month first: 03/04/2025 is March 4`
    return { ...column, reason: translate(withOrder, language) }
  })
}

const isTime = (field: ImportField) => field === 'created_at' || field === 'updated_at' || field === 'called_at'

/** Parses `columns` as a user mapped the recognised ones. Undefined if it is not an object of column names and fields. */
export function columnsByHand(
  recognised: ImportColumn[],
  text: string,
  { others = 'ignore', language }: { others?: 'answer' | 'ignore' | undefined; language?: Language },
): ImportColumn[] | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const fields = new Map(Object.entries(given))
  const names = recognised.map(({ name }) => name)
  if ([...fields].some(([name, field]) => !names.includes(name) || !importFields.includes(field))) return undefined
  const reason = translate(msg`Mapped manually`, language)
  return recognised.map((column) => {
    const field = fields.get(column.name) ?? others
    return field === column.field ? column : { name: column.name, field, reason }
  })
}

export function cellsByName(names: string[], { cells }: FileRow): [string, string][] {
  return names.map((name, index) => [name, unescapeFormulas(cells[index]?.trim() ?? '')])
}

function namesakes(name: string, withMigrated: boolean): ImportField[] {
  const field = fieldNamed(name)
  return field && (withMigrated || !isMigrated(field)) ? [field] : []
}
