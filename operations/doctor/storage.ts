import { isDistributed } from '../../server/platform/database/cluster/placement.ts'
import { isCanceled } from '../../server/platform/database/errors.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { type Check, errorMessage, type Finding, fine, problem } from './check.ts'
import { amount } from './disk-space.ts'
import type { Installation } from './installation.ts'

/** How long it reads, in seconds. */
const maxReadSeconds = 30

/** Pages that one statement reads: 64 MiB. */
const pagesAtOnce = 8192

/** Reads the pages of all tables, which PostgreSQL compares with their checksums, until the time is over. */
export const storage = (installation: Installation): Check => ({
  name: 'storage',
  seconds: maxReadSeconds + 60,
  async run() {
    const sql = installation.sql.get()
    installation.isSchemaCurrent.get()
    if (await isDistributed(sql)) return fine('Not read: the tables are on the machines of a cluster.')
    const { bytes, isWhole, damage } = await readTables(sql, performance.now() + maxReadSeconds * 1000)
    if (damage) return damagedFiles(installation, damage)
    const [server] = await sql<{ checksums: boolean }[]>`select current_setting('data_checksums')::boolean as checksums`
    const read = isWhole
      ? `All tables were read, ${amount(bytes)}.`
      : `${amount(bytes)} of the tables were read in ${maxReadSeconds} seconds, the small ones first.`
    if (server!.checksums) return fine(`${read} No page is damaged.`)
    return fine(
      `${read} PostgreSQL has no data checksums, so it notices little of a damaged disk.`,
      'Turn them on while PostgreSQL is stopped: pg_checksums --enable.',
    )
  },
})

interface Read {
  bytes: number
  isWhole: boolean
  /** What PostgreSQL cannot read, and of which table. */
  damage: { table: string; reason: string } | null
}

/** Tables that this role may not read are left out: the roles of the service read fewer than the owner. */
async function readTables(sql: Sql, end: number): Promise<Read> {
  const tables = await sql<{ name: string; shown: string; pages: number }[]>`
    select pg_class.oid::regclass::text as name, coalesce(whole.relname, pg_class.relname) as shown,
      (pg_relation_size(pg_class.oid) / current_setting('block_size')::int)::int as pages
    from pg_class
    left join pg_class as whole on whole.reltoastrelid = pg_class.oid
    where coalesce(whole.relnamespace, pg_class.relnamespace) in ('public'::regnamespace, 'pg_catalog'::regnamespace)
      and pg_class.relkind in ('r', 't')
      and has_schema_privilege(pg_class.relnamespace, 'usage') and has_table_privilege(pg_class.oid, 'select')
    order by pages`
  const read: Read = { bytes: 0, isWhole: true, damage: null }
  for (const { name, shown, pages } of tables) {
    for (let from = 0; from < pages; from += pagesAtOnce) {
      if (performance.now() > end) return { ...read, isWhole: false }
      try {
        const until = Math.min(pages, from + pagesAtOnce)
        await readPages(sql, name, from, until)
        read.bytes += (until - from) * 8192
      } catch (error) {
        const { code } = error as { code?: string }
        if (isCanceled(error)) return { ...read, isWhole: false }
        if (!/^XX00[12]$|^58/.test(code ?? '')) throw error
        return { ...read, damage: { table: shown, reason: errorMessage(error) } }
      }
    }
  }
  return read
}

const readPages = (sql: Sql, table: string, from: number, until: number) =>
  sql.begin('read only', async (tx) => {
    await tx`set local statement_timeout = '20s'`
    await tx.unsafe(`select count(*) from only ${table} where ctid >= '(${from},0)' and ctid < '(${until},0)'`)
  })

async function damagedFiles(
  installation: Installation,
  { table, reason }: NonNullable<Read['damage']>,
): Promise<Finding> {
  return problem(`A file of the table ${table} is damaged: ${reason}.`, await restoring(installation))
}

export async function restoring({ dataDir, restoreAdvice }: Installation): Promise<string> {
  const folder = dataDir.orNull()
  const restore = folder === null ? await restoreAdvice.ofDatabase() : await restoreAdvice.ofFolder(folder)
  return `${restore} Check the disk.`
}
