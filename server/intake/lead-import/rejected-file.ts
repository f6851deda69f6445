import { constants } from 'node:fs'
import { copyFile, open, rm } from 'node:fs/promises'
import { byteOrderMark, csvLines } from '../../platform/http/csv.ts'
import { reasonColumns } from './column-names.ts'

/** Writes rows of a file with a reason in a last column: corrected, they can be imported again. */
export function linesWithReason(names: string[], kind: string) {
  const column = kind === 'rejected' ? reasonColumns.rejected : reasonColumns.warned
  return {
    header: csvLines([[...names.filter((name) => name !== column), column]]),
    lineOf({ reason, cells }: { reason: string; cells: string[] }): string {
      // A file of rejected rows that was corrected has the column already.
      const kept = names.flatMap((name, index) => (name === column ? [] : [cells[index] ?? '']))
      // Behind the reason, so that it stays in its column.
      return csvLines([[...kept, reason, ...cells.slice(names.length)]])
    },
  }
}

/**
 * Opens a file for rows of another, `rejected` or with a kind of warning. Opened before the first row is imported, because its folder may
 * not be writable.
 */
export async function openRowFile(source: string, names: string[], kind: string) {
  const part = `${source}.${kind}.csv.part`
  const file = await open(part, 'w', 0o600).catch(({ code }: { code?: string }) => {
    throw new Error(`Rows cannot be written to ${part} (${code}). Copy the file to a folder of yours.`)
  })
  const { header, lineOf } = linesWithReason(names, kind)
  let rows = 0

  return {
    async add(row: { reason: string; cells: string[] }): Promise<void> {
      await file.write((rows++ === 0 ? byteOrderMark + header : '') + lineOf(row))
    },
    /** Returns the name of the file; null if no row was rejected. An existing file is kept: this one gets a number. */
    async close(): Promise<string | null> {
      await file.close()
      if (rows === 0) {
        await rm(part)
        return null
      }
      for (let n = 1; ; n++) {
        const name = `${source}.${kind}${n === 1 ? '' : `-${n}`}.csv`
        try {
          await copyFile(part, name, constants.COPYFILE_EXCL)
        } catch (error) {
          if ((error as { code?: string }).code === 'EEXIST') continue
          throw error
        }
        await rm(part)
        return name
      }
    },
    /** The import is continued later, and reads these rows again. */
    async discard(): Promise<void> {
      await file.close()
      await rm(part, { force: true })
    },
  }
}
