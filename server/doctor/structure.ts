import { isDistributed } from '../database/cluster/placement.ts'
import { withoutSubSelects } from '../database/cluster/unfinished-distribution.ts'
import { readSchema, type SchemaObjects } from '../database/schema-objects.ts'
import { type RoleNames, roleNames } from '../database/service-roles.ts'
import { type Check, errorMessage, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { type Repaired, repairSchema, statementsFor } from './repair-schema.ts'
import { additions, type Difference, expectedSchema, schemaDifferences, textOf } from './schema-differences.ts'

const maxNamed = 10
const maxStatements = 5

/** Compares tables, columns, keys, policies, functions, indexes and rights with what the migrations make. */
export const structure = (installation: Installation): Check => ({
  name: 'structure',
  // A repair may build indexes.
  seconds: installation.repair === 'everything' ? 7200 : 30,
  async run() {
    installation.isSchemaOurs.get()
    const compared = await compareSchema(installation)
    if (!compared) {
      return problem(
        'The table service_roles does not name the roles of the service.',
        'Restart the service, which makes them again.',
      )
    }
    const { differences, found } = compared
    if (differences.length === 0) return inOrder(found)
    if (installation.repair === 'everything') return repair(installation, compared)
    return differ(installation, compared)
  },
})

interface Compared {
  found: SchemaObjects
  differences: Difference[]
  roles: RoleNames
}

/** Returns null if the roles of the service are not known. */
export async function compareSchema({ sql, settings }: Installation): Promise<Compared | null> {
  const connected = sql.get()
  const roles = await roleNames(connected, settings.get().given)
  if (!roles) return null
  const found = await readSchema(connected, roles)
  const isPlaced = await isDistributed(connected)
  return { found, differences: isPlaced ? placedDifferences(found) : schemaDifferences(found), roles }
}

/** On a cluster, no function runs as the owner, no policy has a sub-select, and one function is another (place-tables.ts). */
export const placedDifferences = (found: SchemaObjects) =>
  schemaDifferences(asPlaced(found), asPlaced(expectedSchema), { anyParentheses: true })

function asPlaced(objects: SchemaObjects): SchemaObjects {
  return new Map(
    [...objects]
      .filter(([object]) => !object.startsWith('function act_as('))
      .map(([object, definition]) => [
        object,
        object.startsWith('policy ')
          ? withoutSubSelects(definition)
          : object.startsWith('function ')
            ? definition.replace('security definer ', '')
            : definition,
      ]),
  )
}

function inOrder(found: SchemaObjects): Finding {
  const others = additions(found)
  return fine(
    'Tables, keys, policies, functions, indexes and rights are as the migrations make them.',
    others.length > 0 ? `Not made by Lead Engine: ${bounded(others, maxNamed)}.` : null,
  )
}

async function differ({ owner, restoreAdvice }: Installation, { differences, roles }: Compared): Promise<Finding> {
  const message = `The database is not as the migrations make it: ${named(differences, roles)}.`
  const lost = differences.filter((difference) => !statementsFor(difference, roles))
  if (lost.length > 0) {
    const statements = lost.map(withoutContent)
    const without = statements.every((one) => one !== null)
      ? ` To go on without the content instead, run as the owner of the tables: ${bounded(statements, maxStatements, '; ')}. Then run doctor --repair.`
      : ''
    return problem(message, `Only a backup has what was in there. ${await restoreAdvice.ofDatabase()}${without}`)
  }
  const statements = differences.flatMap((difference) => statementsFor(difference, roles) ?? []).map(briefly)
  const run = owner.orNull() ? 'Run' : 'Set DATABASE_URL to the owner of the tables, and run'
  return problem(
    message,
    `${run} lead-engine doctor --repair, which runs: ${bounded(statements, maxStatements, '; ')}.`,
  )
}

/** The statement that adds a lost column again, if rows may be without a value. */
const withoutContent = ({ kind, of, name, expected, found }: Difference) =>
  kind === 'column' && found === null && (/ default /.test(expected!) || !/ not null$/.test(expected!))
    ? `alter table ${of} add column ${name} ${expected}`
    : null

async function repair(installation: Installation, { differences, roles }: Compared): Promise<Finding> {
  installation.owner.get()
  const repaired = await repairSchema(installation.sql.get(), differences, roles)
  const left = await compareSchema(installation)
  const note = orphansText(repaired)
  if (!left || left.differences.length === 0) {
    return fine(`The database was not as the migrations make it, and is repaired: ${named(differences, roles)}.${note}`)
  }
  const { message, fix } = await differ(installation, left)
  const failed = repaired.failures.map(({ difference, error }) => failureText(difference, error, roles))
  if (failed.length === 0) return problem(`${message}${note}`, fix!)
  return problem(`${message}${note}`, bounded(failed, maxNamed, ' '))
}

const orphansText = ({ orphans }: Repaired) =>
  orphans > 0 ? ` ${orphans} rows were deleted that belonged to leads or other rows which no longer exist.` : ''

function failureText(
  difference: Difference,
  error: Error & { code?: string; detail?: string },
  roles: RoleNames,
): string {
  const subject = withRealNames(textOf(difference), roles).replace(/^./, (first) => first.toUpperCase())
  const reason = [errorMessage(error), error.detail?.replace(/\.$/, '')].filter(Boolean).join(': ')
  return `${subject} (${reason}). ${whatToDo(difference, error.code)}`
}

/** What keeps a statement from being run is in the rows, or in the rights of the owner. */
function whatToDo({ of, name }: Difference, code = ''): string {
  if (code === '23505' && of === 'leads') {
    return 'Two leads have the same contact: merge them in the web app under Duplicates, or change one of them, and repair again.'
  }
  if (code === '23505') return `Delete or change one of the rows of ${of} that are equal, and repair again.`
  if (code === '23502') return `Give each row of ${of} without ${name} a value, and repair again.`
  if (code.startsWith('23')) return `Correct the rows of ${of} that break ${name}, and repair again.`
  if (code === '42501') return `Run the statement as a superuser of PostgreSQL.`
  return 'Repair again when the cause is removed.'
}

const named = (differences: Difference[], roles: RoleNames) =>
  withRealNames(bounded(differences.map(textOf), maxNamed, '; '), roles)

/** Migrations name the roles of the service as all installations do. */
const withRealNames = (text: string, { app, directory }: RoleNames) =>
  text.replaceAll(/\blead_engine_(app|directory)\b/g, (_, kind) => (kind === 'app' ? app : directory))

function bounded(texts: string[], most: number, separator = ', '): string {
  const more = texts.length > most ? `${separator}and ${texts.length - most} more` : ''
  return texts.slice(0, most).join(separator) + more
}

function briefly(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
