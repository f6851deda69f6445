import { type Check, fine, named, problem } from './check.ts'
import { amount } from './disk-space.ts'
import type { Installation } from './installation.ts'

/** Looks for what keeps the write-ahead log of PostgreSQL from being removed: it grows until the disk is full. */
export const writeAheadLog = ({ sql }: Installation): Check => ({
  name: 'write_ahead_log',
  async run() {
    const connected = sql.get()
    const [server] = await connected`select pg_is_in_recovery() as follows`
    if (server!.follows) return fine('Not checked: PostgreSQL is a replica.')
    // Those of the continuous backup are watched by it.
    const unused = await connected<{ name: string; held: string; kind: string }[]>`
      select slot_name::text as name, slot_type as kind, coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::text as held
      from pg_replication_slots where not active and not starts_with(slot_name, 'lead_engine_') order by 1`
    if (unused.length > 0) {
      return problem(
        `${named(unused.map(({ name, kind, held }) => `Nothing uses the ${kind} replication slot ${name}, which keeps ${amount(Number(held))} of the write-ahead log`))}. It grows until the disk is full.`,
        `Start what used it again, or as a superuser of PostgreSQL run: ${named(unused.map(({ name }) => `select pg_drop_replication_slot('${name}')`))}.`,
      )
    }
    const [archive] = await connected<{ file: string; since: Date }[]>`
      select last_failed_wal as file, last_failed_time as since from pg_stat_archiver
      where current_setting('archive_mode') <> 'off' and last_failed_time > coalesce(last_archived_time, '-infinity')`
    if (archive) {
      return problem(
        `PostgreSQL cannot archive its write-ahead log (${archive.file}, at ${archive.since.toISOString()}), which grows until the disk is full.`,
        'Correct archive_command: the log of PostgreSQL says why it fails. To archive no longer, run as a superuser: ' +
          'alter system set archive_mode = off, and restart PostgreSQL.',
      )
    }
    return fine('Nothing keeps the write-ahead log of PostgreSQL from being removed.')
  },
})
