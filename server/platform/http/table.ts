import { setImmediate } from 'node:timers/promises'

/** A table that is written as a file: CSV for programs, XLSX with numbers, dates and texts as such for spreadsheets. */
export interface Table<Row> {
  /** The name of the sheet, at most 31 characters. */
  name: string
  columns: TableColumn<Row>[]
  /** In batches, which are read one after the other. */
  rows: AsyncIterable<Row[]> | Iterable<Row[]>
}

interface Shown<Row, Kind extends string, Value> {
  header: string
  kind: Kind
  cell(row: Row): Value | null
}

/**
 * `phone`: one or several, also with emails among them, separated by `; `. `money`: rupees. `time`: shown as in India.
 * `date`: a day, as 2026-12-15.
 */
export type TableColumn<Row> =
  | Shown<Row, 'text' | 'phone' | 'date', string>
  | Shown<Row, 'number' | 'money', number>
  | Shown<Row, 'time', Date>

export type Cell = string | number | Date | null

/** Texts can be long: other requests run after so many lines. */
export const linesAtOnce = 50

/** Returns the cells of the rows, some lines at a time. */
export async function* linesOf<Row>({ columns, rows }: Table<Row>): AsyncGenerator<Cell[][]> {
  for await (const batch of rows) {
    for (let at = 0; at < batch.length; at += linesAtOnce) {
      yield batch.slice(at, at + linesAtOnce).map((row) => columns.map((column) => column.cell(row)))
      await setImmediate()
    }
  }
}
