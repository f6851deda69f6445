import { directoryTables } from '../../server/platform/database/cluster/placement.ts'
import type { Sql } from '../../server/platform/database/sql.ts'

/** Accounts of one transaction. */
const atOnce = 250

/** The columns with users' ids, which are unique in the installation, as emails, tokens and keys are. All others stay as they are. */
const ofUsers = ['assigned_to', 'user_id', 'default_assignee']
const replaced: Record<string, string> = {
  'users.id': cloned('id'),
  'users.email': `clone::text || email`,
  'webhooks.token': `md5(clone::text || token)`,
  'api_keys.secret_hash': `sha256((clone::text || id::text)::bytea)`,
}

/** Makes accounts with the rows of another one, within the database. */
export async function cloneAccount(owner: Sql, model: string, count: number): Promise<void> {
  const tables = await tablesOf(owner)
  for (let made = 0; made < count; made += atOnce) {
    await owner.begin(async (tx) => {
      // Checking the foreign keys of rows that are copied together takes most of the time.
      await tx`set local session_replication_role = replica`
      const rows = await tx`insert into accounts (id, name, default_country, created_at)
        select gen_random_uuid(), gen_random_uuid()::text, default_country, created_at
        from accounts, generate_series(1, ${Math.min(atOnce, count - made)}::int) where id = ${model} returning id`
      const clones = rows.map(({ id }) => id as string)
      for (const { name, columns } of tables) {
        const values = columns.map((column) => {
          if (column === 'account_id') return 'clone'
          return replaced[`${name}.${column}`] ?? (ofUsers.includes(column) ? cloned(column) : column)
        })
        await tx.unsafe(
          `insert into ${name} (${columns}) select ${values} from ${name}, unnest($1::uuid[]) clone where account_id = $2`,
          [clones, model],
        )
      }
    })
  }
}

function cloned(user: string): string {
  return `case when ${user} <> '00000000-0000-0000-0000-000000000000' then md5(clone::text || ${user}::text)::uuid else ${user} end`
}

/** The tables with rows of accounts, and their columns that are not generated. */
function tablesOf(owner: Sql) {
  const directory = ['users', 'api_keys', 'webhooks']
  return owner<{ name: string; columns: string[] }[]>`
    select relname as name, array_agg(attname order by attnum)::text[] as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and attgenerated = '' and attidentity = ''
      and (relname = any (${directory}::text[]) or relname <> all (${[...directoryTables]}::text[]))
    group by relname having 'account_id' = any (array_agg(attname))`
}
