import { mkdir, open, readFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { type Connection, openAsOwner } from '../../server/platform/database/connect.ts'
import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { notifyDirectoryChanged, notifyLeadsChanged } from '../../server/platform/database/watch.ts'
import { programVersion } from '../../server/platform/program-version.ts'
import { appendToList, erasedListName } from '../backup/erased-list.ts'
import type { Steps } from '../backup/steps.ts'
import { closeAccount, lockAccount } from './close-account.ts'
import { deletionOf, recordDeletion } from './deleted-accounts.ts'
import { type AccountTable, accountTables, ofAccount } from './tables.ts'

/** Rows per transaction. */
const batchSize = 5000

/** A request that was under way when the account was closed may have added rows. */
const maxRounds = 3

/** What says that an account was deleted. Names of tables and numbers only: no personal data of leads. */
export interface Certificate {
  account: { id: string; name: string; created_at: string }
  deleted_by: string
  started_at: string
  /** Null while rows are being deleted. */
  finished_at: string | null
  program: string
  /** The rows of each table when the account was closed. */
  rows: Record<string, number>
  /** The rows that were found in all tables afterwards. */
  rows_left: number | null
  note: string
}

const note =
  'Backups that were made before still contain the account, until they are removed. When one is restored, the account is deleted again: its id is kept for that.'

interface Wanted {
  owner: Connection
  account: { id: string; name: string }
  /** These get the list of deleted leads, and the first one the certificate. */
  folders: string[]
  steps: Steps
}

/** Deletes all rows of an account in short transactions, while the others work. Interrupted, it continues when it is called again. */
export async function deleteAccount({ owner, account: { id, name }, folders, steps }: Wanted) {
  const sql = openAsOwner(owner, { max: 1 })
  const file = join(folders[0]!, `deleted-account-${id}.json`)
  try {
    await lockAccount(sql, id)
    const [row] = await sql<{ created_at: Date }[]>`select created_at from accounts where id = ${id}`
    await closeAccount(sql, id, 'delete')
    // First: an older backup must not bring back a part either.
    const deletion = deletionOf(id)
    await recordDeletion(sql, deletion)
    for (const folder of folders) await appendToList(join(folder, erasedListName), [deletion])
    const tables = (await accountTables(sql)).toReversed()
    const unfinished = await readUnfinished(file)
    const certificate: Certificate = unfinished ?? {
      account: { id, name, created_at: new Date(row!.created_at).toISOString() },
      deleted_by: `${userInfo().username} at ${hostname()}`,
      started_at: new Date().toISOString(),
      finished_at: null,
      program: programVersion,
      rows: await countRows(sql, tables, id),
      rows_left: null,
      note,
    }
    await writeCertificate(file, certificate)
    const rows_left = await deleteInBatches(sql, tables, id, steps)
    if (rows_left > 0)
      throw new Error(`${rows_left} rows of the account were written meanwhile: run the command again.`)
    const whole = { ...certificate, finished_at: new Date().toISOString(), rows_left }
    await writeCertificate(file, whole)
    return { ...whole, certificate: file }
  } finally {
    steps.end()
    await sql.end({ timeout: 5 })
  }
}

/** Returns how many rows are left. */
async function deleteInBatches(sql: Sql, tables: AccountTable[], accountId: string, steps: Steps): Promise<number> {
  let left = total(await countRows(sql, tables, accountId))
  const deleted = steps.start('Deleting rows', left, 'rows')
  for (let round = 0; round < maxRounds && left > 0; round++) {
    for (const table of tables) {
      for await (const some of batchesOf(sql, table, accountId)) {
        const { count } = await sql`delete from ${sql(table.name)}
          where ${ofRows(sql, table, accountId)} and ctid = any (${some}::tid[])`
        deleted(count)
      }
    }
    left = total(await countRows(sql, tables, accountId))
  }
  await notifyDirectoryChanged(sql, accountId)
  await notifyLeadsChanged(sql, [accountId])
  return left
}

/** The places of the rows, read once: a query for each batch would read the rows that were deleted before it again and again. */
async function* batchesOf(sql: Sql, table: AccountTable, accountId: string): AsyncGenerator<string[]> {
  await sql.begin(
    (tx) => tx`declare places no scroll cursor with hold for
      select ctid::text as place from ${tx(table.name)} where ${ofRows(tx, table, accountId)}`,
  )
  try {
    for (;;) {
      const some = await sql.unsafe<{ place: string }[]>(`fetch ${batchSize} from places`)
      if (some.length === 0) return
      yield some.map(({ place }) => place)
    }
  } finally {
    await sql.unsafe('close places')
  }
}

/** Without the entry that says that the account was deleted. */
function ofRows(sql: Sql | TransactionSql, table: AccountTable, accountId: string) {
  const own = ofAccount(sql, table, accountId)
  return table.name === 'erased_leads' ? sql`${own} and lead_id <> account_id` : own
}

async function countRows(sql: Sql, tables: AccountTable[], accountId: string): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await sql<{ n: string }[]>`
      select count(*) as n from ${sql(table.name)} where ${ofRows(sql, table, accountId)}`
    rows[table.name] = Number(row!.n)
  }
  return rows
}

const total = (rows: Record<string, number>) => Object.values(rows).reduce((sum, n) => sum + n, 0)

/** Returns the certificate of a deletion that was interrupted: it counted the rows when there were all. */
async function readUnfinished(path: string): Promise<Certificate | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  const certificate: Certificate | null = text === null ? null : JSON.parse(text)
  return certificate?.finished_at === null ? certificate : null
}

async function writeCertificate(path: string, certificate: Certificate): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(certificate, null, 1)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}
