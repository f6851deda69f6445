import type { CountryCode } from 'libphonenumber-js/max'
import { answerMessages } from '../threads/answer-messages.ts'
import { columnNames, recogniseColumns } from './columns.ts'
import type { ImportColumn } from './contract.ts'
import { type FileRow, fileLimits, InvalidFile } from './file-limits.ts'
import { detectFileKind, type FileKind, readFileRows } from './file-rows.ts'
import { type DateSigns, noteDateSigns } from './read-time.ts'
import { type RowDraft, rowReader } from './row-draft.ts'

/** Reads the file of one import. Each import has a worker of its own. */
export type FileTask =
  | { task: 'open'; path: string }
  | { task: 'recognise'; country: CountryCode; withMigrated: boolean }
  /** Starts at the first row. */
  | { task: 'start'; columns: ImportColumn[]; country: CountryCode; now: Date }
  | { task: 'next' }

export type Opened = { problem: string } | { names: string[]; rows: number; kind: FileKind; dates: DateSigns[] }

/** The number of rows that recognition reads. */
const firstRows = 50
/** Messages are small, so that receiving one takes little time. */
const most = { rows: 100, characters: 100_000 }

let file: { path: string; kind: FileKind } | undefined
let names: string[] = []
let dates: DateSigns[] = []
let first: FileRow[] = []
let drafts: AsyncGenerator<RowDraft> | undefined

answerMessages(async (message: FileTask) => {
  if (message.task === 'open') return open(message.path)
  if (message.task === 'recognise') {
    return recogniseColumns({ names, rows: first, country: message.country, withMigrated: message.withMigrated })
  }
  if (message.task === 'start') {
    await drafts?.return(undefined)
    drafts = readDrafts(message.columns, message.country, message.now)
    return undefined
  }
  return nextDrafts()
})

async function open(path: string): Promise<Opened> {
  const seen: { header?: FileRow; rows: number } = { rows: 0 }
  first = []
  dates = []
  try {
    const kind = await detectFileKind(path)
    for await (const row of readFileRows(path, kind)) {
      if (!seen.header) {
        seen.header = row
        if (row.cells.length > fileLimits.columns)
          throw new InvalidFile(`The file may have at most ${fileLimits.columns} columns.`)
        dates = row.cells.map(() => ({ dayFirst: false, monthFirst: false, ambiguous: false }))
        continue
      }
      seen.rows++
      if (first.length < firstRows) first.push(row)
      for (const [index, signs] of dates.entries()) noteDateSigns(signs, row.cells[index] ?? '')
    }
    if (!seen.header || seen.rows === 0) {
      return { problem: 'The file holds no leads: it needs a line of column names, then a line for each lead.' }
    }
    file = { path, kind }
    names = columnNames(seen.header)
    return { names, rows: seen.rows, kind, dates }
  } catch (error) {
    if (error instanceof InvalidFile) return { problem: error.message }
    throw error
  }
}

async function* readDrafts(columns: ImportColumn[], country: CountryCode, now: Date): AsyncGenerator<RowDraft> {
  const read = rowReader({ columns, dates, country, now })
  let isHeader = true
  for await (const row of readFileRows(file!.path, file!.kind)) {
    if (isHeader) isHeader = false
    else yield read(row)
  }
}

/** An empty list at the end of the file. */
async function nextDrafts(): Promise<RowDraft[]> {
  const some: RowDraft[] = []
  let size = 0
  while (some.length < most.rows && size < most.characters) {
    const next = await drafts?.next()
    if (!next || next.done) break
    some.push(next.value)
    size += sizeOf(next.value)
  }
  return some
}

const sizeOf = ({ cells, lead }: RowDraft) =>
  cells.reduce((sum, cell) => sum + cell.length, 0) + (lead.notes?.length ?? 0)
