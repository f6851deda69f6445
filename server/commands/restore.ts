import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { erasedListName } from '../backup/erased-list.ts'
import type { CheckedBackup } from '../backup/restore-backup.ts'
import { dataFolders, withOwner } from './open.ts'
import { command, count, print } from './output.ts'
import { showSteps } from './progress.ts'

export function restoreCommand(): Command {
  return command('restore', 'restore a backup into this installation, while the service is stopped')
    .argument('<file>', 'a file that lead-engine backup wrote')
    .option('--yes', 'replace the data that is there')
    .action(async (file: string, options) => {
      const { openBackup, restoreBackup } = await import('../backup/restore-backup.ts')
      const steps = showSteps(options)
      const backup = await openBackup(file, dataFolders(), steps)
      warnIfReadable(file)
      warnWithoutList(backup)
      const restored = await withOwner(
        (target) => restoreBackup(backup, { ...target, replace: options.yes === true }, steps),
        { create: true },
      )
      print(options, restored, ({ accounts, leads, erased_again }) =>
        [
          `Restored ${count(accounts, 'account')} and ${count(leads, 'lead')} as of ${backup.manifest.created_at}.`,
          ...(erased_again > 0 ? [`Deleted again: ${count(erased_again, 'lead')}.`] : []),
          'All users sign in again. Start the service.',
        ].join('\n'),
      )
    })
}

function warnIfReadable(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o077) !== 0) console.error(`Other users of this machine can read ${file}: run chmod 600 on it.`)
}

function warnWithoutList({ manifest, lists }: CheckedBackup): void {
  if (lists.some((list) => basename(list) === erasedListName)) return
  console.error(
    `There is no ${erasedListName} in DATA_DIR, in BACKUP_DIR or beside the backup: leads that were deleted after ` +
      `${manifest.created_at} come back. If you have that file, copy it beside the backup and restore again.`,
  )
}
