import { randomUUID } from 'node:crypto'
import { type Unwritable, unwritableBy } from '../../server/platform/database/errors.ts'
import { quoted, type Sql } from '../../server/platform/database/sql.ts'
import { findUnwritable } from '../../server/platform/database/watch-writes.ts'
import { type Check, type Finding, fine, problem, repairOrRun } from './check.ts'
import type { Installation } from './installation.ts'

/** Writes a row and takes it back. */
export const writes = ({ sql, isSchemaCurrent, isWritable, repair }: Installation): Check => ({
  name: 'writes',
  async run() {
    isSchemaCurrent.get()
    const connected = sql.get()
    const reason = (await findUnwritable(connected)) ?? (await tryToWrite(connected))
    if (reason === 'read_only') {
      const finding = await readOnly(connected, repair === 'everything')
      if (finding.ok) isWritable.set(true)
      return finding
    }
    if (reason === 'disk_full') {
      return problem(
        'The database accepts no writes: its disk is full.',
        'Free space on the disk of PostgreSQL, or enlarge it. The service then continues by itself.',
      )
    }
    isWritable.set(true)
    return fine('The database accepts writes.')
  },
})

async function readOnly(sql: Sql, repair: boolean): Promise<Finding> {
  const [row] = await sql<{ source: string; recovers: boolean; database: string; role: string }[]>`
    select source, pg_is_in_recovery() as recovers, current_database() as database, current_user as role
    from pg_settings where name = 'default_transaction_read_only'`
  const { source, recovers, database, role } = row!
  const message = 'The database accepts no writes: its transactions are read-only.'
  if (recovers) return problem(message, 'PostgreSQL is a replica: connect to the primary, or promote it.')
  const reset = {
    database: `alter database ${quoted(database)} reset default_transaction_read_only`,
    user: `alter role ${quoted(role)} reset default_transaction_read_only`,
    'database user': `alter role ${quoted(role)} in database ${quoted(database)} reset default_transaction_read_only`,
  }[source]
  if (!reset) {
    return problem(
      message,
      'Reset default_transaction_read_only: postgresql.conf or ALTER SYSTEM sets it for the whole server.',
    )
  }
  if (!repair) return problem(message, repairOrRun([reset]))
  await sql.begin('read write', (tx) => tx.unsafe(reset))
  // The connections of this run keep the former value.
  await sql`set default_transaction_read_only = off`
  return fine(`The database accepted no writes, and is repaired: ${reset}. Restart the service if it does not notice.`)
}

async function tryToWrite(sql: Sql): Promise<Unwritable | null> {
  const takenBack = new Error()
  try {
    await sql.begin(async (tx) => {
      await tx`insert into installation_secrets (name, value) values (${`doctor ${randomUUID()}`}, '')`
      throw takenBack
    })
  } catch (error) {
    const reason = unwritableBy(error)
    if (reason) return reason
    if (error !== takenBack) throw error
  }
  return null
}
