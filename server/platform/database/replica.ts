import { setTimeout as pause } from 'node:timers/promises'
import { repeat } from './repeat.ts'
import type { Sql } from './sql.ts'

/** A streaming replica that is read from while it keeps up. */
export interface Replica {
  readonly isUsed: boolean
  /** How many seconds it is behind at most; null while that is unknown. */
  readonly lag: number | null
  /** A statement found it away: it is used again after the next check that succeeds. */
  setAway(): void
  close(): Promise<void>
}

interface Settings {
  primary: Sql
  replica: Sql
  /** Closes all connections to the replica. */
  drop(): void
  log(message: string): void
  /** In milliseconds. */
  now: () => number
}

/** In milliseconds. */
const checkEvery = 2000
const answerWithin = 2000
const maxLag = 10_000

/**
 * Checks every two seconds how far a replica is behind: it has all that the primary had when the primary was at the
 * position which the replica has reached by now. So an idle primary is no lag, and a replica that has lost the primary is.
 */
export function watchReplica({ primary, replica, drop, log, now }: Settings): Replica {
  /** Positions of the primary in its write-ahead log, the newest last. */
  let positions: { at: number; lsn: bigint }[] = []
  /** The replica has what the primary had then. */
  let upToDateAt: number | null = null
  let wasUsed: boolean | null = null

  const isUsed = () => upToDateAt !== null && now() - upToDateAt <= maxLag

  async function check() {
    const at = now()
    const [here, there] = await Promise.all([
      // The watch of the database says when the primary is away.
      within(primary`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as lsn`).catch(() => null),
      within(replica`select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as lsn where pg_is_in_recovery()`),
    ])
    if (!there[0]?.lsn) throw new Error('DATABASE_READ_URL leads to a server that is no replica')
    const reached = BigInt(there[0].lsn)
    if (here) positions.push({ at, lsn: BigInt(here[0]!.lsn) })
    upToDateAt = positions.findLast(({ lsn }) => lsn <= reached)?.at ?? upToDateAt
    positions = positions.filter((position) => at - position.at <= maxLag)
  }

  function say(problem: string | null) {
    if (isUsed() === wasUsed) return
    wasUsed = isUsed()
    log(
      wasUsed
        ? 'The replica is used for the overview and for exports.'
        : `The replica is not used (${problem ?? 'it is more than 10 seconds behind'}): everything is read from the primary.`,
    )
  }

  const checking = repeat(
    async (signal) => {
      try {
        await check()
        say(null)
      } catch (error) {
        upToDateAt = null
        if (error instanceof TooLate) drop()
        if (!signal.aborted) say((error as Error).message)
      }
    },
    { every: checkEvery, first: 0, onError: () => {} },
  )

  return {
    get isUsed() {
      return isUsed()
    },
    get lag() {
      return upToDateAt === null ? null : (now() - upToDateAt) / 1000
    },
    setAway() {
      upToDateAt = null
    },
    close: checking.stop,
  }
}

class TooLate extends Error {}

/** Fails if the statement is not answered in time. */
function within<T>(statement: Promise<T>): Promise<T> {
  const late = pause(answerWithin, undefined, { ref: false }).then(() => {
    throw new TooLate(`it did not answer within ${answerWithin / 1000} seconds`)
  })
  // The statement may still fail after that, and the other way around.
  statement.catch(() => {})
  late.catch(() => {})
  return Promise.race([statement, late])
}
