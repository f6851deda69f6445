import { ourTables } from '../../server/platform/database/our-objects.ts'
import type { Sql, Statement, TransactionSql } from '../../server/platform/database/sql.ts'

/** A table with rows of accounts, and the column by which they are an account's. */
export interface AccountTable {
  name: string
  by: 'id' | 'account_id' | 'user_id' | 'value'
}

/** Tables of the whole installation. */
const ofInstallation = ['backup_runs', 'continuous_backup', 'installation_secrets']

/**
 * Returns the tables with rows of accounts, each after those that it references. A table is found by its column `account_id`, or by its
 * reference to users, so that a new one cannot be forgotten: without either, this throws an error until it is named above.
 */
export async function accountTables(sql: Sql | TransactionSql): Promise<AccountTable[]> {
  const rows = await sql<{ name: string; by: AccountTable['by'] | null; after: string[] }[]>`
    select relname as name,
      case when relname = 'accounts' then 'id'
        when exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id' and not attisdropped) then 'account_id'
        when exists (select from pg_constraint where conrelid = pg_class.oid and confrelid = 'users'::regclass) then 'user_id'
        -- Sign-ins that wait for the second factor.
        when relname = 'verifications' then 'value' end as by,
      array(select confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as after
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname = any (${[...ourTables]}::text[])
    order by relname`
  const unknown = rows.filter(({ name, by }) => by === null && !ofInstallation.includes(name))
  if (unknown.length > 0)
    throw new Error(
      `Say in operations/accounts/tables.ts whose rows these tables have: ${unknown.map(({ name }) => name).join(', ')}.`,
    )
  const owned = rows.filter((row) => row.by !== null)
  for (const row of owned) if (row.by === 'value') row.after.push('users')
  return inOrder(owned).map(({ name, by }) => ({ name, by: by! }))
}

function inOrder<T extends { name: string; after: string[] }>(tables: T[]): T[] {
  const ordered = new Set<T>()
  while (ordered.size < tables.length) {
    const names = new Set([...ordered].map(({ name }) => name))
    const next = tables.filter((table) => !ordered.has(table) && table.after.every((name) => names.has(name)))
    if (next.length === 0) throw new Error('Tables of accounts reference each other in a circle.')
    for (const table of next) ordered.add(table)
  }
  return [...ordered]
}

/** The condition for the rows of an account, without parameters: COPY takes none. */
export function ofAccount(sql: Sql | TransactionSql, { by }: AccountTable, accountId: string): Statement {
  const id = sql.unsafe(`'${checkedId(accountId)}'::uuid`)
  switch (by) {
    case 'user_id':
      return sql`user_id in (select id from users where account_id = ${id})`
    case 'value':
      return sql`value in (select id::text from users where account_id = ${id})`
  }
  return sql`${sql(by)} = ${id}`
}

function checkedId(id: string): string {
  if (!/^[\da-f-]{36}$/.test(id)) throw new Error(`${id} is no id of an account.`)
  return id
}
