import { constants, deflateRawSync } from 'node:zlib'

type Cell = string | number | { date: number } | { time: number }

/** A workbook as Excel writes it: a hidden sheet first, texts shared, dates as numbers with a style. */
export function workbookOf(rows: Cell[][]): Buffer {
  const texts: string[] = []
  const cellOf = (cell: Cell, row: number, column: number) => {
    const at = `${String.fromCharCode(65 + column)}${row + 1}`
    if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
    if (typeof cell !== 'string') {
      return 'date' in cell
        ? `<c r="${at}" s="1"><v>${cell.date}</v></c>`
        : `<c r="${at}" s="2"><v>${cell.time}</v></c>`
    }
    if (cell === '') return ''
    texts.push(cell)
    return `<c r="${at}" t="s"><v>${texts.length - 1}</v></c>`
  }
  const lines = rows.map(
    (cells, row) => `<row r="${row + 1}">${cells.map((cell, at) => cellOf(cell, row, at)).join('')}</row>`,
  )
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return zipOf({
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr/><sheets>
      <sheet name="Hidden" state="hidden" r:id="rId1"/><sheet name="Leads" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>
      <Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\-mmm\\-yyyy"/></numFmts><cellStyleXfs>
      <xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="21"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`,
  })
}

/** XML with a part that is repeated, of any size. */
interface Repeated {
  start: string
  part: string
  times: number
  end: string
}

/** A workbook of one sheet, of the given XML. */
export function workbookOfXml(sheet: string | Buffer | Repeated, sharedStrings: string | Repeated = '<sst/>'): Buffer {
  return zipOf({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Leads" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml': sharedStrings,
    'xl/worksheets/sheet1.xml': sheet,
  })
}

/** A workbook as Excel writes it, with visible sheets of these names and rows of texts. */
export function workbookOfSheets(sheets: Record<string, string[][]>): Buffer {
  const names = Object.keys(sheets)
  const cellsOf = (cells: string[]) => cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')
  const xmlOf = (rows: string[][]) =>
    `<worksheet><sheetData>${rows.map((cells, at) => `<row r="${at + 1}">${cellsOf(cells)}</row>`).join('')}</sheetData></worksheet>`
  return zipOf({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names.map((name, at) => `<sheet name="${name}" r:id="rId${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, at) => `<Relationship Id="rId${at}" Target="worksheets/sheet${at}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at}.xml`, xmlOf(sheets[name]!)])),
  })
}

/** Compresses a content. What is repeated is compressed once. */
function pack(content: string | Buffer | Repeated): { packed: Buffer; size: number } {
  if (typeof content === 'string' || Buffer.isBuffer(content)) {
    return { packed: deflateRawSync(content), size: Buffer.byteLength(content) }
  }
  const { start, part, times, end } = content
  const flushed = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH, level: 9 })
  const [one, parts] = [flushed(part), [flushed(start)]]
  for (let n = 0; n < times; n++) parts.push(one)
  const size = Buffer.byteLength(start) + times * Buffer.byteLength(part) + Buffer.byteLength(end)
  return { packed: Buffer.concat([...parts, deflateRawSync(end)]), size }
}

/** Without checksums, which the reader does not check. */
function zipOf(files: Record<string, string | Buffer | Repeated>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const { packed, size } = pack(text)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, index, end])
}
