import type { Config } from '../config.ts'
import type { Connection, Database } from '../database/connect.ts'
import type { DatabaseSettings } from '../database/database-settings.ts'
import type { Sql } from '../database/sql.ts'
import { type Found, found } from './check.ts'

/** What the checks find of the installation, one after the other. */
export interface Installation {
  env: Readonly<Record<string, string | undefined>>
  now: Date
  config: Found<Config>
  settings: Found<DatabaseSettings>
  /** The folder of the embedded database; null with DATABASE_URL. */
  dataDir: Found<string | null>
  /** One connection, as the owner if possible. */
  sql: Found<Sql>
  /** The owner of the tables, if doctor has its sign-in. */
  owner: Found<Connection>
  isSchemaCurrent: Found<true>
  /** Connections of the service's roles. */
  database: Found<Database>
  /** Proves to the service that doctor belongs to it. */
  proof: Found<string>
  /** Whether a Lead Engine listens on the port. */
  isRunning: Found<boolean>
  /** Runs when all checks have ended, last first. */
  closers: (() => Promise<unknown>)[]
}

export function readInstallation(env: Installation['env'], now: Date): Installation {
  return {
    env,
    now,
    config: found('the configuration is invalid'),
    settings: found('the configuration of the database is invalid'),
    dataDir: found('the data folder cannot be used'),
    sql: found('the database cannot be reached'),
    owner: found('the sign-in of the owner is not set'),
    isSchemaCurrent: found('the schema is not current'),
    database: found('the service cannot use the database'),
    proof: found('the database cannot be reached'),
    isRunning: found('another program uses the port'),
    closers: [],
  }
}
