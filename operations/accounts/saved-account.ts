import { readCopyLine } from '../../server/platform/database/copy.ts'
import { readArchive } from '../backup/archive.ts'
import { textOfTable } from '../backup/check-backup.ts'
import type { Manifest, TableInBackup } from '../backup/manifest.ts'
import type { AccountTable } from './tables.ts'

/** A checked backup, of a whole installation or of one account. */
interface Saved {
  file: string
  manifest: Manifest
}

/** An account in a backup. */
export interface SavedAccount {
  id: string
  name: string
  users: { id: string; email: string }[]
  /** With which the installation that wrote the backup encrypted the secrets of two-factor sign-in. */
  secret: string | null
}

/** The account of one id, else of one name. Throws an error if the backup has none. */
export async function findSavedAccount(
  { file, manifest }: Saved,
  wanted: { id: string | null; name: string | null },
): Promise<SavedAccount> {
  const accounts: SavedRow[] = []
  const users: SavedRow[] = []
  const secrets: SavedRow[] = []
  await readTables({ file, manifest }, async (table, rows) => {
    const into = { accounts, users, installation_secrets: secrets }[table.name]
    if (!into) return false
    for await (const lines of rows)
      for (const line of linesOf(lines)) into.push(savedRow(table.columns, line.toString()))
    return true
  })
  const name = wanted.name?.trim().toLowerCase()
  const isWanted = (row: SavedRow) =>
    wanted.id !== null ? row.id === wanted.id : name === undefined || row.name?.toLowerCase() === name
  const [account, second] = accounts.filter(isWanted)
  if (!account || second) {
    const names = accounts.slice(0, 5).map((row) => `"${row.name}"`)
    const known = `${names.join(', ')}${accounts.length > names.length ? ', …' : ''}`
    throw new Error(
      second
        ? `${file} has ${accounts.length} accounts (${known}): name one of them.`
        : `${file} has no account ${wanted.id ? `with the id ${wanted.id}` : `named "${wanted.name}"`}. It has ${known || 'none'}.`,
    )
  }
  return {
    id: account.id!,
    name: account.name!,
    users: users.filter((row) => row.account_id === account.id).map(({ id, email }) => ({ id: id!, email: email! })),
    secret: secrets.find((row) => row.name === 'sign_in')?.value ?? null,
  }
}

export type SavedRow = Record<string, string | null>

export function savedRow(columns: string[], line: string): SavedRow {
  const values = readCopyLine(line)
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
}

/** Passes each table with its rows, as whole lines. `use` returns whether it read them; otherwise they are skipped. */
export async function readTables(
  { file, manifest }: Saved,
  use: (table: TableInBackup, rows: AsyncGenerator<Buffer>) => Promise<boolean>,
  onRows: (more: number) => void = () => {},
): Promise<void> {
  const entries = readArchive(file)
  try {
    for (const table of manifest.tables) {
      let isStarted = false
      async function* rows() {
        isStarted = true
        yield* wholeLines(textOfTable(file, table, entries, onRows))
      }
      const wasRead = await use(table, rows())
      if (wasRead !== isStarted) throw new Error(`${table.name} was not read as a whole.`)
      if (!wasRead) for (const _ of table.parts) await entries.next()
    }
  } finally {
    await entries.return(undefined)
  }
}

/** Parts of a table end anywhere, also within a line. */
export async function* wholeLines(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of parts) {
    const text = rest.length > 0 ? Buffer.concat([rest, part]) : part
    const end = text.lastIndexOf(lineFeed) + 1
    if (end > 0) yield text.subarray(0, end)
    rest = text.subarray(end)
  }
}

/** Returns the lines of the account, and nothing of others. */
export async function* linesOfAccount(
  rows: AsyncIterable<Buffer>,
  { columns }: TableInBackup,
  { by }: Pick<AccountTable, 'by'>,
  account: SavedAccount,
): AsyncGenerator<Buffer> {
  const column = columns.indexOf(by)
  const ids = new Set(by === 'user_id' ? account.users.map(({ id }) => id) : [account.id])
  for await (const text of rows) {
    const own: Buffer[] = []
    for (const line of linesOf(text)) {
      if (ids.has(valueAt(line, column))) own.push(line, newLine)
    }
    if (own.length > 0) yield Buffer.concat(own)
  }
}

const lineFeed = 10
const tab = 9
const newLine = Buffer.from('\n')

function* linesOf(text: Buffer): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(lineFeed, start)
    yield text.subarray(start, end)
    start = end + 1
  }
}

/** An id needs no escapes. */
function valueAt(line: Buffer, column: number): string {
  let start = 0
  for (let at = 0; at < column; at++) start = line.indexOf(tab, start) + 1
  const end = line.indexOf(tab, start)
  return line.toString('latin1', start, end === -1 ? line.length : end)
}
