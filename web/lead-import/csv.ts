import { stringify } from 'csv-stringify/browser/esm/sync'

/** As the server writes its exports: what a spreadsheet would take for a formula is made text by an apostrophe. */
const csvLines = (rows: string[][]) =>
  stringify(rows, {
    record_delimiter: '\r\n',
    quoted_match: /[;\t\r\n]/,
    cast: { string: (text) => (startsFormula.test(text) ? `'${text}` : text) },
  })

const startsFormula = /^(?:[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]|[\t\r])/u

interface Refused {
  reason: string
  cells: string[]
}

/** The columns of the file as they were, and behind them why: once it is fixed, it can be imported as it is. */
export const refusedLines = (names: string[], refused: Refused[]) => [
  csvLines([
    [...names, 'Why refused'],
    ...refused.map(({ reason, cells }) => [...names.map((_, index) => cells[index] ?? ''), reason]),
  ]),
]

export const exampleLines = [
  csvLines([
    ['Name', 'Phone', 'Email', 'Company', 'City', 'Source', 'Status', 'Priority', 'Tags', 'Deal value', 'Notes'],
    [
      ...['Asha Rao', '98200 11223', 'asha.rao@example.com', 'Rao Textiles', 'Pune', 'Trade fair', 'New', 'High'],
      ...['3 BHK; investor', '1250000', 'Call after six'],
    ],
  ]),
]
