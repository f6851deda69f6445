import { constants } from 'node:fs'
import { copyFile, open, rm } from 'node:fs/promises'
import { type RejectedCells, rejectedHeader, rejectedLine } from './rejected-lines.ts'

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
    async add(row: RejectedCells): Promise<void> {
      await file.write((rows++ === 0 ? rejectedHeader(names) : '') + rejectedLine(names, row))
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
