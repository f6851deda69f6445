import { stat } from 'node:fs/promises'
import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { answerMessages } from '../../platform/threads/answer-messages.ts'
import { columnNames, recogniseColumns } from './columns.ts'
import type { ImportColumn } from './contract.ts'
import { findHeader, type Header, hasPeople, maxTopRows } from './file-layout.ts'
import { cpuLimit, type FileRow, fileLimits, InvalidFile } from './file-limits.ts'
import { detectFileKind, type FileKind, readTextRows } from './file-rows.ts'
import { type DateSigns, noteDateSigns } from './read-time.ts'
import { openWorkbook } from './read-xlsx.ts'
import { type RowDraft, rowReader } from './row-draft.ts'

/** Reads one file after the other. Each file that is being read has a worker of its own. */
export type FileTask =
  | { task: 'open'; path: string; country: CountryCode; layout: ChosenLayout; language?: Language | undefined }
  | { task: 'recognise'; country: CountryCode; withMigrated: boolean; language?: Language | undefined }
  /** Starts at the first row. */
  | {
      task: 'start'
      columns: ImportColumn[]
      own: string[]
      country: CountryCode
      now: Date
      language?: Language | undefined
    }
  | { task: 'next' }

/** Where a user says that the leads are. By default it is found. */
export interface ChosenLayout {
  sheet?: string | undefined
  /** The row with the column names; 0 if there is none. */
  header?: number | undefined
}

/** Where the leads are in a file. */
export interface FileLayout {
  /** The visible sheets of a workbook. */
  sheets: string[]
  sheet: string | null
  header: number
  header_reason: string | null
  /** The first rows, of which the user can choose the header. Long ones are cut. */
  top_rows: FileRow[]
  /** The first row of the first sheet has the column names. */
  isUsual: boolean
}

export type Opened =
  | { problem: Text; field?: 'sheet' | 'header' }
  | { names: string[]; rows: number; kind: FileKind; dates: DateSigns[]; layout: FileLayout }

/** An empty list at the end of the file. */
export type NextRows = { drafts: RowDraft[] } | { problem: Text }

/** The number of rows that recognition reads, and of characters in a cell. */
const firstRows = { rows: 50, characters: 2000 }
/** The cells of the first rows that a user sees. */
const shownCells = { cells: 8, characters: 60 }
/** Sheets that are searched for leads. */
const maxSearched = 20
/** Messages are small, so that receiving one takes little time. */
const maxPerMessage = { rows: 100, characters: 100_000 }

interface OpenFile {
  kind: FileKind
  header: number
  names: string[]
  dates: DateSigns[]
  first: FileRow[]
  rows(): AsyncGenerator<FileRow>
}

let file: OpenFile | undefined
let check = () => {}
let drafts: AsyncGenerator<RowDraft> | undefined

answerMessages(async (message: FileTask) => {
  if (message.task === 'open') return open(message)
  if (message.task === 'recognise') {
    const { names, first } = file!
    const { country, withMigrated, language } = message
    return recogniseColumns({ names, rows: first, country, withMigrated, language })
  }
  if (message.task === 'start') {
    await drafts?.return(undefined)
    drafts = readDrafts(file!, message)
    return undefined
  }
  return nextDrafts()
})

class InvalidChoice extends InvalidFile {
  readonly field: 'sheet' | 'header'

  constructor(text: Text, field: 'sheet' | 'header') {
    super(text)
    this.field = field
  }
}

async function open({ path, country, layout, language }: Extract<FileTask, { task: 'open' }>) {
  await drafts?.return(undefined)
  drafts = undefined
  try {
    check = cpuLimit((await stat(path)).size)
    return await openFile(path, { country, layout, language })
  } catch (error) {
    if (error instanceof InvalidChoice) return { problem: error.text, field: error.field }
    if (error instanceof InvalidFile) return { problem: error.text }
    throw error
  }
}

async function openFile(
  path: string,
  { country, layout: chosen, language }: Omit<Extract<FileTask, { task: 'open' }>, 'task' | 'path'>,
): Promise<Opened> {
  const kind = await detectFileKind(path)
  const source = kind.format === 'csv' ? undefined : await openWorkbook(path, check)
  const sheets = source?.sheets ?? []
  if (chosen.sheet !== undefined && !sheets.includes(chosen.sheet)) {
    throw new InvalidChoice(msg`${{ field: 'sheet' }} must be the name of a visible sheet of the workbook.`, 'sheet')
  }
  const sheet = source ? (chosen.sheet ?? (await sheetWithPeople(sheets, source.rows, country))) : null
  const rows = () => (source ? source.rows(sheet!) : readTextRows(path, kind, check))
  const top = await firstOf(rows(), firstRows.rows)
  const header = chosen.header === undefined ? findHeader(top, country) : headerAt(top, chosen.header)
  const line = header.row?.line ?? 0
  const counted = await countRows(rows(), line, kind.format)
  if (counted.rows === 0) {
    return { problem: msg`The file holds no leads: it needs a line of column names, then a line for each lead.` }
  }
  const { names, dates, first } = counted
  file = { kind, header: line, names, dates, first, rows }
  const isUsual = line === top[0]?.line && (sheet === null || sheet === sheets[0])
  const top_rows = top.slice(0, maxTopRows).map(shownRow)
  const where = {
    sheets,
    sheet,
    header: line,
    header_reason: header.reason && translate(header.reason, language),
    top_rows,
    isUsual,
  }
  return { names, rows: counted.rows, kind, dates, layout: where }
}

