import { readSecret } from '../../server/access/sign-in/secret.ts'
import { type Connection, openAsOwner } from '../../server/platform/database/connect.ts'
import { writeCopy } from '../../server/platform/database/copy.ts'
import { migrationTexts } from '../../server/platform/database/migrate.ts'
import { identityColumns } from '../../server/platform/database/our-objects.ts'
import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { notifyDirectoryChanged, notifyLeadsChanged } from '../../server/platform/database/watch.ts'
import { eraseAgain, eraseErasedLeads } from '../backup/erase-again.ts'
import type { TableInBackup } from '../backup/manifest.ts'
import type { CheckedBackup } from '../backup/restore-backup.ts'
import type { Steps } from '../backup/steps.ts'
import { withoutTimeLimits } from '../backup/time-limits.ts'
import { closeAccount, lockAccount, openAccount } from './close-account.ts'
import { deleteRows } from './delete-rows.ts'
import { checkNotDeleted } from './deleted-accounts.ts'
import { linesOfAccount, readTables, type SavedAccount } from './saved-account.ts'
import { type AccountTable, accountTables } from './tables.ts'
import { encryptedAgain } from './two-factor-secrets.ts'

export interface RestoredAccount {
  account_id: string
  account: string
  users: number
  leads: number
  erased_again: number
}

interface Wanted {
  owner: Connection
  backup: CheckedBackup
  saved: SavedAccount
  /** Whether rows of the account that are there are replaced; if not, the account must not be there. */
  replace: boolean
  /** The new name; null: as it is there, or in the file. */
  name: string | null
  /** Whether an account that was deleted after the backup may come back. */
  evenDeleted: boolean
  steps: Steps
}

/**
 * Creates or replaces one account by what a backup has of it, while the others work. Its rows are copied beside the tables first. Then the
 * account is closed, and one transaction replaces them: a failure changes nothing.
 */
export async function restoreAccount({ owner, steps, ...wanted }: Wanted): Promise<RestoredAccount> {
  const { saved, backup, evenDeleted } = wanted
  checkSchema(backup)
  const sql = openAsOwner(owner, { max: 1 })
  try {
    await lockAccount(sql, saved.id)
    await checkFree(sql, wanted)
    await checkNotDeleted(sql, backup, { accountId: saved.id, evenDeleted })
    const tables = await copyBeside(sql, backup, saved, steps)
    const isThere = (await sql`select from accounts where id = ${saved.id}`).length > 0
    if (isThere) await closeAccount(sql, saved.id, 'restore')
    const restored = await sql
      .begin((tx) => replaceRows(tx, tables, wanted))
      .catch(async (error) => {
        if (isThere) await openAccount(sql, saved.id).catch(() => {})
        throw explained(error)
      })
    await notifyLeadsChanged(sql, [saved.id])
    return restored
  } finally {
    steps.end()
    await sql.end({ timeout: 5 })
  }
}

/** A file of another schema is restored as a whole by the program that can, which then writes the account as it is now. */
function checkSchema({ file, manifest }: CheckedBackup): void {
  const known = [...migrationTexts.keys()]
  const differs = known.length !== manifest.migrations.length || known.some((one) => !manifest.migrations.includes(one))
  if (!differs) return
  throw new Error(
    `${file} is of version ${manifest.program}, whose tables are not those of this program. Nothing was changed. Restore the whole file beside ` +
      `this installation, and take the account from there:\n` +
      `  DATA_DIR=/tmp/beside lead-engine restore ${file}\n` +
      `  DATA_DIR=/tmp/beside lead-engine account export NAME /tmp/beside.account\n` +
      'and then run this command again with /tmp/beside.account.',
  )
}

/** Says by name what belongs to another account, before anything is copied. */
async function checkFree(sql: Sql, { saved, replace, name }: Pick<Wanted, 'saved' | 'replace' | 'name'>) {
  const [there] = await sql<{ name: string }[]>`select name from accounts where id = ${saved.id}`
  if (there && !replace)
    throw new Error(
      `The account "${there.name}" has the id ${saved.id} of the one in the file. Nothing was changed. To replace it by the file, run lead-engine account restore "${there.name}" --from FILE.`,
    )
  const wanted = name ?? there?.name ?? saved.name
  const [named] = await sql`select id from accounts where lower(name) = ${wanted.toLowerCase()} and id <> ${saved.id}`
  if (named)
    throw new Error(`Another account is named "${wanted}". Nothing was changed: choose another name with --name.`)
  const ids = saved.users.map(({ id }) => id)
  const emails = saved.users.map(({ email }) => email.toLowerCase())
  const taken = await sql<{ email: string; account: string }[]>`
    select email, accounts.name as account from users join accounts on accounts.id = account_id
    where account_id <> ${saved.id} and (users.id = any (${ids}::uuid[]) or lower(email) = any (${emails}::text[]))
    order by email limit 10`
  if (taken.length > 0)
    throw new Error(
      `Users of other accounts have emails of this one: ${taken.map((one) => `${one.email} in "${one.account}"`).join(', ')}. Nothing was changed: an email is of one user of the installation. Change it there, or import into another installation.`,
    )
}

