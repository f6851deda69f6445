import type { Sql } from '../../server/platform/database/sql.ts'
import { type Check, type Finding, fine, named, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** In seconds. The service gives up waiting after two. */
const waitedAtLeast = 2
const lockedAtLeast = 5
const openAtLeast = 300

/** Looks for transactions that others wait for, or that stay open and keep vacuum from removing rows. */
export const locks = ({ sql }: Installation): Check => ({
  name: 'locks',
  async run() {
    const blocked = await findBlocking(sql.get())
    return blocked ?? fine('No transaction blocks others, or was left open.')
  },
})

interface Blocking {
  pid: number | null
  gid: string | null
  application: string
  username: string
  state: string
  since: Date | null
  query: string
  waiting: number
  tables: string[] | null
}

/** Returns what blocks the tables, with the statement that ends it, or null. */
export async function findBlocking(sql: Sql): Promise<Finding | null> {
  const found = await sql<Blocking[]>`
    with waits as (
      select pid, unnest(pg_blocking_pids(pid)) as by from pg_locks
      where not granted and waitstart < clock_timestamp() - make_interval(secs => ${waitedAtLeast}::int)
    ),
    held as (
      select pid, virtualtransaction, array_agg(distinct relation::regclass::text) filter (
        where mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      ) as tables
      from pg_locks join pg_class on pg_class.oid = relation
      where granted and relnamespace = 'public'::regnamespace and relkind = 'r'
        and database = (select oid from pg_database where datname = current_database())
      group by 1, 2
    )
    select pid, null as gid, coalesce(application_name, '') as application, coalesce(usename, '') as username,
      coalesce(state, '') as state, xact_start as since, left(coalesce(query, ''), 200) as query,
      (select count(*)::int from waits where by = pid) as waiting, tables
    from pg_stat_activity left join held using (pid)
    where datname = current_database() and pid <> pg_backend_pid() and pid not in (select waits.pid from waits) and (
      pid in (select by from waits)
      or tables <> '{}' and xact_start < clock_timestamp() - make_interval(secs => ${lockedAtLeast}::int)
      or state like 'idle in transaction%' and state_change < clock_timestamp() - make_interval(secs => ${openAtLeast}::int)
    )
    union all
    select null, gid, '', owner::text, 'prepared', prepared, '', (select count(*)::int from waits where by = 0), null
    from pg_prepared_xacts
    where database = current_database() and prepared < clock_timestamp() - make_interval(secs => ${lockedAtLeast}::int)
    order by waiting desc, since`
  if (found.length === 0) return null
  return problem(
    `${named(found.map(textOf))}.`,
    `Let it end, or end it as the owner of the database, which takes back what it has not committed: ${named(found.map(ending))}.`,
  )
}

function textOf({ pid, gid, application, username, state, since, query, waiting, tables }: Blocking): string {
  const who =
    pid === null
      ? `The prepared transaction ${gid}`
      : `Process ${pid} of PostgreSQL (${application || 'no application name'})`
  const what = [
    `of the role ${username}`,
    ...(since ? [`in a transaction since ${since.toISOString()}`] : []),
    ...(state && pid !== null ? [state] : []),
    ...(query ? [`last statement: ${query.replaceAll(/\s+/g, ' ').trim()}`] : []),
  ].join(', ')
  const harm = [
    ...(tables && tables.length > 0 ? [`locks ${tables.slice(0, 5).join(', ')}`] : []),
    ...(waiting > 0 ? [`makes ${waiting} others wait`] : []),
  ]
  return `${who} ${harm.length > 0 ? harm.join(' and ') : 'keeps a transaction open'}: ${what}`
}

const ending = ({ pid, gid }: Blocking) =>
  pid === null ? `rollback prepared '${gid!.replaceAll("'", "''")}'` : `select pg_terminate_backend(${pid})`
