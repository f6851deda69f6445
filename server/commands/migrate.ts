import type { Command } from 'commander'
import { withInstallation } from './open.ts'
import { command, print } from './output.ts'

/** Every command brings the schema up to date before it does its work; this one does nothing else. */
export function migrateCommand(): Command {
  return command('migrate', 'bring the database schema up to date').action(async (options) => {
    await withInstallation(async () => {})
    print(options, { current: true }, () => 'The schema is up to date.')
  })
}
