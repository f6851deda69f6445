import type { Command } from 'commander'
import type { Distribution } from '../../server/platform/database/cluster/distribute.ts'
import { withOwner } from './open.ts'
import { command, count, print, table } from './output.ts'

export function distributeCommand(): Command {
  return command(
    'distribute',
    'place the tables of a filled database on a Citus cluster; the service reads meanwhile, and cannot write',
  )
    .option('--dry-run', 'only say what would be placed')
    .action(async (options) => {
      const { distribute } = await import('../../server/platform/database/cluster/distribute.ts')
      const dryRun = options.dryRun === true
      const onPlan = (plan: Distribution) =>
        console.error(`${list(plan)}\nThis takes some minutes for each million leads.`)
      const done = await withOwner(({ owner, given }) => distribute(owner, { given, dryRun, onPlan }))
      print(options, done, (distribution) => {
        const { tables, nodes, placed } = distribution
        if (tables.length === 0) return 'All tables are placed already.'
        const what = `${count(tables.length, 'table')} on ${count(nodes, 'node')}`
        return placed
          ? `Placed ${what}; all rows are there. A running service notices it.`
          : `${list(distribution)}\nTo place: ${what}.`
      })
    })
}

const list = ({ tables }: Distribution) =>
  table(
    tables.map(({ name, rows }) => ({ table: name, rows: rows.toLocaleString('en-IN') })),
    '',
  )
