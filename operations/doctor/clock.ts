import { isDistributed } from '../../server/platform/database/cluster/placement.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/**
 * Compares this machine's clock with that of the database, and with the newest times in it: if they are in the future, a clock
 * was wrong.
 */
export const clock = ({ sql, owner, isSchemaCurrent }: Installation): Check => ({
  name: 'clock',
  async run() {
    const connected = sql.get()
    const before = Date.now()
    const [row] = await connected<{ now: Date }[]>`select clock_timestamp() as now`
    const here = (before + Date.now()) / 2
    const newest = isSchemaCurrent.orNull() && (await newestTime(connected, owner.orNull() !== null))
    return judgeClock({ here, database: row!.now.getTime(), newest })
  },
})

/** In milliseconds. */
interface Times {
  here: number
  database: number
  newest: number | null
}

const tolerated = 5000

export function judgeClock({ here, database, newest }: Times): Finding {
  const difference = here - database
  if (Math.abs(difference) > tolerated) {
    return problem(
      `The clock of this machine is ${seconds(difference)} ${difference > 0 ? 'ahead of' : 'behind'} that of the database.`,
      'Synchronize both clocks, with NTP. Two-factor codes and the times of leads depend on them.',
    )
  }
  if (newest !== null && newest - here > tolerated) {
    return problem(
      `The database has times that are ${seconds(newest - here)} in the future: the clock is wrong, or was when they were written.`,
      'Synchronize the clock, with NTP.',
    )
  }
  return fine('The clocks of this machine and of the database agree.')
}

/**
 * The newest migration, sign-in and delivery. Deliveries of all accounts are read only by the owner of the tables, and only if they
 * are on one machine.
 */
async function newestTime(sql: Sql, isOwner: boolean): Promise<number | null> {
  const [row] = await sql<{ newest: Date | null }[]>`
    select greatest((select max(applied_at) from migrations), (select max(at) from sign_ins)) as newest`
  const [delivery] =
    isOwner && !(await isDistributed(sql))
      ? await sql<{ newest: Date | null }[]>`
        select max(received_at) as newest from webhooks cross join lateral (
          select received_at from deliveries
          where account_id = webhooks.account_id and webhook_id = webhooks.id order by received_at desc limit 1
        ) newest`
      : []
  const times = [row, delivery].flatMap((one) => one?.newest?.getTime() ?? [])
  return times.length > 0 ? Math.max(...times) : null
}

function seconds(milliseconds: number): string {
  const whole = Math.round(Math.abs(milliseconds) / 1000)
  return whole >= 7200 ? `${Math.round(whole / 3600)} hours` : `${whole} seconds`
}
