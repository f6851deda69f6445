import { constants } from 'node:fs'
import { copyFile, open, rm } from 'node:fs/promises'
import { byteOrderMark } from '../../platform/http/csv.ts'
import { linesWithReason, type RowWithReason } from './lines-with-reason.ts'

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
    async add(row: RowWithReason): Promise<void> {
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
