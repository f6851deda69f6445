import { ourTables } from '../../server/platform/database/our-objects.ts'
import type { TransactionSql } from '../../server/platform/database/sql.ts'

/** A constraint or an index that was dropped. */
export interface PostponedKey {
  kind: 'check' | 'unique' | 'index' | 'foreign'
  table: string
  name: string
  /** The statement that makes it again. */
  make: string
  /** Which rows of the table, as `child`, break it. Null for an index that no row can break. */
  broken: string | null
  /** The table that has what a foreign key names. */
  parent: string | null
  /** Those of its columns that a row can do without. Null if the row is a part of its parent. */
  clear: string[] | null
}

/** Drops all indexes, keys and checks of our tables. Rows are copied several times faster without them. */
export async function dropKeys(tx: TransactionSql): Promise<PostponedKey[]> {
  const rows = await tx<(PostponedKey & { drop: string })[]>`
    with ours as (
      select oid from pg_class where relnamespace = 'public'::regnamespace and relname = any (${[...ourTables]}::text[])
    ), keys as (
      select indexrelid, indrelid, indisunique, pg_get_indexdef(indexrelid) as make, (
          select string_agg(pg_get_indexdef(indexrelid, n, true), ', ' order by n) from generate_series(1, indnkeyatts) as n
        ) as columns, concat_ws(' and ', pg_get_expr(indpred, indrelid), (
          select string_agg(format('%s is not null', pg_get_indexdef(indexrelid, n, true)), ' and ')
          from generate_series(1, indnkeyatts) as n where not indnullsnotdistinct
        )) as condition
      from pg_index where indrelid in (select oid from ours)
    ), uniques as (
      select *, format('child.ctid in (select ctid from (select ctid, row_number() over (partition by %s order by ctid) as n '
        'from %s where %s) as numbered where n > 1)', columns, indrelid::regclass, coalesce(nullif(condition, ''), 'true')) as broken
      from keys
    ), foreigns as (
      select pg_constraint.*, pairs.*
      from pg_constraint, lateral (
        select string_agg(format('parent.%I = child.%I', theirs.attname, ours.attname), ' and ') as joined,
          string_agg(format('child.%I is not null', ours.attname), ' and ') as named,
          array_agg(ours.attname::text) filter (where not ours.attnotnull) as optional
        from unnest(conkey, confkey) as pair (our, their)
          join pg_attribute ours on ours.attrelid = conrelid and ours.attnum = our
          join pg_attribute theirs on theirs.attrelid = confrelid and theirs.attnum = their
      ) as pairs
      where contype = 'f' and conrelid in (select oid from ours)
    )
    select 1 as position, 'foreign' as kind, conrelid::regclass::text as table, conname::text as name,
      format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
      format('%s and not exists (select from %s as parent where %s)', named, confrelid::regclass, joined) as broken,
      confrelid::regclass::text as parent, case when confdeltype <> 'c' then optional end as clear
    from foreigns
    union all
    select 2, case when indisunique then 'unique' else 'index' end, indrelid::regclass::text, indexrelid::regclass::text,
      format('drop index %s', indexrelid::regclass), make, case when indisunique then broken end, null, null
    from uniques where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    union all
    select 3, 'unique', conrelid::regclass::text, conname::text,
      format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)), broken, null, null
    from pg_constraint join uniques on indexrelid = conindid where contype in ('p', 'u')
    union all
    select 4, 'check', conrelid::regclass::text, conname::text,
      format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
      format('(%s) is false', pg_get_expr(conbin, conrelid)), null, null
    from pg_constraint where contype = 'c' and conrelid in (select oid from ours)
    order by position`
  for (const { drop } of rows) await tx.unsafe(drop)
  // Foreign keys last: they need the keys of other tables.
  return rows.reverse()
}
