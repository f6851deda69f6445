import {
  listed,
  recordMigrations,
  type SchemaState,
  schemaProblem,
  schemaState,
} from '../../server/platform/database/migrate.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { findUnfinishedRestore, interrupted } from '../../server/platform/database/unfinished-restore.ts'
import { type Check, type Finding, fine, problem, problemIn } from './check.ts'
import type { Installation } from './installation.ts'
import { compareSchema, mayCompare } from './structure.ts'

export const schema = (installation: Installation): Check => ({
  name: 'schema',
  async run() {
    const connected = installation.sql.get()
    if (!(await mayRead(connected))) {
      return problem(
        'The user in DATABASE_URL may not read the tables.',
        'Set DATABASE_URL to the sign-in of the owner of the tables.',
      )
    }
    const state = await schemaState(connected)
    if (state.is === 'empty') return emptyDatabase(connected)
    if (state.is === 'older' && (await isAsMade(installation))) return lostRows(installation, state)
    const wrong = state.is === 'current' ? null : schemaProblem(state)
    if (wrong) return state.is === 'newer' ? newer(installation, state, wrong) : problemIn(wrong.message)
    installation.isSchemaCurrent.set(true)
    if (state.unknown.length > 0) return newerButCompatible(state)
    if (state.texts.length > 0) return differentTexts(state)
    installation.isSchemaOurs.set(true)
    return fine('The schema is current.')
  },
})

async function emptyDatabase(connected: Sql): Promise<Finding> {
  const restore = await findUnfinishedRestore(connected)
  if (restore) return problem(`${interrupted(restore)}, and the database is empty.`, 'Restore it again.')
  return problem(
    'The database has no Lead Engine tables.',
    "Start the service, which creates them, or set DATABASE_URL to the service's database.",
  )
}

/** Whether all that the migrations make is there, whatever the table of migrations says. False if doctor cannot know. */
async function isAsMade(installation: Installation): Promise<boolean> {
  if (!(await mayCompare(installation))) return false
  return (await compareSchema(installation))?.differences.length === 0
}

async function lostRows(installation: Installation, { files }: SchemaState): Promise<Finding> {
  const message = `The table migrations does not list ${listed(files)}, and what they make is there`
  if (installation.repair !== 'everything')
    return problem(`${message}: its rows were lost.`, 'Run lead-engine doctor --repair, which adds the rows again.')
  await recordMigrations(installation.sql.get(), files)
  installation.isSchemaCurrent.set(true)
  installation.isSchemaOurs.set(true)
  return fine(`${message}: its rows are added again.`)
}

/** A newer version may have changed rows only. */
async function newer(installation: Installation, { files }: SchemaState, wrong: Error): Promise<Finding> {
  const finding = problemIn(wrong.message)
  if (!(await isAsMade(installation))) return finding
  return problem(
    `${finding.message} Its tables are those of this program.`,
    `Use the newer program. If none was ever started here, delete the row as the owner of the tables: ${deletionOf(files)}.`,
  )
}

const differentTexts = ({ texts }: SchemaState) =>
  problem(
    `Another version applied its functions and policies (${listed(texts)}).`,
    'Restart the service, which applies those of this program, or run lead-engine migrate.',
  )

const newerButCompatible = ({ unknown }: SchemaState) =>
  fine(
    `The schema is newer than this program (it has ${listed(unknown)}), and this program can use it.`,
    `Use the newer program. If none was ever started here, delete the row as the owner of the tables: ${deletionOf(unknown)}.`,
  )

const deletionOf = (files: string[]) =>
  `delete from migrations where file in (${files
    .slice(0, 5)
    .map((file) => `'${file.replaceAll("'", "''")}'`)
    .join(', ')})`

async function mayRead(sql: Sql): Promise<boolean> {
  const [row] = await sql`select bool_and(has_table_privilege('public.' || tablename, 'select')
      and has_schema_privilege('public', 'usage')) as may
    from pg_tables where schemaname = 'public' and tablename = 'migrations'`
  return row!.may !== false
}
