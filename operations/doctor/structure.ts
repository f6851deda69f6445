import { isDistributed } from '../../server/platform/database/cluster/placement.ts'
import { withoutSubSelects } from '../../server/platform/database/cluster/unfinished-distribution.ts'
import { expectedSchema, readSchema, type SchemaObjects } from '../../server/platform/database/schema-objects.ts'
import { type RoleNames, roleNames } from '../../server/platform/database/service-roles.ts'
import { type Check, fine, named, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { additions, type Difference, schemaDifferences, textOf } from './schema-differences.ts'

const maxNamed = 10

/** Compares tables, columns, keys, policies, functions, indexes and rights with what the migrations make. */
export const structure = (installation: Installation): Check => ({
  name: 'structure',
  seconds: 60,
  async run() {
    installation.isSchemaOurs.get()
    installation.isWritable.get()
    if (!(await mayCompare(installation))) {
      return fine(
        'Not compared: only an owner of the tables who may create a schema in the database can do that.',
        'Run doctor with DATABASE_URL set to the owner, after: grant create on database … to the owner.',
      )
    }
    const compared = await compareSchema(installation)
    if (!compared) {
      return problem(
        'The table service_roles does not name the roles of the service.',
        'Restart the service, which makes them again.',
      )
    }
    const { differences, others, roles } = compared
    if (differences.length === 0) {
      return fine(
        'Tables, keys, policies, functions, indexes and rights are as the migrations make them.',
        others.length > 0 ? `Not made by Lead Engine: ${named(others, { separator: ', ', max: maxNamed })}.` : null,
      )
    }
    const wrong = withRealNames(named(differences.map(textOf), { max: maxNamed }), roles)
    return problem(
      `The database is not as the migrations make it: ${wrong}.`,
      differences.every(isInvalidIndex)
        ? 'Run lead-engine doctor --repair, which makes it again.'
        : differences.some(losesData)
          ? `Only a backup has what was in there. ${await installation.restoreAdvice.ofDatabase()}`
          : 'Stop the service, save all data and restore it, which makes the tables again: lead-engine backup FILE && ' +
            'lead-engine restore FILE --yes. It sets rows that break a key aside in a file, and names it.',
    )
  },
})

/** The rows of a table are lost with it. Values are lost with a column, and may be when its type is another. */
function losesData({ kind, expected, found }: Difference): boolean {
  if (kind === 'table') return found === null
  const typeOf = (definition: string | null) => definition?.replace(/ (default|not null|generated) ?.*/, '')
  return kind === 'column' && typeOf(expected) !== typeOf(found)
}

/** The check indexes makes them again. */
const isInvalidIndex = ({ kind, found }: Difference) => kind === 'index' && found?.endsWith(' invalid') === true

/** Whether doctor has the sign-in of an owner who may create the tables to compare with. */
export async function mayCompare({ owner, sql }: Installation): Promise<boolean> {
  if (!owner.orNull()) return false
  const [row] = await sql.get()`select has_database_privilege(current_database(), 'create') as may`
  return row!.may
}

interface Compared {
  differences: Difference[]
  /** What others added to our tables. */
  others: string[]
  roles: RoleNames
}

/** Returns null if the roles of the service are not known. */
export async function compareSchema({ sql, settings }: Installation): Promise<Compared | null> {
  const connected = sql.get()
  const roles = await roleNames(connected, settings.get().given)
  if (!roles) return null
  const [found, wanted] = [await readSchema(connected, roles), await expectedSchema(connected, roles)]
  const differences = (await isDistributed(connected))
    ? placedDifferences(found, wanted)
    : schemaDifferences(found, wanted)
  return { differences, others: additions(found, wanted), roles }
}

/** On a cluster, no function runs as the owner, no policy has a sub-select, and one function is another (place-tables.ts). */
export const placedDifferences = (found: SchemaObjects, wanted: SchemaObjects) =>
  schemaDifferences(asPlaced(found), asPlaced(wanted), { anyParentheses: true })

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

/** Migrations name the roles of the service as all installations do. */
const withRealNames = (text: string, { app, directory }: RoleNames) =>
  text.replaceAll(/\blead_engine_(app|directory)\b/g, (_, kind) => (kind === 'app' ? app : directory))
