import { backups } from './backups.ts'
import { baseUrl } from './base-url.ts'
import { type CheckResult, runChecks } from './check.ts'
import { clock } from './clock.ts'
import { configuration } from './configuration.ts'
import { type CountOptions, counts } from './counts.ts'
import { dataFolder } from './data-folder.ts'
import { database, databaseVersion, schema, writes } from './database.ts'
import { databaseRights } from './database-rights.ts'
import { diskSpace } from './disk-space.ts'
import { readInstallation } from './installation.ts'
import { mail } from './mail.ts'
import { port } from './port.ts'
import { redis } from './redis.ts'
import { replica } from './replica.ts'
import { session } from './session.ts'
import { webhooks } from './webhooks.ts'

interface Options extends CountOptions {
  env: Readonly<Record<string, string | undefined>>
  now?: Date
  report?(result: CheckResult): void
}

/** Checks the installation that the environment describes, whether its service runs or not. Changes nothing unless `repair` is set. */
export async function diagnose({ env, now = new Date(), report, ...countOptions }: Options): Promise<CheckResult[]> {
  const installation = readInstallation(env, now)
  const inOrder = [
    configuration,
    dataFolder,
    diskSpace,
    database,
    databaseVersion,
    schema,
    writes,
    databaseRights,
    session,
    replica,
    clock,
    port,
    baseUrl,
    redis,
    mail,
    backups,
    webhooks,
  ].map((check) => check(installation))
  try {
    return await runChecks([...inOrder, counts(installation, countOptions)], report)
  } finally {
    for (const close of installation.closers.reverse()) await close()
  }
}
