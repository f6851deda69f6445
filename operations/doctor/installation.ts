import type { Config } from '../../server/config.ts'
import type { Connection, Database } from '../../server/platform/database/connect.ts'
import type { DatabaseSettings } from '../../server/platform/database/database-settings.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { type Found, found } from './check.ts'
import { type RestoreAdvice, restoreAdvice } from './restore-advice.ts'

/** What doctor may change: nothing; counts that differ from their rows; all that it can make as it was without losing anything. */
export type Repair = 'nothing' | 'counts' | 'everything'

/** What the checks find of the installation, one after the other. */
export interface Installation {
  env: Readonly<Record<string, string | undefined>>
  now: Date
  repair: Repair
  config: Found<Config>
  settings: Found<DatabaseSettings>
  /** The folder of the embedded database; null with DATABASE_URL. */
  dataDir: Found<string | null>
  /** One connection, as the owner if possible. */
  sql: Found<Sql>
  /** The owner of the tables, if doctor has its sign-in. */
  owner: Found<Connection>
  isSchemaCurrent: Found<true>
  /** Whether it is exactly that of this program. */
  isSchemaOurs: Found<true>
  /** Whether the database accepts writes. */
  isWritable: Found<true>
  /** Connections of the service's roles. */
  database: Found<Database>
  /** Proves to the service that doctor belongs to it. */
  proof: Found<string>
  /** Whether a Lead Engine listens on the port. */
  isRunning: Found<boolean>
  /** How to go back to the newest backup. */
  restoreAdvice: RestoreAdvice
  /** Runs when all checks have ended, last first. */
  closers: (() => Promise<unknown>)[]
}

export function readInstallation(env: Installation['env'], now: Date, repair: Repair = 'nothing'): Installation {
  const config = found<Config>('the configuration is invalid')
  return {
    env,
    now,
    repair,
    config,
    settings: found('the configuration of the database is invalid'),
    dataDir: found('the data folder cannot be used'),
    sql: found('the database cannot be reached'),
    owner: found('the sign-in of the owner is not set'),
    isSchemaCurrent: found('the schema is not current'),
    isSchemaOurs: found('the schema is not of this version'),
    isWritable: found('the database accepts no writes'),
    database: found('the service cannot use the database'),
    proof: found('the database cannot be reached'),
    isRunning: found('another program uses the port'),
    restoreAdvice: restoreAdvice(config),
    closers: [],
  }
}
