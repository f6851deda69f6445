import type { Sql, TransactionSql } from '../sql.ts'
import { directoryTables, hasCitus, isDistributed, localTables } from './placement.ts'

/**
 * Removes what a table may not have while Citus places it: foreign keys to tables that are not placed yet, and sub-selects in
 * policies. Sends the actor to nodes from now on. This takes locks that readers wait for. A table remembers how to undo it.
 */
export async function removeObstacles(tx: TransactionSql): Promise<void> {
  const { ofAccounts } = await localTables(tx)
  await tx`create table if not exists unfinished_distribution (refers_to text, undo text not null, orphans text)`
  for (const { remove, ...key } of await foreignKeys(tx, ofAccounts)) {
    await tx`insert into unfinished_distribution ${tx(key)}`
    await tx.unsafe(remove)
  }
  for (const { named, condition } of await policies(tx)) {
    const simple = withoutSubSelects(condition)
    if (simple === condition) continue
    await tx`insert into unfinished_distribution ${tx({ undo: `alter policy ${named} using (${condition})` })}`
    await tx.unsafe(`alter policy ${named} using (${simple})`)
  }
  await sendActorToNodes(tx)
}

/**
 * SET LOCAL reaches the nodes, and set_config does not; in connections from before the tables were placed, too. A transaction
 * that waits for the end of the distribution has set its actor before, and its next statement is for a node.
 */
async function sendActorToNodes(tx: TransactionSql): Promise<void> {
  const [local] = await tx<{ undo: string }[]>`
    select pg_get_functiondef('act_as(uuid, uuid, text)'::regprocedure) as undo`
  await tx`insert into unfinished_distribution ${tx(local!)}`
  await tx.unsafe(sendingActAs)
}

const sendingActAs = `create or replace function act_as(account uuid, person uuid, sees text) returns void language plpgsql as $$
begin
  set local citus.propagate_set_commands = 'local';
  execute format('set local lead_engine.account = %L', coalesce(account::text, ''));
  execute format('set local lead_engine.person = %L', coalesce(person::text, ''));
  execute format('set local lead_engine.sees = %L', coalesce(sees, ''));
end
$$`

/** Adds the foreign keys again that refer to tables of the directory, or the others. */
export async function addForeignKeys(tx: TransactionSql, { toDirectory }: { toDirectory: boolean }): Promise<void> {
  const keys = await tx<{ undo: string }[]>`
    select undo from unfinished_distribution
    where refers_to is not null and (refers_to = any (${[...directoryTables]})) = ${toDirectory}`
  for (const { undo } of keys) await tx.unsafe(undo)
}

/** Deletes the rows whose lead or delivery was deleted while there was no foreign key that did it. */
export async function deleteOrphans(tx: TransactionSql): Promise<void> {
  const rows = await tx<{ orphans: string }[]>`
    select orphans from unfinished_distribution where orphans is not null`
  for (const { orphans } of rows) await tx.unsafe(orphans)
}

/** Makes the foreign keys and policies again that an interrupted distribution removed. */
export async function undoDistribution(sql: Sql): Promise<void> {
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'unfinished_distribution'`
  if (!table) return
  await sql.begin(async (tx) => {
    await deleteOrphans(tx)
    const steps = await tx<{ undo: string }[]>`select undo from unfinished_distribution`
    for (const { undo } of steps) await tx.unsafe(undo)
    await forgetDistribution(tx)
  })
}

export async function forgetDistribution(tx: TransactionSql): Promise<void> {
  await tx`drop table if exists unfinished_distribution`
}

/** Returns the statements of the schema as this database allows them: place-tables.ts says why. */
export async function adaptStatements(tx: TransactionSql, statements: string[]): Promise<string[]> {
  if (!(await hasCitus(tx))) return statements
  const isPlaced = await isDistributed(tx)
  return statements.map((text) => {
    if (text.startsWith('create policy')) return withoutSubSelects(text)
    if (!isPlaced) return text
    return text.startsWith('create or replace function act_as(')
      ? sendingActAs
      : text.replace(' security definer ', ' security invoker ')
  })
}

/** Policies without sub-selects, in a migration or as PostgreSQL writes them: Citus allows none. */
export function withoutSubSelects(statement: string): string {
  return statement
    .replaceAll(/(\w+) in \( ?select acting_people\(\)( as \w+)?\)/gi, 'acting_for($1)')
    .replaceAll(/\( ?select (acting_\w+\(\))( as \w+)?\)/gi, '$1')
}

function policies(tx: TransactionSql) {
  return tx<{ named: string; condition: string }[]>`
    select format('%I on %I', policyname, tablename) as named, qual as condition from pg_policies
    where schemaname = 'public' and qual is not null`
}

function foreignKeys(tx: TransactionSql, tables: string[]) {
  return tx<{ remove: string; refers_to: string; undo: string; orphans: string | null }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
      confrelid::regclass::text as refers_to,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as undo,
      case when confdeltype = 'c' then format(
        'delete from %s child where not (%s is null) and not exists (select from %s where (%s) = (%s))',
        conrelid::regclass, columns.last, confrelid::regclass, columns.parent, columns.child) end as orphans
    from pg_constraint, lateral (
      select string_agg(format('%I', of_parent.attname), ', ' order by at) as parent,
        string_agg(format('child.%I', of_child.attname), ', ' order by at) as child,
        (array_agg(format('child.%I', of_child.attname) order by at desc))[1] as last
      from unnest(conkey, confkey) with ordinality as pair (here, there, at)
      join pg_attribute of_child on of_child.attrelid = conrelid and of_child.attnum = here
      join pg_attribute of_parent on of_parent.attrelid = confrelid and of_parent.attnum = there
    ) columns
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid::regclass::text = any (${tables}::text[])`
}
