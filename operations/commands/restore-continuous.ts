import { asOwner } from '../../server/platform/database/connect.ts'
import { listed } from '../../server/platform/database/migrate.ts'
import { readTime } from '../../server/platform/http/parse-time.ts'
import { inIndia } from '../continuous-backup/indian-time.ts'
import { restoreDatabase } from '../continuous-backup/restore.ts'
import type { ContinuousSettings } from '../continuous-backup/settings.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import { continuousSettings, dataFolders, readVariables, withOwner } from './open.ts'
import { count, formerLine, print } from './output.ts'
import { showSteps } from './progress.ts'

interface Options {
  json?: boolean
  yes?: boolean
  until?: string
}

/** Restores the continuous backup up to a time, or to its last change. */
export async function restoreContinuous(options: Options): Promise<void> {
  const settings = neededSettings()
  const { dataDir } = readVariables().settings
  const stopping = abortOnSignals()
  const restored = await restoreDatabase(settings, {
    until: options.until === undefined ? null : timeOf(options.until),
    dataDir,
    folders: dataFolders(),
    replace: options.yes === true,
    steps: showSteps(options),
    signal: stopping.signal,
    log: (message) => console.error(message),
  })
  stopping.end()
  print(
    options,
    restored,
    ({
      accounts,
      leads,
      accounts_erased_again = [],
      erased_again,
      restored_to,
      former,
      base,
      damaged,
      problem,
      lost_deletions,
    }) =>
      [
        `Restored ${count(accounts, 'account')} and ${count(leads, 'lead')}. The last change in it is of ${inIndia(restored_to)}: later ones are lost.`,
        ...(problem ? [`More could not be restored: ${problem}.`] : []),
        ...(damaged.length > 0
          ? [`Damaged: ${listed(damaged)}. Restored from the base backup of ${inIndia(base)} and the changes since.`]
          : []),
        ...(lost_deletions.length > 0
          ? [`Leads that were deleted after that may be back: ${listed(lost_deletions)}.`]
          : []),
        ...accounts_erased_again.map((name) => `Deleted again: the account "${name}".`),
        ...(erased_again > 0 ? [`Deleted again: ${count(erased_again, 'lead')}.`] : []),
        ...(former ? [formerLine(former)] : []),
        'All users sign in again. Start the service.',
      ].join('\n'),
  )
}

/** Tries a restore into a folder of its own, and keeps how it ended for Admins and metrics. */
export async function tryRestore(options: Options): Promise<void> {
  const settings = neededSettings()
  const { runDrill } = await import('../continuous-backup/drill.ts')
  const stopping = abortOnSignals()
  const started = performance.now()
  const done = await withOwner(({ owner, dataDir }) =>
    asOwner(owner, (sql) => runDrill(sql, { settings, dataDir, signal: stopping.signal })),
  )
  stopping.end()
  const seconds = Math.round((performance.now() - started) / 1000)
  const { accounts, leads, restored_to } = done
  print(options, { ...done, restored_to: restored_to.toISOString(), seconds }, () =>
    [
      `The continuous backup can be restored: ${count(accounts, 'account')} and ${count(leads, 'lead')}, in ${seconds} s.`,
      `The last change in it is of ${inIndia(restored_to)}.`,
    ].join('\n'),
  )
}

export function neededSettings(): ContinuousSettings {
  const settings = continuousSettings()
  if (!settings)
    throw new Error(
      'Set CONTINUOUS_BACKUP and the variables beside it as for the service. With a PostgreSQL of your own, docs/backup.md says how to back it up.',
    )
  return settings
}

/** With the fraction of a second, which stored times have not. */
function timeOf(text: string): Date {
  const [, fraction = ''] = /:\d\d[.,](\d{1,9})/.exec(text) ?? []
  const seconds = readTime(text)
  const time = seconds && new Date(seconds.getTime() + Math.floor(Number(`0.${fraction || 0}`) * 1000))
  if (!time) throw new Error(`"${text}" is no time: write it as 2026-11-28T10:00:00, in Indian time, or with its zone.`)
  if (time > new Date()) throw new Error(`${text} is in the future.`)
  return time
}
