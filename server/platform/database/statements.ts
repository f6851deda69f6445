import { adaptStatements } from './cluster/unfinished-distribution.ts'
import { type RoleNames, withRoleNames } from './service-roles.ts'
import type { TransactionSql } from './sql.ts'

/** Runs the statements of a file of the schema, one at a time: docs/reference/sql.md. */
export async function runStatements(tx: TransactionSql, text: string, names: RoleNames): Promise<void> {
  await tx`set local lock_timeout = '2s'`
  for (const statement of await adaptStatements(tx, splitStatements(text)))
    await tx.unsafe(withRoleNames(statement, names))
}

/** Splits at semicolons, except in a $$ body, a quoted string or a comment. */
export function splitStatements(text: string): string[] {
  const tokens = text.match(/--[^\n]*|\$\$[\s\S]*?\$\$|'(?:[^']|'')*'|;|[^;$'-]+|[\s\S]/g) ?? []
  const statements = ['']
  for (const token of tokens) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--')) statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}
