import type { Command } from 'commander'
import { withInstallation } from './open.ts'
import { command, print } from './output.ts'

/** Migrates the schema, as the service does when it starts. Other commands never change it. */
export function migrateCommand(): Command {
  return command('migrate', 'bring the database schema up to date').action(async (options) => {
    await withInstallation(
      async ({ owner }) => {
        if (!owner) throw new Error('Set DATABASE_URL to the owner of the tables: only the owner can migrate.')
      },
      { migrates: 'always' },
    )
    print(options, { current: true }, () => 'The schema is up to date.')
  })
}
