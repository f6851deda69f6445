import { stringify } from 'csv-stringify/browser/esm/sync'

/** Formats lines as the server's exports. An apostrophe turns what may be a formula into text. */
const csvLines = (rows: string[][]) =>
  stringify(rows, {
    record_delimiter: '\r\n',
    quoted_match: /[;\t\r\n]/,
    cast: { string: (text) => text.replace(formulas, "'") },
  })

const formulas = /(?<=^|;)(?=[\s\p{Cc}\p{Cf}\p{DI},|"]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}])|^(?=[\t\r])/gu

interface RejectedRow {
  reason: string
  cells: string[]
}

/** The columns of the file, then the reason. The corrected file can be imported as it is. */
export const rejectedLines = (names: string[], rejected: RejectedRow[]) => [
  csvLines([
    [...names, 'Why rejected'],
    ...rejected.map(({ reason, cells }) => [
      ...names.map((_, index) => cells[index] ?? ''),
      reason,
      ...cells.slice(names.length),
    ]),
  ]),
]

export const exampleLines = [
  csvLines([
    ['Name', 'Phone', 'Email', 'Company', 'City', 'Source', 'Status', 'Priority', 'Tags', 'Deal value', 'Notes'],
    [
      'Asha Rao',
      '98200 11223',
      'asha.rao@example.com',
      'Rao Textiles',
      'Pune',
      'Exhibition',
      'New',
      'High',
      '3 BHK; investor',
      '1250000',
      'Call after six',
    ],
  ]),
]