function headerAt(top: FileRow[], line: number): Header {
  if (line === 0) return { row: null, reason: null }
  const row = top.slice(0, maxTopRows).find((one) => one.line === line)
  if (row) return { row, reason: null }
  throw new InvalidChoice(
    msg`${{ field: 'header' }} must be 0, or the number of one of the first ${{ maxTopRows }} rows with values.`,
    'header',
  )
}

/** The first sheet with leads, or else with rows: the first one may be instructions. */
async function sheetWithPeople(
  sheets: string[],
  rows: (sheet: string) => AsyncGenerator<FileRow>,
  country: CountryCode,
): Promise<string> {
  let withRows: string | undefined
  for (const sheet of sheets.slice(0, maxSearched)) {
    const first = await firstOf(rows(sheet), firstRows.rows)
    if (hasPeople(first, country)) return sheet
    if (first.length > 0) withRows ??= sheet
  }
  return withRows ?? sheets[0]!
}

async function firstOf(rows: AsyncGenerator<FileRow>, count: number): Promise<FileRow[]> {
  const first: FileRow[] = []
  for await (const row of rows) {
    if (first.push(row) === count) break
  }
  return first
}

/** Reads all rows below the header, which has the given line. */
async function countRows(rows: AsyncGenerator<FileRow>, header: number, format: FileKind['format']) {
  let names: FileRow = { line: 0, cells: [] }
  const first: FileRow[] = []
  const dates: DateSigns[] = []
  let count = 0
  let widest = 0
  for await (const row of rows) {
    if (row.line < header) continue
    if (row.line === header) {
      names = row
      continue
    }
    count++
    if (first.length < firstRows.rows) first.push(cut(row, firstRows.characters))
    widest = Math.max(widest, row.cells.length)
    for (const [index, cell] of row.cells.entries()) {
      if (index === fileLimits.columns) break
      dates[index] ??= { dayFirst: false, monthFirst: false, ambiguous: false }
      noteDateSigns(dates[index], cell)
    }
  }
  const columns = Math.max(names.cells.length, format === 'xlsx' ? widest : usualWidth(first, header > 0))
  if (columns > fileLimits.columns)
    throw new InvalidFile(msg`The file may have at most ${{ max: fileLimits.columns }} columns. It has ${{ columns }}.`)
  const cells = Array.from({ length: columns }, (_, index) => names.cells[index] ?? '')
  const signs = cells.map((_, index) => dates[index] ?? { dayFirst: false, monthFirst: false, ambiguous: false })
  return { names: columnNames({ line: header, cells }), dates: signs, first, rows: count }
}

/** The number of cells that the rows of a text file have: all may end with a separator, though the header does not. */
function usualWidth(rows: FileRow[], hasHeader: boolean): number {
  const widths = rows.map(({ cells }) => cells.length).sort((one, other) => one - other)
  const usual = widths[widths.length >> 1] ?? 0
  if (!hasHeader) return usual
  const isPadded = rows.every(({ cells }) => cells.length === usual && cells.at(-1)!.trim() === '')
  return isPadded && rows.length >= fewestPadded ? usual : 0
}

/** In fewer rows, an empty cell at the end may follow a comma that should be in quotes. */
const fewestPadded = 5

const cut = ({ line, cells }: FileRow, characters: number): FileRow => ({
  line,
  cells: cells.map((cell) => (cell.length > characters ? cell.slice(0, characters).toWellFormed() : cell)),
})

const shownRow = ({ line, cells }: FileRow) =>
  cut({ line, cells: cells.filter((cell) => cell.trim() !== '').slice(0, shownCells.cells) }, shownCells.characters)

type Start = Extract<FileTask, { task: 'start' }>

async function* readDrafts({ rows, header, dates, kind }: OpenFile, { task: _, ...plan }: Start) {
  const separator = kind.format === 'csv' ? kind.separator : undefined
  const read = rowReader({ ...plan, dates, separator })
  for await (const row of rows()) {
    check()
    if (row.line > header) yield read(row)
  }
}

async function nextDrafts(): Promise<NextRows> {
  const some: RowDraft[] = []
  let size = 0
  try {
    while (some.length < maxPerMessage.rows && size < maxPerMessage.characters) {
      const next = await drafts?.next()
      if (!next || next.done) break
      some.push(next.value)
      size += sizeOf(next.value)
    }
    return { drafts: some }
  } catch (error) {
    if (error instanceof InvalidFile) return { problem: error.text }
    throw error
  }
}

const sizeOf = ({ cells, lead, warnings }: RowDraft) =>
  [...cells, ...warnings.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0) +
  (lead.notes?.length ?? 0)
