import type { Command } from 'commander'
import { distribute } from '../database/distribute.ts'
import { count } from './backup.ts'
import { withOwner } from './open.ts'
import { command, print, table } from './output.ts'

export function distributeCommand(): Command {
  return command('distribute', 'place the tables of a filled database on a Citus cluster, while the service is stopped')
    .option('--yes', 'place them; without it, only says what would be placed')
    .action(async (options) => {
      const done = await withOwner(({ owner, given }) => distribute(owner, { given, isMeant: options.yes === true }))
      print(options, done, ({ tables, nodes, placed }) => {
        const rows = Object.entries(tables).map(([name, n]) => ({ table: name, rows: n.toLocaleString('en-IN') }))
        if (rows.length === 0) return 'All tables are placed already.'
        return [
          table(rows, ''),
          placed
            ? `Placed ${count(rows.length, 'table')} on ${count(nodes, 'node')}; all rows are there. Start the service.`
            : `${count(rows.length, 'table')} would be placed on ${count(nodes, 'node')}. Stop the service, and run this again with --yes.`,
        ].join('\n')
      })
    })
}
