import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { damaged, type Entry, readArchive } from './archive.ts'
import { type Manifest, manifestName, parseManifest, partName, partSize, type TableInBackup } from './manifest.ts'

const decompress = promisify(zstdDecompress)

/** Reads the whole file and checks that it is complete, undamaged, and contains what its manifest says. */
export async function checkBackup(path: string, onBytes?: (more: number) => void): Promise<Manifest> {
  const found = new Map<string, { bytes: number; sha256: string; rows: number }>()
  let last: Buffer | null = null
  for await (const { name, content } of readArchive(path, onBytes)) {
    if (last || found.has(name)) throw damaged(path, `it contains ${name} twice, or in the wrong place`)
    if (name === manifestName) last = content
    else {
      const sha256 = createHash('sha256').update(content).digest('hex')
      found.set(name, { bytes: content.length, sha256, rows: rowsIn(await textOf(path, { name, content })) })
    }
  }
  if (!last) throw damaged(path, `it contains no ${manifestName}`)
  const manifest = readManifest(path, last)
  for (const table of manifest.tables) {
    let rows = 0
    for (const [index, part] of table.parts.entries()) {
      const name = partName(table.name, index)
      const is = found.get(name)
      if (is?.sha256 !== part.sha256 || is.bytes !== part.bytes) throw damaged(path, `${name} is not as it was written`)
      rows += is.rows
      found.delete(name)
    }
    if (rows !== table.rows) throw damaged(path, `${table.name} has ${rows} rows instead of ${table.rows}`)
  }
  for (const name of found.keys()) throw damaged(path, `it contains ${name}, which its manifest does not name`)
  return manifest
}

/** Returns the text of a table, part by part, from entries that were checked before. */
export async function* textOfTable(
  path: string,
  table: TableInBackup,
  entries: AsyncGenerator<Entry>,
  onRows: (more: number) => void,
): AsyncGenerator<Buffer> {
  for (const [index, { sha256 }] of table.parts.entries()) {
    const { value: entry } = await entries.next()
    const name = partName(table.name, index)
    // The file may have changed since it was checked.
    if (entry?.name !== name || createHash('sha256').update(entry.content).digest('hex') !== sha256) {
      throw damaged(path, `${name} has changed since the file was checked`)
    }
    const text = await textOf(path, entry)
    yield text
    onRows(rowsIn(text))
  }
}

function readManifest(path: string, content: Buffer): Manifest {
  try {
    const manifest = parseManifest(content.toString())
    if (manifest) return manifest
  } catch (error) {
    throw damaged(path, (error as Error).message)
  }
  throw new Error(`${path} has a format that this program does not know: use the newer program that wrote it.`)
}

async function textOf(path: string, { name, content }: Entry): Promise<Buffer> {
  try {
    return await decompress(content, { maxOutputLength: partSize })
  } catch (error) {
    throw damaged(path, `${name}: ${(error as Error).message}`)
  }
}

/** Each row of a COPY is one line; line breaks in values are escaped. */
export function rowsIn(text: Buffer): number {
  let rows = 0
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) rows++
  return rows
}
