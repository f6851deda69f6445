import { type PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { spreadsheetTime } from './csv.ts'
import { indianMinutes, indianOffset } from './instants.ts'
import { type Cell, linesAtOnce, linesOf, type Table, type TableColumn } from './table.ts'

/** Excel's own, but for the XML of a sheet, in characters: beyond 4 GiB a ZIP archive has another format. The rows go on in a further sheet. */
export const sheetLimits = { rows: 1_048_576, characters: 32_767, xml: 1024 ** 3 }

/**
 * Writes a table as a workbook while it is read: only some lines are in memory. Texts are inline strings, which no program calculates,
 * and in the format for texts, so that none becomes a formula or a number when a user edits its cell.
 */
export function xlsxOf<Row>(table: Table<Row>, limits = sheetLimits): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  const lines = linesOf(table)
  let next: IteratorResult<Cell[][]> | undefined

  async function* sheet() {
    let [row, length] = [1, 0]
    yield sheetStart(table.columns)
    next ??= await lines.next()
    while (!next.done && row + linesAtOnce <= limits.rows && length < limits.xml) {
      const xml = next.value.map((cells) => rowXml(cells, ++row, table.columns, limits.characters)).join('')
      length += xml.length
      yield xml
      next = await lines.next()
    }
    yield sheetEnd
  }

  let xml: Readable | undefined
  async function write() {
    let sheets = 0
    do {
      xml = Readable.from(sheet(), { objectMode: false })
      zip.addReadStream(xml, `xl/worksheets/sheet${++sheets}.xml`)
      await finished(xml)
    } while (!next?.done)
    for (const [name, xml] of Object.entries(otherParts(table.name, sheets))) zip.addBuffer(Buffer.from(xml), name)
    zip.end()
  }
  write().catch((error) => output.destroy(error))
  // The reading of the rows ends with the file, also if the client leaves.
  output.once('close', () => {
    xml?.destroy()
    void lines.return(undefined)
  })
  return output
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** The places of the styles in `cellXfs`. A text of more than 255 characters in the format for texts is shown as ##### by old versions. */
const styles = { longText: 0, header: 1, text: 2, time: 3, money: 4, date: 5 }
const maxInTextFormat = 255

const styleSheet = `${declaration}<styleSheet xmlns="${main}"><numFmts count="3">\
<numFmt numFmtId="164" formatCode="dd\\ mmm\\ yyyy\\ hh:mm"/>\
<numFmt numFmtId="166" formatCode="dd\\ mmm\\ yyyy"/>\
<numFmt numFmtId="165" formatCode="[&gt;=10000000]##\\,##\\,##\\,##0.00;[&gt;=100000]##\\,##\\,##0.00;#,##0.00"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">\
${[
  [0, 0],
  [49, 1],
  [49, 0],
  [164, 0],
  [165, 0],
  [166, 0],
]
  .map(
    ([format, font]) =>
      `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
  )
  .join('')}\
</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

/** In characters. */
const widths: Record<TableColumn<never>['kind'], number> = {
  text: 18,
  phone: 18,
  number: 12,
  money: 18,
  time: 20,
  date: 14,
}

/** The header stays in view. */
function sheetStart<Row>(columns: TableColumn<Row>[]): string {
  const cols = columns.map(({ header, kind }, at) => {
    const width = Math.min(Math.max(widths[kind], header.length + 2), 60)
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
  })
  const header = columns.map((column, at) => textCell(column.header, `${columnName(at)}1`, styles.header))
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<cols>${cols.join('')}</cols><sheetData><row r="1">${header.join('')}</row>`
}

/** A phone is no number that was stored as a text by mistake. */
const sheetEnd = `</sheetData><ignoredErrors><ignoredError sqref="A1:XFD${sheetLimits.rows}" numberStoredAsText="1"/></ignoredErrors></worksheet>`

function rowXml<Row>(cells: Cell[], row: number, columns: TableColumn<Row>[], maxCharacters: number): string {
  const xml = cells.map((cell, at) => {
    if (cell === null || cell === '') return ''
    const place = `${columnName(at)}${row}`
    const { kind } = columns[at]!
    if (typeof cell === 'number') return numberCell(cell, place, kind === 'money' ? styles.money : undefined)
    if (kind === 'date') return timeCell(new Date(`${cell}T00:00:00${indianOffset}`), place, styles.date)
    if (typeof cell === 'string') return textCell(shortened(cell, maxCharacters), place)
    return timeCell(cell, place, styles.time)
  })
  return `<row r="${row}">${xml.join('')}</row>`
}

function timeCell(instant: Date, place: string, style: number) {
  const day = serialDay(instant)
  return day === null ? textCell(spreadsheetTime(instant), place) : numberCell(day, place, style)
}

const numberCell = (value: number, place: string, style?: number) =>
  `<c r="${place}"${style === undefined ? '' : ` s="${style}"`}><v>${value}</v></c>`

function textCell(text: string, place: string, style = text.length > maxInTextFormat ? styles.longText : styles.text) {
  const space = /^\s|\s$|\s\s|\n/.test(text) ? ' xml:space="preserve"' : ''
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`
}

/** Excel counts days since the end of 1899, but takes 1900 for a leap year: earlier times than March 1900 are written as text. */
function serialDay(instant: Date): number | null {
  const day = (instant.getTime() / 60_000 + indianMinutes) / 1440 + 25_569
  return day >= 61 && day < 2_958_466 ? day : null
}

/** A: 0, Z: 25, AA: 26. */
function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last
}

const shortened = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text

/** Excel writes characters that XML cannot contain as _x0008_, and a text that looks so with an escaped underscore. */
const special = /[&<>]|[\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[\da-f]{4}_)/giu
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const escaped = (text: string) =>
  text.replace(
    special,
    (sign) => entities[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )

function otherParts(name: string, sheets: number): Record<string, string> {
  const each = (xml: (n: number) => string) => Array.from({ length: sheets }, (_, at) => xml(at + 1)).join('')
  const sheetName = (n: number) => escaped(n === 1 ? name : `${name} ${n}`).replaceAll('"', '&quot;')
  const typeOf = (part: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${typeOf('sheet.main')}"/>\
<Override PartName="/xl/styles.xml" ContentType="${typeOf('styles')}"/>\
${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${typeOf('worksheet')}"/>`)}</Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships">\
<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>\
${each((n) => `<sheet name="${sheetName(n)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packages}/relationships">\
${each((n) => `<Relationship Id="rId${n}" Type="${relationships}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}\
<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': styleSheet,
  }
}
