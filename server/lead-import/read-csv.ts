/** The file's text: UTF-8, UTF-16 with its mark as Excel saves "Unicode text", else the encoding of old Windows. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export interface CsvRow {
  /** Where it begins, as a person counts the lines of the file. */
  line: number
  cells: string[]
}

/** RFC 4180, and what spreadsheets make of it: semicolons or tabs between the cells, bare newlines, no last one. */
export function* readCsv(text: string, separator = separatorOf(text)): Generator<CsvRow> {
  let line = 1
  let begin = 1
  let cells: string[] = []
  let at = 0
  const row = () => ({ line: begin, cells })
  while (at < text.length) {
    const { cell, next } = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, separator)
    cells.push(cell)
    for (let sign = text.indexOf('\n', at); sign !== -1 && sign < next; sign = text.indexOf('\n', sign + 1)) line++
    at = next
    if (text[at] === separator) {
      at++
      // The file ends in the middle of a row: with an empty cell.
      if (at === text.length) cells.push('')
      continue
    }
    if (text.startsWith('\r\n', at)) at += 2
    else at++
    line++
    if (cells.some((one) => one.trim() !== '')) yield row()
    cells = []
    begin = line
  }
  if (cells.some((one) => one.trim() !== '')) yield row()
}

function plainCell(text: string, at: number, separator: string) {
  let next = at
  while (next < text.length && text[next] !== separator && text[next] !== '\n' && text[next] !== '\r') next++
  return { cell: text.slice(at, next), next }
}

/** What follows the closing quote up to the separator belongs to it all the same. */
function quotedCell(text: string, at: number, separator: string) {
  let cell = ''
  let next = at + 1
  for (;;) {
    const quote = text.indexOf('"', next)
    if (quote === -1) return { cell: cell + text.slice(next), next: text.length }
    cell += text.slice(next, quote)
    if (text[quote + 1] !== '"') {
      const rest = plainCell(text, quote + 1, separator)
      return { cell: cell + rest.cell, next: rest.next }
    }
    cell += '"'
    next = quote + 2
  }
}

function separatorOf(text: string): string {
  const header = text
    .slice(0, 10_000)
    .split(/\r?\n/, 1)[0]!
    .replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((sign) => ({ sign, n: header.split(sign).length }))
  return counts.reduce((best, one) => (one.n > best.n ? one : best)).sign
}
