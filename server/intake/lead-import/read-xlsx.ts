import { msg } from '@lingui/core/runtime-macro'
import { SaxesParser } from 'saxes'
import { type Entry, open, type ZipFile } from 'yauzl'
import { type FileRow, fileLimits, InvalidFile, maxSheetNameLength, rowLimits } from './file-limits.ts'
import { dateText, isDateFormat } from './sheet-dates.ts'

/** Unpacked parts of a workbook, in bytes. A million rows with twenty columns stay below. */
export const limits = { parts: 10_000, sheet: 4 * 1024 ** 3, sharedStrings: 256 * 1024 ** 2, other: 16 * 1024 ** 2 }
export const maxTexts = 8_000_000
/** Excel nests its elements less than ten deep; `token` is the number of characters between two tags, or of one tag. */
const xmlLimits = { depth: 64, token: 1024 ** 2 }

export interface Workbook {
  /** The names of the visible sheets. */
  sheets: string[]
  /** The rows of a sheet that are not blank, one after the other; dates as 2025-12-31 22:05:00. */
  rows(sheet: string): AsyncGenerator<FileRow>
}

export const maxSheets = 100

/**
 * Opens a workbook, which stays open until its thread ends. Only the texts that cells share are kept in memory. `check` is
 * called again and again, and may throw. Throws InvalidFile.
 */
export async function openWorkbook(path: string, check: () => void): Promise<Workbook> {
  const zip = await openZip(path)
  try {
    const parts = await partsOf(zip)
    const source = { zip, parts, check }
    const { sheets, startsIn1904 } = await visibleSheets(source)
    const texts = await sharedTexts(source)
    const dateStyles = await dateStylesOf(source)
    const valueIn = (value: string, cell: Cell) => {
      if (cell.type === 's') return texts[Number(value)] ?? ''
      if (cell.type === 'e') return ''
      if (cell.type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
      if (cell.type !== 'n' || value === '') return value
      return dateStyles.has(cell.style) ? dateText(Number(value), startsIn1904) : plainNumber(value)
    }
    return { sheets: [...sheets.keys()], rows: (sheet) => rowsOf(source, sheets.get(sheet)!, valueIn) }
  } catch (error) {
    throw isBroken(error) ? broken : error
  }
}

async function* rowsOf(source: Source, sheet: Entry, valueIn: (value: string, cell: Cell) => string) {
  try {
    const limited = rowLimits(fileLimits.characters)
    const reader = sheetReader(valueIn)
    for await (const xml of textOf(source, sheet, limits.sheet)) {
      reader.parser.write(xml)
      for (const row of reader.rows.splice(0)) {
        const some = limited(row)
        if (some) yield some
      }
    }
    reader.parser.close()
  } catch (error) {
    throw isBroken(error) ? broken : error
  }
}

/** Excel writes long numbers such as phones in scientific notation. */
const plainNumber = (value: string) =>
  /e/i.test(value) && Number.isFinite(Number(value)) ? String(Number(value)) : value

/** Errors of the two libraries are plain errors; ours and those of the system are not. */
const isBroken = (error: unknown) =>
  error instanceof Error && !(error instanceof InvalidFile) && !(error instanceof TypeError) && !('syscall' in error)

type Parts = Map<string, Entry>
interface Source {
  zip: ZipFile
  parts: Parts
  check(): void
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(broken) : resolve(zip)))
  })
}

const broken = new InvalidFile(msg`The workbook is damaged. Open it, save it again as .xlsx, and import it.`)

