import type { CountryCode } from 'libphonenumber-js/max'
import { decodeText } from '../http/decode-text.ts'
import { answerMessages } from '../threads/answer-messages.ts'
import { columnNames, recogniseColumns } from './columns.ts'
import type { ImportColumn } from './contract.ts'
import { type CsvRow, csvLimits, csvRows, eachCsvRow, InvalidCsv } from './read-csv.ts'
import { type RowDraft, rowReader } from './row-draft.ts'

/** Reads the file of one import. Each import has a worker of its own. */
export type FileTask =
  | { task: 'open'; bytes: Uint8Array }
  | { task: 'recognise'; country: CountryCode }
  /** Starts at the first row. */
  | { task: 'start'; columns: ImportColumn[]; country: CountryCode }
  | { task: 'next' }

export type Opened = { problem: string } | { names: string[]; rows: number }

/** The number of rows that recognition reads. */
const firstRows = 50
/** Messages are small, so that receiving one takes little time. */
const most = { rows: 100, characters: 100_000 }

let text = ''
let names: string[] = []
let first: CsvRow[] = []
let drafts: AsyncGenerator<RowDraft> | undefined

answerMessages(async (message: FileTask) => {
  if (message.task === 'open') return open(message.bytes)
  if (message.task === 'recognise') return recogniseColumns(names, first, message.country)
  if (message.task === 'start') {
    drafts = readDrafts(message.columns, message.country)
    return undefined
  }
  return nextDrafts()
})

function open(bytes: Uint8Array): Opened {
  text = decodeText(bytes)
  const seen: { header?: CsvRow; rows: number } = { rows: 0 }
  first = []
  try {
    eachCsvRow(text, (row) => {
      if (!seen.header) {
        seen.header = row
        if (row.cells.length > csvLimits.columns)
          throw new InvalidCsv(`The file may have at most ${csvLimits.columns} columns.`)
        return
      }
      seen.rows++
      if (first.length < firstRows) first.push(row)
    })
  } catch (error) {
    if (error instanceof InvalidCsv) return { problem: error.message }
    throw error
  }
  if (!seen.header || seen.rows === 0) {
    return { problem: 'The file holds no leads: it needs a line of column names, then a line for each lead.' }
  }
  names = columnNames(seen.header)
  return { names, rows: seen.rows }
}

async function* readDrafts(columns: ImportColumn[], country: CountryCode): AsyncGenerator<RowDraft> {
  const read = rowReader(columns, country)
  let isHeader = true
  for await (const row of csvRows(text)) {
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
