import { type Config, readConfig } from '../config.ts'
import { type Connection, connect, connectionOf, type Database, openPool } from '../database/connect.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'

export interface Opened {
  config: Config
  connection: Connection
  database: Database
  close(): Promise<void>
}

/**
 * The installation that the environment describes, with its schema up to date. The embedded database is started where
 * it does not run, and stopped again by the last one who needs it.
 */
export async function openInstallation({ watched = false, log = sayToPeople } = {}): Promise<Opened> {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? null : await startEmbedded(config.dataDir, log)
  const connection = embedded?.connection ?? connectionOf(config.databaseUrl!)
  try {
    await bringUpToDate(connection)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  const database = connect(connection, { watched, poolSize: config.databasePoolSize })
  return {
    config,
    connection,
    database,
    close: async () => {
      await database.close()
      await embedded?.stop()
    },
  }
}

/** For a command that asks or changes something and ends. */
export async function withInstallation<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await openInstallation()
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function bringUpToDate(connection: Connection): Promise<void> {
  const owner = openPool(connection, null, { max: 1 })
  try {
    await migrate(owner)
  } finally {
    await owner.end({ timeout: 5 })
  }
}

const sayToPeople = (message: string) => console.error(message)