function partsOf(zip: ZipFile): Promise<Parts> {
  if (zip.entryCount > limits.parts)
    throw new InvalidFile(msg`The workbook has too many parts. Copy its sheet to a new one.`)
  return new Promise((resolve, reject) => {
    const parts: Parts = new Map()
    zip.on('entry', (entry: Entry) => {
      parts.set(entry.fileName.toLowerCase(), entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(parts))
    zip.on('error', reject)
    zip.readEntry()
  })
}

async function* textOf({ zip, check }: Source, part: Entry, maxBytes: number): AsyncGenerator<string> {
  if (part.uncompressedSize > maxBytes)
    throw new InvalidFile(msg`The workbook is too large when unpacked. Save it as CSV.`)
  const decoder = new TextDecoder()
  const stream = await new Promise<AsyncIterable<Buffer>>((resolve, reject) => {
    zip.openReadStream(part, (error, opened) => (error ? reject(error) : resolve(opened)))
  })
  for await (const bytes of stream) {
    check()
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder.decode()
}

type Attributes = Record<string, string>
interface Handlers {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/** A parser that leaves out the prefixes of names. `close` throws if the end is missing. */
function parserOf({ open, text, close }: Handlers) {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  let [depth, sinceTag] = [0, 0]
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0
    if (++depth > xmlLimits.depth) throw tooComplex
    open?.(local(name), attributes as Attributes)
  })
  if (text) parser.on('text', text)
  parser.on('closetag', ({ name }) => {
    sinceTag = 0
    depth--
    close?.(local(name))
  })
  parser.on('error', (error) => {
    throw error
  })
  return {
    write(xml: string) {
      // The parser keeps a tag, text or comment in memory until it ends.
      sinceTag += xml.length
      if (sinceTag > xmlLimits.token) throw tooComplex
      parser.write(xml)
    },
    close: () => void parser.close(),
  }
}

const tooComplex = new InvalidFile(msg`The workbook is too complex. Copy its rows to a new one, or save it as CSV.`)

async function readPart(source: Source, name: string, handlers: Handlers, maxBytes = limits.other): Promise<void> {
  const part = source.parts.get(name)
  if (!part) return
  const parser = parserOf(handlers)
  for await (const xml of textOf(source, part, maxBytes)) parser.write(xml)
  parser.close()
}

async function visibleSheets(source: Source): Promise<{ sheets: Map<string, Entry>; startsIn1904: boolean }> {
  const sheets: Attributes[] = []
  const targets = new Map<string, string>()
  let startsIn1904 = false
  await readPart(source, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'sheet') sheets.push(attributes)
      if (name === 'workbookPr') startsIn1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
    },
  })
  await readPart(source, 'xl/_rels/workbook.xml.rels', {
    open(name, { Id, Target }) {
      if (name === 'Relationship' && Id && Target)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const visible = new Map<string, Entry>()
  for (const { name, state, ...others } of sheets) {
    if (visible.size === maxSheets) break
    const id = Object.entries(others).find(([key]) => key.endsWith(':id'))?.[1]
    const part = source.parts.get((targets.get(id ?? '') ?? '').toLowerCase())
    if (!part || (state !== undefined && state !== 'visible')) continue
    visible.set((name ?? '').slice(0, maxSheetNameLength) || `Sheet ${visible.size + 1}`, part)
  }
  if (visible.size === 0) {
    throw new InvalidFile(msg`The file is not an Excel workbook with a visible sheet. Save it as .xlsx or CSV.`)
  }
  return { sheets: visible, startsIn1904 }
}

async function sharedTexts(source: Source): Promise<string[]> {
  const texts: string[] = []
  let [text, inText, phonetic] = ['', false, false]
  await readPart(
    source,
    'xl/sharedstrings.xml',
    {
      open(name) {
        if (name === 'si') text = ''
        if (name === 'rPh') phonetic = true
        inText = name === 't' && !phonetic
      },
      text(more) {
        if (inText) text += more
        if (text.length > fileLimits.recordLength) throw tooComplex
      },
      close(name) {
        if (name === 't') inText = false
        if (name === 'rPh') phonetic = false
        if (name === 'si' && texts.push(unescaped(text)) > maxTexts) throw tooComplex
      },
    },
    limits.sharedStrings,
  )
  return texts
}

/** Returns the numbers of the cell styles that show a date. */
async function dateStylesOf(source: Source): Promise<Set<number>> {
  const codes = new Map<number, string>()
  const dates = new Set<number>()
  let [inCells, style] = [false, 0]
  await readPart(source, 'xl/styles.xml', {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '')
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      if (isDateFormat(Number(numFmtId), codes.get(Number(numFmtId)))) dates.add(style)
      style++
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return dates
}

interface Cell {
  column: number
  /** s: shared text, n: number, b: boolean, e: error; others are text. */
  type: string
  style: number
}

/** Collects the rows of a sheet while its parser is written to. */
function sheetReader(valueIn: (text: string, cell: Cell) => string) {
  const rows: FileRow[] = []
  let row: FileRow = { line: 0, cells: [] }
  let cell: Cell = { column: 0, type: 'n', style: 0 }
  let [text, inValue, size] = ['', false, 0]
  const parser = parserOf({
    open(name, { r, t, s }) {
      if (name === 'row') {
        row = { line: Number(r) || row.line + 1, cells: [] }
        size = 0
      } else if (name === 'c') {
        cell = { column: columnOf(r) ?? row.cells.length, type: t ?? 'n', style: Number(s ?? 0) }
        text = ''
        inValue = false
      } else inValue = name === 'v' || name === 't'
    },
    text(more) {
      if (inValue) text += more
      if (text.length > fileLimits.recordLength)
        throw new InvalidFile(msg`Row ${{ line: row.line }} is longer than 256 KB. Shorten it.`)
    },
    close(name) {
      inValue = false
      if (name === 'c') {
        if (text === '') return
        if (cell.column >= fileLimits.cells) {
          throw new InvalidFile(
            msg`Row ${{ line: row.line }} has a cell beyond column ${{ max: fileLimits.cells }}. Remove it.`,
          )
        }
        const value = valueIn(cell.type === 'n' ? text.trim() : text, cell)
        size += value.length
        if (size > fileLimits.recordLength)
          throw new InvalidFile(msg`Row ${{ line: row.line }} is longer than 256 KB. Shorten it.`)
        while (row.cells.length < cell.column) row.cells.push('')
        row.cells[cell.column] = cell.type === 's' ? value : unescaped(value)
      } else if (name === 'row') rows.push(row)
    },
  })
  return { parser, rows }
}

/** The index of the column of a cell such as AB12. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (!letters) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Excel writes characters that XML cannot contain as _x000D_. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
