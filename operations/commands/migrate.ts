import type { Command } from 'commander'
import { asOwner } from '../../server/platform/database/connect.ts'
import { schemaProblem, schemaState } from '../../server/platform/database/migrate.ts'
import { withInstallation, withOwner } from './open.ts'
import { command, print } from './output.ts'

/** Migrates the schema, as the service does when it starts. Other commands never change it. */
export function migrateCommand(): Command {
  return command('migrate', 'bring the database schema up to date')
    .option('--dry-run', 'only say what would be applied')
    .action(async ({ dryRun, ...options }) => {
      if (dryRun) return preview(options)
      const snapshot = await withInstallation(
        async ({ owner, snapshot }) => {
          if (!owner) throw new Error('Set DATABASE_URL to the owner of the tables: only the owner can migrate.')
          return snapshot
        },
        { migrates: 'always' },
      )
      print(options, { current: true, snapshot }, () => 'The schema is up to date.')
    })
}

async function preview(options: { json?: boolean }): Promise<void> {
  const state = await withOwner(({ owner }) => asOwner(owner, schemaState))
  const problem = state.is === 'newer' || state.is === 'outdated' ? schemaProblem(state) : null
  if (problem && !options.json) throw problem
  print(options, state, ({ is, files, texts }) => {
    if (is === 'empty') return 'The database is empty: all migrations would be applied.'
    const missing = [...(is === 'current' ? [] : files), ...texts]
    return missing.length === 0 ? 'The schema is up to date.' : `Would apply: ${missing.join(', ')}`
  })
  if (problem) process.exitCode = 1
}
