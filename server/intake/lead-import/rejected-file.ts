import { constants } from 'node:fs'
import { copyFile, open, rm } from 'node:fs/promises'
import { byteOrderMark, csvLines } from '../../platform/http/csv.ts'
import { rejectionColumn } from './column-names.ts'

/**
 * Opens a file for the rejected rows of another, with the reason in a last column: corrected, they can be imported again. Opened before
 * the first row is imported, because its folder may not be writable.
 */
export async function openRejectedFile(source: string, names: string[]) {
  const part = `${source}.rejected.csv.part`
  const file = await open(part, 'w', 0o600).catch(({ code }: { code?: string }) => {
    throw new Error(`The rejected rows cannot be written to ${part} (${code}). Copy the file to a folder of yours.`)
  })
  let rows = 0

  return {
    async add({ reason, cells }: { reason: string; cells: string[] }): Promise<void> {
      // A file of rejected rows that was corrected has the column already.
      const kept = names.flatMap((name, index) => (name === rejectionColumn ? [] : [cells[index] ?? '']))
      const header = [...names.filter((name) => name !== rejectionColumn), rejectionColumn]
      const start = rows++ === 0 ? byteOrderMark + csvLines([header]) : ''
      // Behind the reason, so that it stays in its column.
      const surplus = cells.slice(names.length)
      await file.write(start + csvLines([[...kept, reason, ...surplus]]))
    },
    /** Returns the name of the file; null if no row was rejected. An existing file is kept: this one gets a number. */
    async close(): Promise<string | null> {
      await file.close()
      if (rows === 0) {
        await rm(part)
        return null
      }
      for (let n = 1; ; n++) {
        const name = `${source}.rejected${n === 1 ? '' : `-${n}`}.csv`
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
