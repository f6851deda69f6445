import { always, timeLimits } from '../../server/platform/database/connect.ts'
import { roleNames } from '../../server/platform/database/service-roles.ts'
import { quoted, type Sql } from '../../server/platform/database/sql.ts'
import { type Check, errorMessage, fine, named, problem, repairOrRun } from './check.ts'
import type { Installation } from './installation.ts'

/** What a setting does to the service. */
interface Fault {
  text: string
  /** The statement that takes it back; null if it is in a file. */
  reset: string | null
  fix: string
}

/** Compares the settings of the database, its roles, server and tables with those that the service needs. */
export const settings = (installation: Installation): Check => ({
  name: 'settings',
  async run() {
    const sql = installation.sql.get()
    const [{ may }] =
      (await sql`select coalesce(has_table_privilege(to_regclass('public.service_roles'), 'select'), false)
      as may`) as unknown as [{ may: boolean }]
    const names = may ? await roleNames(sql, installation.settings.get().given) : null
    const roles = [...(names ? [names.app, names.directory] : [])]
    const faults = [
      ...(await ofRoles(sql, roles)),
      ...(await ofServer(sql)),
      ...(await waiting(sql)),
      ...(await ofTables(sql)),
    ]
    if (faults.length === 0) return fine('No setting of the database changes what the service does.')
    const text = `${named(faults.map((fault) => fault.text))}.`
    const failed = installation.repair === 'everything' ? await resetAll(sql, faults) : faults
    if (failed.length === 0) {
      const reset = named(faults.map(({ fix }) => fix))
      return fine(`${text} Repaired: ${reset}. Restart the service, whose connections keep the former values.`)
    }
    const statements = failed.map(({ fix }) => fix)
    return problem(
      text,
      failed.some(({ reset }) => reset)
        ? `${repairOrRun(statements)} Then restart the service.`
        : `${named(statements)}.`,
    )
  },
})

/** Returns those that could not be reset. */
async function resetAll(sql: Sql, faults: Fault[]): Promise<Fault[]> {
  const failed: Fault[] = []
  for (const fault of faults) {
    try {
      if (!fault.reset) throw new Error('it is in a file')
      for (const statement of fault.reset.split('; ')) await sql.unsafe(statement)
    } catch (error) {
      failed.push({ ...fault, reset: null, fix: `${fault.fix} (${errorMessage(error)})` })
    }
  }
  return failed
}

/** Memory, costs and logs are the operator's; the check `writes` has its own. */
const harmless =
  /^(log_|auto_explain\.|pg_stat|track_|citus\.|default_transaction_read_only$|application_name$|\w*work_mem$|temp_buffers$|\w*_cost$|effective_|max_parallel_|client_min_messages$|random_page)/

interface RoleSetting {
  role: string | null
  ofDatabase: boolean
  name: string
  value: string
}

/** ALTER ROLE and ALTER DATABASE. What the service sets for its own connections does not reach those of PgBouncer and psql. */
async function ofRoles(sql: Sql, roles: string[]): Promise<Fault[]> {
  const [{ database, owner }] = (await sql`
    select current_database() as database, session_user as owner`) as unknown as [{ database: string; owner: string }]
  const set = await sql<RoleSetting[]>`
    select rolname as role, setdatabase <> 0 as "ofDatabase", split_part(entry, '=', 1) as name,
      substr(entry, strpos(entry, '=') + 1) as value
    from pg_db_role_setting left join pg_roles on pg_roles.oid = setrole, unnest(setconfig) as entry
    where setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and (setrole = 0 or rolname = any (${[...roles, owner]}::text[]))
    order by 3, 1`
  return set
    .filter(({ name, value }) => !harmless.test(name) && !isOurs(name, value))
    .map(({ role, ofDatabase, name, value }) => {
      const whose = role ? `role ${quoted(role)}${ofDatabase ? ` in database ${quoted(database)}` : ''}` : null
      const reset = `alter ${whose ?? (ofDatabase ? `database ${quoted(database)}` : 'role all')} reset ${name}`
      const of = whose ?? (ofDatabase ? `the database ${database}` : 'all roles')
      return { text: `${name} is "${value}" for ${of}`, reset, fix: reset }
    })
}

const ours = new Map(
  Object.entries({ ...always, ...timeLimits, plan_cache_mode: 'force_generic_plan' }).map(([name, value]) => [
    name,
    String(value),
  ]),
)

/** Whether the service sets the same when it connects: PgBouncer cannot pass it on (docs/deploying.md). */
export function isOurs(name: string, value: string): boolean {
  const ms = /^(\d+) ?(ms|s|min)?$/.exec(value)
  const units = { ms: 1, s: 1000, min: 60_000 }
  const comparable = ms ? String(Number(ms[1]) * units[(ms[2] ?? 'ms') as keyof typeof units]) : value.toLowerCase()
  return ours.get(name)?.toLowerCase() === comparable
}

