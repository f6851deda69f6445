import { fromBuffer } from 'yauzl'

export interface SheetCell {
  /** As its file says: `n` for numbers and times, `inlineStr` for texts. */
  type: string
  /** The format code of its style, or the number of a built-in one: 0 for none, 49 for texts. */
  format: string
  value: string
}

/** Reads the sheets of a workbook as they are in its file, by their names: the cells of each row by the letters of their columns. */
export async function readSheets(file: Buffer): Promise<Record<string, Record<string, SheetCell>[]>> {
  const parts = await unzip(file)
  const styles = parts['xl/styles.xml']!
  const codes = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, c]) => [id, c]),
  )
  const cellStyles = /<cellXfs.*?<\/cellXfs>/s.exec(styles)![0]
  const formats = [...cellStyles.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => text(codes.get(id) ?? id!))
  const cellOf = ([, attributes = '', content = '']: RegExpMatchArray): [string, SheetCell] => {
    const {
      r = '',
      t = 'n',
      s = '0',
    } = Object.fromEntries([...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))
    const value = /<(?:v|t)[^>]*>([^<]*)</.exec(content)?.[1] ?? ''
    return [r.replace(/\d/g, ''), { type: t, format: formats[Number(s)]!, value: text(value) }]
  }
  const rowsOf = (xml: string) =>
    [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, cells]) =>
      Object.fromEntries([...cells!.matchAll(/<c ([^>]*)>(.*?)<\/c>/gs)].map(cellOf)),
    )
  const names = [...parts['xl/workbook.xml']!.matchAll(/<sheet name="([^"]*)" sheetId="(\d+)"/g)]
  return Object.fromEntries(names.map(([, name, id]) => [text(name!), rowsOf(parts[`xl/worksheets/sheet${id}.xml`]!)]))
}

/** The rows of the first sheet with their values, by the names of the columns. */
export async function readTable(file: Buffer): Promise<Record<string, string>[]> {
  const [[header, ...rows] = []] = Object.values(await readSheets(file))
  return rows.map((row) =>
    Object.fromEntries(Object.entries(header!).map(([at, { value }]) => [value, row[at]?.value ?? ''])),
  )
}

const text = (xml: string) =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/_x([\dA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function unzip(file: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const parts: Record<string, string> = {}
    fromBuffer(file, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('error', reject)
      zip.on('end', () => resolve(parts))
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed)
          parts[entry.fileName] = Buffer.concat(await Array.fromAsync(stream)).toString()
          zip.readEntry()
        }),
      )
      zip.readEntry()
    })
  })
}
