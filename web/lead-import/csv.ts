/** As the server writes its exports: what a spreadsheet would take for a formula is made text by an apostrophe. */
const csvLine = (cells: string[]) => `${cells.map(cell).join(',')}\r\n`

const startsFormula = /^\s*[=+\-@\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]/u

function cell(value: string): string {
  const text = startsFormula.test(value) ? `'${value}` : value
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

interface Refused {
  reason: string
  cells: string[]
}

/** The columns of the file as they were, and behind them why: mended, it can be imported as it is. */
export const refusedLines = (names: string[], refused: Refused[]) => [
  csvLine([...names, 'Why refused']),
  ...refused.map(({ reason, cells }) => csvLine([...names.map((_, index) => cells[index] ?? ''), reason])),
]

export const exampleLines = [
  csvLine(['Name', 'Phone', 'Email', 'Company', 'City', 'Source', 'Status', 'Priority', 'Tags', 'Deal value', 'Notes']),
  csvLine([
    ...['Asha Rao', '98200 11223', 'asha.rao@example.com', 'Rao Textiles', 'Pune', 'Trade fair', 'New', 'High'],
    ...['3 BHK; investor', '1250000', 'Call after six'],
  ]),
]
