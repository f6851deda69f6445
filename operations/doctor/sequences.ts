import type { Sql } from '../../server/platform/database/sql.ts'
import { type Check, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { cannotReadAll, maxReadSeconds, maxStatementSeconds, named, notRead, readEach } from './whole-tables.ts'

/** Compares each sequence with the ids of its rows: one that is behind gives ids that exist, so that nothing can be saved. */
export const sequences = (installation: Installation): Check => ({
  name: 'sequences',
  seconds: maxReadSeconds + maxStatementSeconds,
  async run() {
    const cannot = await cannotReadAll(installation)
    if (cannot) return cannot
    const sql = installation.sql.get()
    const { found, unread } = await readEach(
      sql,
      await listSequences(sql),
      async (tx, { name, table, column, sequence }) => {
        const [row] = await tx.unsafe<{ last: string; next: string }[]>(
          `select coalesce(max(${column}), 0)::text as last,
          (select case when is_called then last_value + 1 else last_value end from ${sequence})::text as next from only ${table}`,
        )
        const { last, next } = row!
        return BigInt(next) <= BigInt(last) ? { name, sequence, last, next } : null
      },
    )
    if (found.length === 0) return fine(`Every sequence is ahead of its rows.${notRead(unread)}`)
    const wrong = `${named(found.map(({ name, last, next }) => `The next id of ${name} is ${next}, and rows have ids up to ${last}`))}: new rows collide.`
    const fixes = found.map(({ sequence, last }) => `select setval('${sequence}', ${last})`)
    if (installation.repair !== 'everything')
      return problem(wrong, `Run lead-engine doctor --repair, or as the owner of the database: ${named(fixes)}.`)
    for (const fix of fixes) await sql.unsafe(fix)
    return fine(`${wrong} Repaired.`)
  },
})

const listSequences = (sql: Sql) => sql<{ name: string; table: string; column: string; sequence: string }[]>`
  select format('%s.%I', attrelid::regclass, attname) as name, attrelid::regclass::text as table, quote_ident(attname) as column,
    pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attidentity <> '' and not attisdropped order by relpages`
