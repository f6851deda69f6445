import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises'
import { byteOrderMark, csvLines } from '../leads/csv.ts'
import { rejectionColumn } from './column-names.ts'

/** The rejected rows of a file, with the reason in a last column: corrected, they can be imported again. */
export class RejectedFile {
  readonly #source: string
  readonly #names: string[]
  readonly #part: string
  readonly #file: FileHandle
  #rows = 0

  private constructor(source: string, names: string[], part: string, file: FileHandle) {
    this.#source = source
    this.#names = names
    this.#part = part
    this.#file = file
  }

  /** Opened before the first row is imported, because its folder may not be writable. */
  static async open(source: string, names: string[]): Promise<RejectedFile> {
    const part = `${source}.rejected.csv.part`
    try {
      const file = await open(part, 'w', 0o600)
      return new RejectedFile(source, names, part, file)
    } catch (error) {
      const { code } = error as { code?: string }
      throw new Error(`The rejected rows cannot be written to ${part} (${code}). Copy the file to a folder of yours.`)
    }
  }

  async add({ reason, cells }: { reason: string; cells: string[] }): Promise<void> {
    // A file of rejected rows that was corrected has the column already.
    const names = this.#names.filter((name) => name !== rejectionColumn)
    const kept = this.#names.flatMap((name, index) => (name === rejectionColumn ? [] : [cells[index] ?? '']))
    const header = this.#rows++ === 0 ? byteOrderMark + csvLines([[...names, rejectionColumn]]) : ''
    // Behind the reason, so that it stays in its column.
    const surplus = cells.slice(this.#names.length)
    await this.#file.write(header + csvLines([[...kept, reason, ...surplus]]))
  }

  /** Returns the name of the file; null if no row was rejected. An existing file is kept: this one gets a number. */
  async close(): Promise<string | null> {
    await this.#file.close()
    if (this.#rows === 0) {
      await rm(this.#part)
      return null
    }
    for (let n = 1; ; n++) {
      const name = `${this.#source}.rejected${n === 1 ? '' : `-${n}`}.csv`
      try {
        await copyFile(this.#part, name, constants.COPYFILE_EXCL)
      } catch (error) {
        if ((error as { code?: string }).code === 'EEXIST') continue
        throw error
      }
      await rm(this.#part)
      return name
    }
  }

  /** The import is continued later, and reads these rows again. */
  async discard(): Promise<void> {
    await this.#file.close()
    await rm(this.#part, { force: true })
  }
}
