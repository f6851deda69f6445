import { openAsOwner } from '../../server/platform/database/connect.ts'
import { admins } from './admins.ts'
import { backups } from './backups.ts'
import { baseUrl } from './base-url.ts'
import { certificate } from './certificate.ts'
import { type CheckResult, runChecks } from './check.ts'
import { clock } from './clock.ts'
import { configuration } from './configuration.ts'
import { contacts } from './contacts.ts'
import { continuousBackup } from './continuous-backup.ts'
import { type CountOptions, counts } from './counts.ts'
import { dataFolder } from './data-folder.ts'
import { database, databaseVersion } from './database.ts'
import { databaseRights } from './database-rights.ts'
import { deletedLeads } from './deleted-leads.ts'
import { diskSpace } from './disk-space.ts'
import { formerData } from './former-data.ts'
import { indexes } from './indexes.ts'
import { type Installation, type Repair, readInstallation } from './installation.ts'
import { findBlocking, locks } from './locks.ts'
import { lostRows } from './lost-rows.ts'
import { mail } from './mail.ts'
import { newestBackup } from './newest-backup.ts'
import { port } from './port.ts'
import { redis } from './redis.ts'
import { references } from './references.ts'
import { replica } from './replica.ts'
import { rows } from './rows.ts'
import { schema } from './schema.ts'
import { sequences } from './sequences.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { singleSignOn } from './single-sign-on.ts'
import { storage } from './storage.ts'
import { structure } from './structure.ts'
import { webhooks } from './webhooks.ts'
import { writeAheadLog } from './write-ahead-log.ts'
import { writes } from './writes.ts'

interface Options extends Omit<CountOptions, 'repair'> {
  repair: Repair
  env: Readonly<Record<string, string | undefined>>
  now?: Date
  /** The names of the checks to run, with those whose findings they need. All of them if it is not set. */
  only?: string[] | undefined
  report?(result: CheckResult): void
}

/** Checks the installation that the environment describes, whether its service runs or not. Changes nothing unless `repair` says so. */
export async function diagnose({
  env,
  now = new Date(),
  repair,
  only,
  report,
  ...countOptions
}: Options): Promise<CheckResult[]> {
  const installation = readInstallation(env, now, repair)
  const inOrder = [
    configuration,
    dataFolder,
    diskSpace,
    formerData,
    database,
    databaseVersion,
    locks,
    settings,
    writeAheadLog,
    schema,
    writes,
    structure,
    databaseRights,
    admins,
    session,
    replica,
    clock,
    port,
    certificate,
    baseUrl,
    redis,
    mail,
    singleSignOn,
    backups,
    newestBackup,
    continuousBackup,
    deletedLeads,
    webhooks,
    storage,
    indexes,
    rows,
    sequences,
    references,
    lostRows,
    contacts,
  ].map((check) => check(installation))
  try {
    const countRows = counts(installation, { ...countOptions, repair: repair !== 'nothing' })
    const checks = [...inOrder, countRows].filter(({ name }) => !only || only.includes(name))
    return await runChecks(checks, report, () => blockingOf(installation))
  } finally {
    for (const close of installation.closers.reverse()) await close()
  }
}

/** On a connection of its own: that of the checks may be the one that waits. */
async function blockingOf({ owner }: Installation) {
  const connection = owner.orNull()
  if (!connection) return null
  const sql = openAsOwner(connection, { max: 1 })
  try {
    return await findBlocking(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
