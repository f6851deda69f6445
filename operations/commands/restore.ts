import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import { listed } from '../../server/platform/database/migrate.ts'
import { erasedListName } from '../backup/erased-list.ts'
import type { CheckedBackup } from '../backup/restore-backup.ts'
import { dataFolders, withOwner } from './open.ts'
import { command, count, print } from './output.ts'
import { showSteps } from './progress.ts'

export function restoreCommand(): Command {
  return command('restore', 'restore a backup into this installation, while the service is stopped')
    .argument('[file]', 'a file that lead-engine backup wrote')
    .option('--latest', 'restore the last change in the continuous backup')
    .option('--until <time>', 'restore the continuous backup up to a time, of India unless it has a zone')
    .option('--drill', 'try a restore of the continuous backup beside the data, while the service runs or not')
    .option('--yes', 'replace the data that is there')
    .addOption(
      new Option('--as-saved', 'for upgrade: leave schema and data as the version before wrote them').hideHelp(),
    )
    .action(async (file: string | undefined, options, self: Command) => {
      const { restoreContinuous, tryRestore } = await import('./restore-continuous.ts')
      const chosen = [file, options.latest, options.until, options.drill].filter((way) => way !== undefined)
      if (chosen.length !== 1) self.error('error: name a file, or one of --latest, --until TIME and --drill')
      if (options.drill) return tryRestore(options)
      return file === undefined ? restoreContinuous(options) : restoreFile(file, options)
    })
}

interface FileOptions {
  json?: boolean
  yes?: boolean
  asSaved?: boolean
}

async function restoreFile(file: string, options: FileOptions): Promise<void> {
  const { openBackup, restoreBackup } = await import('../backup/restore-backup.ts')
  const steps = showSteps(options)
  const backup = await openBackup(file, dataFolders(), steps)
  warnIfReadable(file)
  warnWithoutList(backup)
  warnOfNewer(backup)
  const { yes: replace = false, asSaved = false } = options
  const restored = await withOwner((target) => restoreBackup(backup, { ...target, replace, asSaved }, steps), {
    create: true,
  })
  print(options, restored, ({ accounts, leads, erased_again, accounts_erased_again: deleted = [] }) =>
    [
      `Restored ${count(accounts, 'account')} and ${count(leads, 'lead')} as of ${backup.manifest.created_at}.`,
      ...deleted.map((name) => `Deleted again: the account "${name}".`),
      ...(erased_again > 0 ? [`Deleted again: ${count(erased_again, 'lead')}.`] : []),
      'All users sign in again. Start the service.',
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
