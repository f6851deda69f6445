import { type Unwritable, unwritableBy } from './errors.ts'
import { repeat } from './repeat.ts'
import type { Sql } from './sql.ts'

/** Whether the database accepts writes. One that does not still answers, and serves reads. */
export interface Writes {
  /** Why it accepts none, or null. */
  readonly unwritable: Unwritable | null
  /** Notices the error of a statement. */
  note(error: unknown): void
  close(): Promise<void>
}

interface Surroundings {
  /** Connections that are open for long. */
  directory: Sql
  /** Opens a pool of one connection. */
  openNew(): Sql
  /** Replaces the connections for requests. */
  renew(): void
  watch: { readonly away: boolean }
  log(message: string): void
}

/** In milliseconds. */
const checkEvery = 1000

/** How much must be free on the disk before writes are accepted again, as rows of about 32 bytes. */
const rowsThatMustFit = 40_000

/**
 * Checks each second whether transactions are read-only, which costs no write. That the disk is full is known when a statement fails.
 * Until writes are accepted again, each check is made on a new connection, because those from before keep the settings that they were
 * opened with; then they are replaced.
 */
export function watchWrites({ directory, openNew, renew, watch, log }: Surroundings): Writes {
  let unwritable: Unwritable | null = null
  let closed = false

  function set(found: Unwritable | null) {
    if (found === unwritable || closed) return
    unwritable = found
    log(found ? `The database accepts no writes: ${reasons[found]}.` : 'The database accepts writes again.')
    if (!found) renew()
  }

  async function checkOnNew() {
    const sql = openNew()
    try {
      set(await findUnwritable(sql))
    } finally {
      await sql.end({ timeout: 0 })
    }
  }

  async function check() {
    try {
      if (unwritable) await checkOnNew()
      else if (await isReadOnly(directory)) set('read_only')
    } catch (error) {
      // Otherwise it is as before.
      const found = unwritableBy(error)
      if (!found) throw error
      set(found)
    }
  }

  const report = (error: unknown) => log(`Whether the database accepts writes is unknown: ${(error as Error).message}`)

  const checking = repeat(check, { every: checkEvery, watch, onError: report })

  return {
    get unwritable() {
      return unwritable
    },
    note: (error) => set(unwritableBy(error) ?? unwritable),
    close: async () => {
      closed = true
      await checking.stop()
    },
  }
}

const reasons = { read_only: 'its transactions are read-only', disk_full: 'its disk is full' } satisfies Record<
  Unwritable,
  string
>

async function isReadOnly(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ read_only: boolean }[]>`
    select current_setting('default_transaction_read_only')::boolean or pg_is_in_recovery() as read_only`
  return row!.read_only
}

/** Returns why the database accepts no writes. Fills a temporary file on its disk, which leaves nothing. */
export async function findUnwritable(sql: Sql): Promise<Unwritable | null> {
  if (await isReadOnly(sql)) return 'read_only'
  try {
    await sql.begin(async (tx) => {
      await tx`set local work_mem = '64kB'`
      await tx`select count(*) from generate_series(1, ${rowsThatMustFit}::int)`
    })
    return null
  } catch (error) {
    const found = unwritableBy(error)
    if (found) return found
    throw error
  }
}
