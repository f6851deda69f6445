import { identityColumns } from '../../server/platform/database/our-objects.ts'
import { quoted } from '../../server/platform/database/sql.ts'
import { type Check, fine, named, problem, repairOrRun } from './check.ts'
import type { Installation } from './installation.ts'
import { notRead, readEach, wholeTables } from './whole-tables.ts'

/** Compares each sequence with the ids of its rows: one that is behind gives ids that exist, so that nothing can be saved. */
export const sequences = (installation: Installation): Check =>
  wholeTables(installation, {
    name: 'sequences',
    async run(sql) {
      const { found, unread } = await readEach(
        sql,
        (await identityColumns(sql)).map((one) => ({ ...one, name: `${one.table}.${one.column}` })),
        async (tx, { name, table, column, sequence }) => {
          const [row] = await tx.unsafe<{ last: string; next: string }[]>(
            `select coalesce(max(${quoted(column)}), 0)::text as last,
          (select case when is_called then last_value + 1 else last_value end from ${sequence})::text as next from only ${quoted(table)}`,
          )
          const { last, next } = row!
          return BigInt(next) <= BigInt(last) ? { name, sequence, last, next } : null
        },
      )
      if (found.length === 0) return fine(`Every sequence is ahead of its rows.${notRead(unread)}`)
      const wrong = `${named(found.map(({ name, last, next }) => `The next id of ${name} is ${next}, and rows have ids up to ${last}`))}: new rows collide.`
      const fixes = found.map(({ sequence, last }) => `select setval('${sequence}', ${last})`)
      if (installation.repair !== 'everything') return problem(wrong, repairOrRun(fixes))
      for (const fix of fixes) await sql.unsafe(fix)
      return fine(`${wrong} Repaired.`)
    },
  })
