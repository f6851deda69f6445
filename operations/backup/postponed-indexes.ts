import { ourTables } from '../../server/platform/database/our-objects.ts'
import type { TransactionSql } from '../../server/platform/database/sql.ts'

/**
 * Drops all indexes and keys of our tables, and returns the statements that make them again. Rows are copied several times
 * faster without them.
 */
export async function dropIndexes(tx: TransactionSql): Promise<string[]> {
  const rows = await tx<{ drop: string; make: string }[]>`
    with ours as (
      select oid from pg_class where relnamespace = 'public'::regnamespace and relname = any (${[...ourTables]}::text[])
    )
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
      case contype when 'f' then 1 else 3 end as position
    from pg_constraint where contype in ('p', 'u', 'f') and conrelid in (select oid from ours)
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 2
    from pg_index where indrelid in (select oid from ours)
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    order by position`
  for (const { drop } of rows) await tx.unsafe(drop)
  // Foreign keys last: they need the keys of other tables.
  return rows.map(({ make }) => make).reverse()
}
