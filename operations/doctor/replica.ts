import { setTimeout as pause } from 'node:timers/promises'
import { openPool } from '../../server/platform/database/connect.ts'
import { listSignIns } from '../../server/platform/database/service-roles.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import { connectionProblem } from './database.ts'
import type { Installation } from './installation.ts'

const variable = 'DATABASE_READ_URL'
/** The service does not use a replica that is further behind. */
const maxSeconds = 10

/** Signs in as the service does, and waits until the replica has what the primary had at the start of the check. */
export const replica = (installation: Installation): Check => ({
  name: 'replica',
  seconds: 30,
  async run() {
    const { replica, given } = installation.settings.get()
    if (!replica) return fine(`${variable} is not set: everything is read from the primary.`)
    const primary = installation.database.get().directory
    const signIns = await listSignIns(installation.sql.get(), installation.owner.orNull(), given)
    const { username, password } = signIns!.app
    const opened = openPool({ ...replica, username, password }, { max: 1 })
    try {
      return await judgeReplica(primary, opened)
    } catch (error) {
      return connectionProblem(error, variable)
    } finally {
      await opened.end({ timeout: 1 })
    }
  },
})

async function judgeReplica(primary: Sql, replica: Sql): Promise<Finding> {
  const [recovery] = await replica`select pg_is_in_recovery() as follows`
  if (!recovery!.follows) {
    return problem(
      `${variable} leads to a server that is no replica.`,
      'Set it to a streaming replica of the database.',
    )
  }
  const [position] = await primary`select pg_current_wal_lsn()::text as lsn`
  for (let second = 0; second < maxSeconds; second += 0.5) {
    const [row] = await replica`select pg_last_wal_replay_lsn() >= ${position!.lsn}::pg_lsn as reached`
    if (row!.reached) return fine('The replica follows the database.')
    await pause(500)
  }
  return problem(
    `The replica is more than ${maxSeconds} seconds behind, so the service does not use it.`,
    'Its log, or pg_stat_wal_receiver, says whether it has lost the primary or is too slow.',
  )
}
