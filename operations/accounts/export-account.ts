import { randomBytes } from 'node:crypto'
import { createdSecret } from '../../server/access/sign-in/secret.ts'
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import { copyLine, readCopy } from '../../server/platform/database/copy.ts'
import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { type Backup, type Content, leftOut, writeBackup } from '../backup/create-backup.ts'
import type { Steps } from '../backup/steps.ts'
import { type AccountTable, accountTables, ofAccount } from './tables.ts'
import { encryptedAgain } from './two-factor-secrets.ts'

interface Wanted {
  owner: Connection
  account: { id: string; name: string }
  path: string
  steps: Steps
  stopping: AbortSignal
}

/** Writes one account to a file, in the format of a backup, while others work with the database. */
export async function exportAccount({ owner, account, path, steps, stopping }: Wanted): Promise<Backup> {
  const installation = await asOwner(owner, createdSecret)
  return writeBackup({ owner, path, content: await contentOf(owner, account, installation), steps, stopping })
}

async function contentOf(
  owner: Connection,
  account: { id: string; name: string },
  installation: string | null,
): Promise<Content> {
  const owned = await asOwner(owner, accountTables)
  const tables = new Map(owned.map((table) => [table.name, table]))
  /** Made for this file alone: that of the installation would open the sessions of all accounts. */
  const ownSecret = randomBytes(32).toString('base64url')
  const where = (tx: TransactionSql, name: string) => ofAccount(tx, tables.get(name) as AccountTable, account.id)
  return {
    account,
    tables: async (sql: Sql | TransactionSql) =>
      [...(await accountTables(sql)).map(({ name }) => name), secrets]
        .filter((name) => !leftOut.includes(name))
        .toSorted(),
    async count(tx, name) {
      if (name === secrets) return 1
      const [row] = await tx<{ n: string }[]>`select count(*) as n from ${tx(name)} where ${where(tx, name)}`
      return Number(row!.n)
    },
    read(tx, name, columns) {
      if (name === secrets) return oneLine(columns.map((column) => (column === 'name' ? 'sign_in' : ownSecret)))
      const rows = readCopy(tx, tx`copy (select ${tx(columns)} from ${tx(name)} where ${where(tx, name)}) to stdout`)
      return name === 'two_factors' ? encryptedAgain(rows, { columns }, { from: installation, to: ownSecret }) : rows
    },
  }
}

const secrets = 'installation_secrets'

async function* oneLine(values: string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(copyLine(values))
}
