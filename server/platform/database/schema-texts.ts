import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RoleNames } from './service-roles.ts'
import type { Sql, TransactionSql } from './sql.ts'
import { runStatements } from './statements.ts'

const folder = join(import.meta.dirname, 'schema')

/**
 * The functions and policies, by file: `functions/act_as.sql`. Their files have the current text and are applied again when it changes.
 * Functions come first, because policies call them.
 */
export const schemaTexts: ReadonlyMap<string, string> = new Map(
  globSync('{functions,policies}/*.sql', { cwd: folder })
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns the files whose text was not the last one applied to the database. */
export async function differingTexts(sql: Sql | TransactionSql): Promise<string[]> {
  const [table] = await sql`select from pg_class where oid = to_regclass('public.schema_texts')
    and has_table_privilege(oid, 'select')`
  const rows = table ? await sql<{ file: string; hash: string }[]>`select file, hash from schema_texts` : []
  const applied = new Map(rows.map(({ file, hash }) => [file, hash]))
  return [...schemaTexts].filter(([file, text]) => applied.get(file) !== hashOf(text)).map(([file]) => file)
}

/** Applies the files that differ. Returns whether there were any. */
export async function applyTexts(tx: TransactionSql, names: RoleNames): Promise<boolean> {
  const files = await differingTexts(tx)
  for (const file of files) await applyText(tx, file, names)
  return files.length > 0
}

export async function applyText(tx: TransactionSql, file: string, names: RoleNames): Promise<void> {
  const text = schemaTexts.get(file)!
  await runStatements(tx, text, names)
  await tx`insert into schema_texts ${tx({ file, hash: hashOf(text) })} on conflict (file) do update set hash = excluded.hash`
}
