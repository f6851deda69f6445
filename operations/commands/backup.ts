import type { Command } from 'commander'
import { abortOnSignals } from './abort-on-signals.ts'
import { withOwner } from './open.ts'
import { command, count, print } from './output.ts'
import { showSteps } from './progress.ts'

export function backupCommand(): Command {
  return command('backup', 'write a backup of all accounts to a new file, while the service runs or not')
    .argument('[file]', 'the new file')
    .option('--continuous', 'bring the continuous backup up to date instead, and say what can be restored from it')
    .action(async (file: string | undefined, options, self: Command) => {
      if ((file === undefined) !== (options.continuous === true)) self.error('error: name a new file, or --continuous')
      if (file !== undefined) return backUpToFile(file, options)
      return (await import('./backup-continuous.ts')).backUpContinuously(options)
    })
}

async function backUpToFile(file: string, options: { json?: boolean }): Promise<void> {
  const { createBackup } = await import('../backup/create-backup.ts')
  const stopping = abortOnSignals()
  const backup = await withOwner(({ owner }) => createBackup(owner, file, showSteps(options), stopping.signal))
  stopping.end()
  print(options, backup, ({ bytes, accounts, leads }) =>
    [
      `${file} is complete and was read again: ${count(accounts, 'account')}, ${count(leads, 'lead')}, ${megabytes(bytes)}.`,
      `To try a restore of it: lead-engine restore ${file} --drill`,
      'It contains personal data and secrets: keep it as safe as the database.',
    ].join('\n'),
  )
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
