import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { cleanUpHourly } from '../../server/cleanup.ts'
import { continueBulkChanges } from '../../server/crm/bulk-changes/run.ts'
import { moveContinuously } from '../../server/crm/counts/move-continuously.ts'
import { weeklyEmails } from '../../server/insight/weekly-email/weekly-emails.ts'
import { continueUndo } from '../../server/intake/lead-import/undo-import.ts'
import { finishContinuously } from '../../server/intake/webhooks/deliveries/finish-deliveries.ts'
import { readOldEnquiriesContinuously } from '../../server/intake/webhooks/deliveries/read-old-enquiries.ts'
import { observeDisks } from '../../server/platform/health/metrics.ts'
import { regularEmails } from '../../server/selling/notifications/regular-emails.ts'
import { sendNotices } from '../../server/selling/notifications/send-notices.ts'
import { passOnContinuously } from '../../server/selling/pass-on/pass-on.ts'
import { continueReassignments } from '../../server/setup/team/reassign-leads.ts'
import { erasedListName } from '../backup/erased-list.ts'
import { logErasedLeads } from '../backup/log-erased-leads.ts'
import { scheduleBackups } from '../backup/schedule-backups.ts'
import type { startContinuousBackup } from '../continuous-backup/watch-process.ts'
import { dataFolders, type Opened } from './open.ts'

interface BackupProcesses {
  backups: ChildProcess | null
  continuous: ReturnType<typeof startContinuousBackup> | null
}

/** Starts what the service does apart from requests. It may run in several processes, and one of each service is enough. */
export function startJobs(
  app: FastifyInstance,
  { config, database, dataDir }: Opened,
  { backups, continuous }: BackupProcesses,
) {
  const { metrics } = app
  continuous?.observe(metrics, (level, message) => app.log[level](message))
  observeDisks(metrics, { data: dataDir, backups: config.backupDir })
  const reassigning = continueReassignments(database, (err) => app.log.error({ err }, 'reassigning leads'))
  const changing = continueBulkChanges(database, (err) => app.log.error({ err }, 'bulk changes'))
  const undoing = continueUndo(database, (err) => app.log.error({ err }, 'undo of imports'))
  const finishing = finishContinuously(database, (err) => app.log.error({ err }, 'finishing deliveries that wait'))
  const readingOld = readOldEnquiriesContinuously(database, (err) => app.log.error({ err }, 'reading old enquiries'))
  const counting = moveContinuously(database, (err) => app.log.error({ err }, 'moving changes to counts'))
  const passingOn = passOnContinuously(
    database,
    () => new Date(),
    (err) => app.log.error({ err }, 'passing on leads'),
  )
  const cleanup = cleanUpHourly(database, {
    deliveryRetentionDays: config.deliveryRetentionDays,
    metrics,
    onError: (err, where) => app.log.error({ err, ...where }, 'cleanup'),
  })
  const notifications = {
    push: app.push,
    mailer: app.mailer,
    baseUrl: config.baseUrl,
    clock: () => new Date(),
    metrics,
    onError: (err: unknown, what: string) => app.log.warn({ err }, what),
  }
  const regular = regularEmails(database, notifications)
  const weekly = weeklyEmails(database, notifications)
  const notices = sendNotices(database, notifications, async function* (accountId) {
    yield* regular(accountId)
    yield* weekly(accountId)
  })
  const erased = logErasedLeads(database, {
    lists: dataFolders().map((folder) => join(folder, erasedListName)),
    metrics,
    onError: (err, list) => app.log.error({ err, list }, 'deleted leads are not logged'),
  })
  const schedule =
    backups &&
    scheduleBackups(database, backups, {
      metrics,
      onDone: (backup) => app.log.info(backup, 'daily backup'),
      onError: (err) => app.log.error({ err }, 'daily backup'),
    })
  return {
    /** The log of deleted leads and the continuous backup end last, because requests may change leads until they have ended. */
    async stop(requestsEnded: Promise<unknown>): Promise<void> {
      // Their batches are short transactions, and the next start continues them.
      void reassigning.stop()
      void changing.stop()
      void undoing.stop()
      await Promise.all([
        cleanup.stop(),
        counting.stop(),
        finishing.stop(),
        schedule?.stop(),
        notices.stop(),
        passingOn.stop(),
        readingOld.stop(),
        requestsEnded,
      ])
      await erased.stop()
      await continuous?.stop()
    },
  }
}
