import type { Connection } from '../../server/platform/database/connect.ts'
import { isOwnSession, sharedSession } from '../../server/platform/database/own-session.ts'
import { type Check, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** A connection pooler in transaction mode seems to work, but keeps what other processes change from the service. */
export const session = (installation: Installation): Check => ({
  name: 'session',
  seconds: 30,
  async run() {
    installation.database.get()
    const { given } = installation.settings.get()
    const owner = installation.owner.orNull()
    const connections: [string, Connection | null | undefined][] = [
      ['DATABASE_URL', owner],
      ['DATABASE_APP_URL', given?.app],
      ['DATABASE_DIRECTORY_URL', given?.directory],
    ]
    for (const [variable, connection] of connections) {
      if (connection && !(await isOwnSession(connection)))
        return problem(`${sharedSession.message(variable)}.`, sharedSession.fix)
    }
    return fine('Each connection has a session of its own.')
  },
})