/** What each does to the data, and when. */
const ofTheServer: Record<string, { is: string[]; harm: string }> = {
  autovacuum: { is: ['off'], harm: 'tables grow with each change, and at last PostgreSQL accepts no more of them' },
  track_counts: { is: ['off'], harm: 'autovacuum does not know which tables have changed' },
  fsync: { is: ['off'], harm: 'a power failure damages the database' },
  full_page_writes: { is: ['off'], harm: 'a power failure damages the database' },
  synchronous_commit: { is: ['off'], harm: 'a crash loses changes that were saved' },
  zero_damaged_pages: { is: ['on'], harm: 'damaged pages are emptied without an error' },
  ignore_checksum_failure: { is: ['on'], harm: 'damaged pages are read without an error' },
  ignore_system_indexes: { is: ['on'], harm: 'every statement is slow' },
  session_replication_role: { is: ['replica', 'local'], harm: 'foreign keys are not checked' },
  log_statement: {
    is: ['all', 'mod'],
    harm: 'the log of PostgreSQL has names, phones and emails, also of deleted leads, so empty it after this',
  },
  log_min_duration_statement: {
    is: ['0'],
    harm: 'the log of PostgreSQL has names, phones and emails, also of deleted leads, so empty it after this',
  },
  default_transaction_isolation: {
    is: ['repeatable read', 'serializable'],
    harm: 'changes at the same time fail',
  },
}

interface ServerSetting {
  name: string
  value: string
  file: string | null
  line: number | null
  needsRestart: boolean
}

async function ofServer(sql: Sql): Promise<Fault[]> {
  const set = await sql<ServerSetting[]>`
    select name, setting as value, sourcefile as file, sourceline as line, context = 'postmaster' as "needsRestart"
    from pg_settings
    where source = 'configuration file'
      and (name = any (${Object.keys(ofTheServer)}::text[]) or name like 'enable\_%' and boot_val = 'on' and setting = 'off')`
  return set
    .filter(({ name, value }) => ofTheServer[name]?.is.includes(value) ?? true)
    .map(({ name, value, file, line, needsRestart }) => {
      const text = `${name} is ${value} for the whole server: ${ofTheServer[name]?.harm ?? 'lists are slow'}`
      const reload = needsRestart ? ', and restart PostgreSQL' : '; select pg_reload_conf()'
      if (file?.endsWith('postgresql.auto.conf')) {
        const reset = `alter system reset ${name}`
        return { text, reset: needsRestart ? null : `${reset}${reload}`, fix: `${reset}${reload}` }
      }
      const where = file ? `line ${line} of ${file}` : 'postgresql.conf'
      return {
        text,
        reset: null,
        fix: `Remove ${name} from ${where}${needsRestart ? reload : ', and run: select pg_reload_conf()'}`,
      }
    })
}

/** What a file of PostgreSQL sets for its next start, which may fail then. Only some roles may read it. */
async function waiting(sql: Sql): Promise<Fault[]> {
  const [{ may }] = (await sql`
    select has_function_privilege('pg_show_all_file_settings()', 'execute') as may`) as unknown as [{ may: boolean }]
  if (!may) return []
  const set = await sql<{ name: string; value: string; file: string; line: number; error: string | null }[]>`
    select distinct on (name) name, pg_file_settings.setting as value, pg_file_settings.sourcefile as file,
      pg_file_settings.sourceline as line, error
    from pg_file_settings left join pg_settings using (name)
    where name is not null and coalesce(source, '') <> 'command line' and (pending_restart or error is not null)
    order by name, seqno desc`
  return set.map(({ name, value, file, line, error }) => {
    const text = `${name} = ${value} in ${file} takes effect when PostgreSQL starts again, and may prevent that${error ? ` (${error})` : ''}`
    const reset = file.endsWith('postgresql.auto.conf')
      ? `alter system reset ${quoted(name)}; select pg_reload_conf()`
      : null
    return { text, reset, fix: reset ?? `Remove line ${line} of ${file}, or restart PostgreSQL now` }
  })
}

async function ofTables(sql: Sql): Promise<Fault[]> {
  const tables = await sql<{ name: string; options: string[]; isUnlogged: boolean }[]>`
    select oid::regclass::text as name, relpersistence = 'u' as "isUnlogged", array(
      select split_part(option, '=', 1) from (
        select unnest(reloptions) as option
        union all select 'toast.' || unnest(reloptions) from pg_class toast where toast.oid = pg_class.reltoastrelid
      ) options where option ~ 'autovacuum_enabled=(false|off|no|0)'
    ) as options
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  return tables.flatMap(({ name, options, isUnlogged }) => {
    const logged = `alter table ${name} set logged`
    const reset = `alter table ${name} reset (${options.join(', ')})`
    return [
      ...(options.length > 0
        ? [{ text: `autovacuum is off for ${name}: it grows with each change`, reset, fix: reset }]
        : []),
      ...(isUnlogged ? [{ text: `${name} is unlogged: a crash empties it`, reset: logged, fix: logged }] : []),
    ]
  })
}
