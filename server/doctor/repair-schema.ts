import { isLockTimeout } from '../database/errors.ts'
import { withoutLongWaits } from '../database/migrate.ts'
import { schemaTexts } from '../database/schema-texts.ts'
import { type RoleNames, withRoleNames } from '../database/service-roles.ts'
import type { Sql } from '../database/sql.ts'
import { splitStatements } from '../database/statements.ts'
import { type Difference, expectedSchema, privilegesOf } from './schema-differences.ts'

/**
 * Returns the statements that make what the migrations make, each of them on one line except for functions. Null if rows or values were
 * lost with it, which only a backup has.
 */
export function statementsFor(difference: Difference, roles: RoleNames): string[] | null {
  return statements(difference)?.map((statement) => withRoleNames(statement, roles)) ?? null
}

function statements({ kind, of, name, expected, found }: Difference): string[] | null {
  switch (kind) {
    case 'table':
      return found === null
        ? null
        : [`alter table ${of} enable row level security`, `alter table ${of} no force row level security`]
    case 'column':
      return columnStatements(of, name, expected!, found)
    case 'constraint':
      return [
        ...(found === null ? [] : [`alter table ${of} drop constraint ${name}`]),
        ...deletionOfOrphans(of, expected!),
        `alter table ${of} add constraint ${name} ${expected}`,
      ]
    case 'index':
      return [
        ...(found === null ? [] : [`drop index concurrently ${name}`]),
        expected!.replace(/^(CREATE (?:UNIQUE )?INDEX) /, '$1 CONCURRENTLY '),
      ]
    case 'triggers':
      return [`alter table ${of} enable trigger all`, ...foreignKeysOf(of).flatMap((key) => deletionOfOrphans(of, key))]
    case 'policy':
      return [
        ...(found === null ? [] : [`drop policy ${name} on ${of}`]),
        ...(expected === null ? [] : [`create policy ${name} on ${of} ${expected}`]),
      ]
    case 'function':
      return [
        creationOf(of.replace(/\(.*/, ''), expected!),
        ...(expectedSchema.has(`execute ${of} public`) ? [] : [`revoke execute on function ${of} from public`]),
      ]
    case 'view':
      return [`create or replace view ${of} ${expected}`]
    case 'grant':
    case 'execute': {
      const on = kind === 'execute' ? `function ${of}` : of
      const { lacks, excess } = privilegesOf(expected, found)
      return [
        ...(lacks.length > 0 ? [`grant ${lacks.join(', ')} on ${on} to ${name}`] : []),
        ...(excess.length > 0 ? [`revoke ${excess.join(', ')} on ${on} from ${name}`] : []),
      ]
    }
    default:
      return null
  }
}

/** Values of a column are lost with it, and those of another type may be. A generated column has none of its own. */
function columnStatements(table: string, name: string, expected: string, found: string | null): string[] | null {
  if (found === null)
    return / generated always as \(/.test(expected) ? [`alter table ${table} add column ${name} ${expected}`] : null
  const [wanted, is] = [columnParts(expected), columnParts(found)]
  if (wanted.type !== is.type) return null
  const alter = `alter table ${table} alter column ${name}`
  return [
    ...(wanted.default === is.default
      ? []
      : [`${alter} ${wanted.default ? `set default ${wanted.default}` : 'drop default'}`]),
    ...(wanted.notNull === is.notNull ? [] : [`${alter} ${wanted.notNull ? 'set' : 'drop'} not null`]),
  ]
}

function columnParts(definition: string) {
  const [, type, value, notNull] = /^(.*?)(?: default (.*?))?( not null)?$/.exec(definition)!
  return { type, default: value, notNull: notNull !== undefined }
}

const foreignKeysOf = (table: string) =>
  [...expectedSchema].flatMap(([object, definition]) => (object.startsWith(`constraint ${table}.`) ? definition : []))

/** The rows that a foreign key would have deleted together with the row that they belong to. */
function deletionOfOrphans(table: string, definition: string): string[] {
  const [, columns, parent, keys] =
    /^FOREIGN KEY \((.*)\) REFERENCES (\w+)\((.*)\) ON DELETE CASCADE/.exec(definition) ?? []
  if (!columns || !keys) return []
  const pairs = keys.split(', ').map((key, at) => [`parent.${key}`, `child.${columns.split(', ')[at]}`])
  const same = pairs.map(([of, to]) => `${of} = ${to}`).join(' and ')
  const isSet = pairs.map(([, to]) => `${to} is not null`).join(' and ')
  return [`delete from ${table} child where ${isSet} and not exists (select from ${parent} parent where ${same})`]
}

/** The statement that makes the function. On a cluster it does not run as the owner. */
function creationOf(name: string, expected: string): string {
  const statements = splitStatements(schemaTexts.get(`functions/${name}.sql`)!)
  const statement = statements.find((text) => text.startsWith('create or replace function'))!
  return expected.includes('security definer') ? statement : statement.replace(' security definer', '')
}

export interface Repaired {
  /** How many rows were deleted whose lead, delivery or account was deleted before. */
  orphans: number
  failures: { difference: Difference; error: Error }[]
}

/** Runs the statements of each difference in a transaction of its own, except for indexes, which are built while others write. */
export async function repairSchema(sql: Sql, differences: Difference[], roles: RoleNames): Promise<Repaired> {
  const repaired: Repaired = { orphans: 0, failures: [] }
  for (const difference of differences) {
    const texts = statementsFor(difference, roles)
    if (!texts) continue
    try {
      if (difference.kind === 'index') for (const text of texts) await sql.unsafe(text)
      else await withoutLongWaits(() => runTogether(sql, texts, repaired))
    } catch (error) {
      repaired.failures.push({
        difference,
        error: isLockTimeout(error) ? new Error('a table stayed locked') : (error as Error),
      })
    }
  }
  return repaired
}

async function runTogether(sql: Sql, texts: string[], repaired: Repaired): Promise<void> {
  let orphans = 0
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '2s'`
    for (const text of texts) {
      const { count } = await tx.unsafe(text)
      if (text.startsWith('delete ')) orphans += count
    }
  })
  repaired.orphans += orphans
}