const besides = (table: string) => `saved_${table}`

/** Copies the rows of the account into temporary tables of the session. */
async function copyBeside(
  sql: Sql,
  backup: CheckedBackup,
  saved: SavedAccount,
  steps: Steps,
): Promise<(AccountTable & TableInBackup)[]> {
  const owned = await accountTables(sql)
  const secrets = { from: saved.secret, to: await readSecret(sql) }
  const found = new Map<string, TableInBackup>()
  const read = steps.start(
    'Reading the backup',
    backup.manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    'rows',
  )
  await sql.begin(async (tx) => {
    await withoutTimeLimits(tx)
    await readTables(
      backup,
      async (table, rows) => {
        const own = owned.find(({ name }) => name === table.name)
        if (!own) return false
        const lines = linesOfAccount(rows, table, own, saved)
        const text =
          table.name === 'two_factors' && secrets.from !== secrets.to ? encryptedAgain(lines, table, secrets) : lines
        const beside = besides(table.name)
        // Without constraints: the tables check them.
        await tx`create temporary table ${tx(beside)} as select ${tx(table.columns)} from ${tx(table.name)} with no data`
        await writeCopy(tx, tx`copy ${tx(beside)} (${tx(table.columns)}) from stdin`, text)
        found.set(table.name, table)
        return true
      },
      read,
    )
  })
  return owned.flatMap((table) => (found.has(table.name) ? [{ ...table, ...found.get(table.name)! }] : []))
}

async function replaceRows(
  tx: TransactionSql,
  tables: (AccountTable & TableInBackup)[],
  { backup, saved: { id }, name }: Pick<Wanted, 'backup' | 'saved' | 'name'>,
): Promise<RestoredAccount> {
  await withoutTimeLimits(tx)
  // An error instead of missing rows, if row-level security was forced on the owner by hand.
  await tx`set local row_security = off`
  await tx`create temporary table kept_erased on commit drop as select * from erased_leads where account_id = ${id}`
  await tx`create temporary table kept_state on commit drop as select name, suspended_at, resumed_at from accounts where id = ${id}`
  await deleteRows(tx, id)
  const accounts = tx(besides('accounts'))
  await tx`update ${accounts} set closed_for = null`
  await tx`update ${accounts} saved set name = kept_state.name, suspended_at = kept_state.suspended_at, resumed_at = kept_state.resumed_at
    from kept_state`
  if (name !== null) await tx`update ${accounts} set name = ${name}`
  for (const { name, columns } of tables)
    await tx`insert into ${tx(name)} (${tx(columns)}) overriding system value select ${tx(columns)} from ${tx(besides(name))}`
  await tx`insert into erased_leads select * from kept_erased on conflict do nothing`
  await tx`delete from erased_leads where account_id = ${id} and lead_id = ${id}`
  await raiseSequences(tx, tables)
  const erased_again = (await eraseAgain(tx, backup.lists, id)) + (await eraseErasedLeads(tx, id))
  await notifyDirectoryChanged(tx, id)
  const [counts] = await tx<{ account: string; users: number; leads: number }[]>`
    select name as account, (select count(*)::int from users where account_id = ${id}) as users,
      (select count(*)::int from leads where account_id = ${id}) as leads
    from accounts where id = ${id}`
  return { account_id: id, ...counts!, erased_again }
}

/**
 * Ids of rows from another installation may be above the sequence here. It is raised well above them: it is not locked, so others take
 * numbers meanwhile.
 */
async function raiseSequences(tx: TransactionSql, tables: { name: string }[]): Promise<void> {
  for (const { table, column, sequence } of await identityColumns(tx)) {
    if (!tables.some(({ name }) => name === table)) continue
    const [newest] = await tx<{ id: string | null }[]>`select max(${tx(column)})::text as id from ${tx(besides(table))}`
    if (newest!.id === null) continue
    await tx.unsafe(
      `select setval('${sequence}', $1::bigint + 1000000) from ${sequence} where last_value <= $1::bigint`,
      [newest!.id],
    )
  }
}

function explained(error: Error & { code?: string; detail?: string }): Error {
  const { code = '', detail } = error
  if (code === '23505')
    return new Error(`A row of another account has the same key (${error.message}). Nothing was changed.`, {
      cause: error,
    })
  if (code.startsWith('23'))
    return new Error(
      `A row of the file breaks a rule of the database: ${error.message}${detail ? ` (${detail})` : ''}. Nothing was changed: use another backup.`,
      { cause: error },
    )
  if (code === '53100')
    return new Error(`The disk of the database is full (${error.message}): nothing was changed.`, { cause: error })
  return error
}
