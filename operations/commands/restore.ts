import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { listed } from '../../server/platform/database/migrate.ts'
import { erasedListName } from '../backup/erased-list.ts'
import type { CheckedBackup } from '../backup/restore-backup.ts'
import { recordRestore } from '../embedded/unfinished-restore.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import { dataFolders, readVariables, withOwner } from './open.ts'
import { command, count, formerLine, print } from './output.ts'
import { showSteps } from './progress.ts'

export function restoreCommand(): Command {
  return command('restore', 'restore a backup into this installation, while the service is stopped')
    .argument('[file]', 'a file that lead-engine backup wrote')
    .option('--latest', 'restore the last change in the continuous backup')
    .option('--until <time>', 'restore the continuous backup up to a time, of India unless it has a zone')
    .option(
      '--drill',
      'try a restore of the file, or of the continuous backup, beside the data, while the service runs or not',
    )
    .option('--yes', 'replace the data that is there')
    .option('--keep', 'keep the embedded database that a file replaces, beside the restored one')
    .addOption(
      new Option('--as-saved', 'for upgrade: leave schema and data as the version before wrote them').hideHelp(),
    )
    .action(async (file: string | undefined, options, self: Command) => {
      const { restoreContinuous, tryRestore } = await import('./restore-continuous.ts')
      const chosen = [file ?? options.drill, options.latest, options.until].filter((way) => way !== undefined)
      if (chosen.length !== 1) self.error('error: name a file, or one of --latest, --until TIME and --drill')
      if (options.drill) return file === undefined ? tryRestore(options) : tryFile(file, options)
      return file === undefined ? restoreContinuous(options) : restoreFile(file, options)
    })
}

interface FileOptions {
  json?: boolean
  yes?: boolean
  keep?: boolean
  asSaved?: boolean
}

async function restoreFile(file: string, options: FileOptions): Promise<void> {
  const { openBackup, restoreBackup } = await import('../backup/restore-backup.ts')
  const { setAsideLines } = await import('../backup/set-aside.ts')
  const { owner, given, dataDir } = readVariables().settings
  const isEmbedded = !owner && !given
  if (isEmbedded) recordRestore(dataDir, resolve(file))
  const steps = showSteps(options)
  const backup = await openBackup(file, dataFolders(), steps).catch(async (error) => {
    throw await withAnother(error, file)
  })
  warnIfReadable(file)
  warnWithoutList(backup)
  warnOfNewer(backup)
  const { yes: replace = false, keep = false, asSaved = false } = options
  const intoEmbedded = async () => {
    const { restoreEmbedded } = await import('../backup/restore-embedded.ts')
    const log = (message: string) => console.error(message)
    return restoreEmbedded(backup, { dataDir, replace, keep, asSaved, steps, log, inPlace })
  }
  const inPlace = () => withOwner((target) => restoreBackup(backup, { ...target, replace, asSaved }, steps))
  const restored = isEmbedded ? await intoEmbedded() : { ...(await inPlace()), former: null }
  print(
    options,
    restored,
    ({ accounts, leads, erased_again, accounts_erased_again: deleted = [], set_aside, former }) =>
      [
        `Restored ${count(accounts, 'account')} and ${count(leads, 'lead')} as of ${backup.manifest.created_at}.`,
        ...deleted.map((name) => `Deleted again: the account "${name}".`),
        ...(erased_again > 0 ? [`Deleted again: ${count(erased_again, 'lead')}.`] : []),
        ...(set_aside ? setAsideLines(set_aside) : []),
        ...(former ? [formerLine(former)] : []),
        'All users sign in again. Start the service.',
      ].join('\n'),
  )
}

/** Names the newest undamaged backup beside a damaged or missing one. */
async function withAnother(error: Error, file: string): Promise<Error> {
  const { DamagedBackup, NotABackup } = await import('../backup/archive.ts')
  const { findNewestBackup } = await import('../backup/newest-backup.ts')
  if (!(error instanceof NotABackup || error.cause instanceof DamagedBackup)) return error
  const found = await findNewestBackup(dirname(resolve(file)), { seconds: 60 }).catch(() => null)
  if (!found?.usable) return error
  return new Error(`${error.message} The newest undamaged backup beside it: lead-engine restore ${found.usable}`, {
    cause: error,
  })
}

/** Tries a restore into a folder of its own. */
async function tryFile(file: string, options: FileOptions): Promise<void> {
  const { openBackup } = await import('../backup/restore-backup.ts')
  const { drillBackup } = await import('../backup/drill-backup.ts')
  const { rowLines } = await import('../backup/set-aside.ts')
  const { dataDir } = readVariables().settings
  const stopping = abortOnSignals()
  const steps = showSteps(options)
  const started = performance.now()
  const backup = await openBackup(file, dataFolders(), steps)
  const { accounts, leads, set_aside } = await drillBackup(backup, { dataDir, signal: stopping.signal, steps })
  stopping.end()
  const seconds = Math.round((performance.now() - started) / 1000)
  const rows = set_aside?.rows ?? []
  print(options, { accounts, leads, set_aside: rows, seconds }, () =>
    [
      `${file} can be restored: ${count(accounts, 'account')} and ${count(leads, 'lead')}, in ${seconds} s.`,
      ...(rows.length > 0 ? ['A restore sets rows aside:', ...rowLines({ rows })] : []),
    ].join('\n'),
  )
}

function warnIfReadable(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o077) !== 0) console.error(`Other users of this machine can read ${file}: run chmod 600 on it.`)
}

function warnOfNewer({ manifest, unknown }: CheckedBackup): void {
  if (unknown.length === 0) return
  console.error(`What only version ${manifest.program} knows is left out: ${listed(unknown)}.`)
}

function warnWithoutList({ manifest, lists }: CheckedBackup): void {
  if (lists.some((list) => basename(list) === erasedListName)) return
  console.error(
    `There is no ${erasedListName} in DATA_DIR, in BACKUP_DIR or beside the backup: leads that were deleted after ` +
      `${manifest.created_at} come back. If you have that file, copy it beside the backup and restore again.`,
  )
}
