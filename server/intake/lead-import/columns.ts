import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import { answersIn, originIn } from '../../crm/enquiries/readable-enquiry.ts'
import { unescapeFormulas } from '../../platform/http/csv.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { isLeadTarget, type LeadTarget } from '../payload/contract.ts'
import { partOf } from '../payload/enquiry/part-of-value.ts'
import { partOfName } from '../payload/enquiry/word-part.ts'
import { mapPayload } from '../payload/map-payload.ts'
import { pathText } from '../payload/path.ts'
import { isBlank } from '../payload/structure/values.ts'
import { callColumns } from './call-report.ts'
import { fieldNamed, timeFields, withoutObject } from './column-names.ts'
import { areAmounts, areClocks, areStatuses, contactsIn, haveDates, mayBeCreation } from './column-values.ts'
import { type EnquiryField, type ImportColumn, type ImportField, importFields, isMigrated } from './contract.ts'
import type { FileRow } from './file-limits.ts'
import { jsonObjectIn } from './json-object.ts'
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
 * payload, else by values that can be nothing else. The other columns are what the enquiry says, or what programs write. The mapping
 * is the same for all rows.
 */
export function recogniseColumns({ names, rows, country, withMigrated, language }: Sample): ImportColumn[] {
  const cells = rows.map((row) => cellsByName(names, row))
  const values = names.map((_, index) => cells.map((row) => row[index]![1]).filter((cell) => !isBlank(cell)))
  const chosen = new Map<string, ImportColumn>()
  const isTaken = (field: ImportField) => [...chosen.values()].some((column) => column.field === field)
  const choose = (name: string, field: ImportField, reason: Text) =>
    chosen.set(
      name,
      withMigrated || !isMigrated(field)
        ? { name, field, reason: translate(reason, language) }
        : { name, field: 'ignore', reason: translate(onlyAdmins, language) },
    )
  const ofCalls = callColumns(names, cells)
  for (const [name, field] of ofCalls ?? []) {
    const named = fieldNamed(name)
    choose(name, named?.startsWith('call') ? named : field, msg`Column of a list of calls`)
  }
  for (const name of names) {
    const field = chosen.has(name) ? undefined : fieldNamed(name)
    if (field && !(ofCalls && noField.includes(field))) choose(name, field, msg`Column name matches`)
  }
  const hasParts = isTaken('first_name') && isTaken('last_name')
  // It may be a title of the lead, as in Bitrix24.
  for (const { name, field } of hasParts ? chosen.values() : [])
    if (field === 'name') choose(name, 'answer', msg`The name is in other columns`)
  for (const { field, is, reason } of ofCalls ? [] : fieldsByValues) {
    const name = names.find((name, index) => !chosen.has(name) && is(name, values[index]!))
    if (name !== undefined && !isTaken(field)) choose(name, field, reason)
  }
  const dated = (['called_at', 'created_at'] as const).find(isTaken)
  const clock = names.find((name, index) => !chosen.has(name) && areClocks(name, values[index]!))
  if (dated && clock !== undefined) choose(clock, dated, msg`The values are times of day`)
  const votes = votesOf(names, cells, { country, language })
  for (const { field, name, reason } of votes) {
    const isSettled = isTaken(field) || chosen.has(name) || (field === 'name' && hasParts)
    if (field !== 'other_contacts' && !isSettled && !ofCalls) choose(name, field, reason)
  }
  for (const [index, name] of names.entries()) {
    const field = chosen.has(name) || ofCalls ? undefined : contactsIn(name, values[index]!)
    if (field) choose(name, field, msg`A further phone or email`)
  }
  for (const { field, name, reason } of votes) {
    if (field === 'other_contacts' && !isTaken(field) && !chosen.has(name) && !ofCalls) choose(name, field, reason)
  }
  return names.map((name, index) => {
    const known = chosen.get(name)
    if (known) return known
    const field = partOfColumn(name, values[index]!)
    if (ofCalls && field === 'answer') choose(name, 'call_notes', msg`Column of a list of calls`)
    else choose(name, field, reasonOf(field))
    return chosen.get(name)!
  })
}

/** What a list of calls has of its calls, and not of their leads. */
const noField: ImportField[] = ['status', 'created_at', 'updated_at', 'phone', 'notes']

interface Vote {
  field: LeadTarget
  name: string
  reason: string
  n: number
}

/** Returns what columns are recognised as, in most of the rows first. */
function votesOf(
  names: string[],
  rows: [string, string][][],
  { country, language }: { country: CountryCode; language: Language | undefined },
): Vote[] {
  const nameAt = new Map(names.map((name) => [pathText([name]), name]))
  const votes = new Map<string, Vote>()
  for (const cells of rows) {
    const payload = Object.fromEntries(cells.filter(([, cell]) => cell !== ''))
    for (const { field, path, reason } of mapPayload(payload, { mapping: [], country, isRow: true, language }).picks) {
      const name = nameAt.get(path)
      if (name === undefined || !isLeadTarget(field)) continue
      const key = `${field} ${name}`
      const vote = votes.get(key) ?? { field, name, reason, n: 0 }
      votes.set(key, { ...vote, n: vote.n + 1 })
    }
  }
  return [...votes.values()].sort((one, other) => other.n - one.n)
}

const onlyAdmins = msg`Only Admins import times and calls`

/** Fields that a column has by its values, if its header is not known and no other column has them. */
const fieldsByValues: {
  field: ImportField
  is: (name: string, values: readonly string[]) => boolean
  reason: Text
}[] = [
  {
    field: 'created_at',
    is: mayBeCreation,
    reason: msg`The values are dates, and no other column says when leads were created`,
  },
  { field: 'status', is: areStatuses, reason: msg`The values are statuses` },
  { field: 'deal_value', is: areAmounts, reason: msg`The values are amounts of money` },
]

/** What most values of a column that is no field are. */
function partOfColumn(name: string, values: string[]): EnquiryField | 'ignore' {
  if (/^answers$/i.test(name) && values.some(answersIn)) return 'answers'
  if (/^origin$/i.test(name) && values.some(originIn)) return 'origin'
  // Programs write dates, too, but without them old leads would look new.
  if (haveDates(values)) return 'answer'
  const question = withoutObject(name)
  const parts = (values.length > 0 ? values : [' ']).map((value) =>
    // A link may be the person's, unless its name says otherwise.
    partOf({ question, value: /^https?:/.test(value) && partOfName(question).part === undefined ? 'link' : value }),
  )
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
    if (!timeFields.includes(column.field) || !signs?.ambiguous) return column
    const { reason } = column
    const withOrder =
      chooseDateOrder(signs) === 'day first'
        ? msg`${{ reason }}; dates are read day first: 03/04/2025 is 3 April`
        : msg`${{ reason }}; dates are read month first: 03/04/2025 is March 4`
    return { ...column, reason: translate(withOrder, language) }
  })
}

/** Parses `columns` as a user mapped the recognised ones. Undefined if it is not an object of column names and fields. */
export function columnsByHand(
  recognised: ImportColumn[],
  text: string,
  { others = 'ignore', language }: { others?: 'answer' | 'ignore' | undefined; language?: Language },
): ImportColumn[] | undefined {
  const given = jsonObjectIn(text)
  if (!given) return undefined
  const fields = new Map(Object.entries(given) as [string, ImportField][])
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
