import { upgradeTexts } from './baseline.ts'
import { forgetDistribution } from './cluster/unfinished-distribution.ts'
import { migrationTexts } from './migrate.ts'
import { schemaTexts } from './schema-texts.ts'
import type { Sql, TransactionSql } from './sql.ts'

/** Every table, view and function that was ever made, whether it still exists or not. */
const made = { table: new Set<string>(), view: new Set<string>(), function: new Set<string>() }
for (const text of [...migrationTexts.values(), ...upgradeTexts, ...schemaTexts.values()]) {
  for (const [, kind, names] of text.matchAll(
    /^(?:create|create or replace|drop) (table|view|function) (\w+(?:,\s+\w+)*)/gm,
  )) {
    for (const name of names!.split(/,\s+/)) made[kind as keyof typeof made].add(name)
  }
}

/** The tables of this program and of version 0.2, without those that belong to the database itself: its migrations, texts and roles. */
export const ourTables: ReadonlySet<string> = made.table

interface IdentityColumn {
  table: string
  column: string
  sequence: string
}

/** Returns the columns of our tables whose values a sequence gives, small tables first. */
export const identityColumns = (sql: Sql | TransactionSql) => sql<IdentityColumn[]>`
  select relname as table, attname as column, pg_get_serial_sequence(format('%I', relname), attname) as sequence
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname = any (${[...ourTables]}::text[])
    and attidentity <> '' and not attisdropped
  order by relpages, relname, attname`

/**
 * Drops everything that migrations made, and nothing else: the schema may contain other tables. What depends on ours, such
 * as a view for reports, makes it fail.
 */
export async function dropOurObjects(tx: TransactionSql): Promise<void> {
  const rows = await tx<{ kind: 'view' | 'table' | 'function'; object: string }[]>`
    select case relkind when 'v' then 'view' else 'table' end as kind, oid::regclass::text as object from pg_class
    where relnamespace = 'public'::regnamespace
      and (relkind in ('r', 'p') and relname = any (${[...made.table]}::text[]) or relkind = 'v' and relname = any (${[...made.view]}::text[]))
    union all
    select 'function', oid::regprocedure::text from pg_proc
    where pronamespace = 'public'::regnamespace and proname = any (${[...made.function]}::text[])`
  for (const kind of ['view', 'table', 'function'] as const) {
    const objects = rows.filter((row) => row.kind === kind).map(({ object }) => object)
    if (objects.length > 0) await tx.unsafe(`drop ${kind} ${objects.join(', ')}`)
  }
  for (const name of ['migrations', 'schema_texts']) {
    const [table] = await tx`select from pg_tables where schemaname = 'public' and tablename = ${name}`
    if (table) await tx`delete from ${tx(name)}`
  }
  await forgetDistribution(tx)
}

/**
 * Drops everything but the roles of the installation, also what migrations of a newer version made. For the embedded
 * database, which contains nothing else.
 */
export async function dropEverything(tx: TransactionSql): Promise<void> {
  const [roles] = await tx`select from pg_tables where schemaname = 'public' and tablename = 'service_roles'`
  await tx`create schema kept`
  if (roles) await tx`alter table service_roles set schema kept`
  await tx`drop schema public cascade`
  await tx`alter schema kept rename to public`
}
