import type { Command } from 'commander'
import { createBackup } from '../backup/create-backup.ts'
import { withOwner } from './open.ts'
import { command, print } from './output.ts'
import { showSteps } from './progress.ts'

export function backupCommand(): Command {
  return command('backup', 'write a backup of all accounts to a new file, while the service runs or not')
    .argument('<file>', 'the new file')
    .action(async (file: string, options) => {
      // The unfinished file is removed on exit.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
      const backup = await withOwner(({ owner }) => createBackup(owner, file, showSteps(options)))
      print(options, backup, ({ bytes, accounts, leads }) =>
        [
          `${file} is complete and checked: ${count(accounts, 'account')}, ${count(leads, 'lead')}, ${megabytes(bytes)}.`,
          'It contains personal data and secrets: keep it as safe as the database.',
        ].join('\n'),
      )
    })
}

export const count = (n: number, noun: string) => `${n.toLocaleString('en-IN')} ${noun}${n === 1 ? '' : 's'}`
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
