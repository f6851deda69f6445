import { type Command, InvalidArgumentError } from 'commander'
import { accountActor } from '../../server/platform/database/actor.ts'
import { accountOption, accountWith } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, print, table } from './output.ts'
import { noProgress, showProgress } from './progress.ts'

export function demoCommand(): Command {
  return command('demo', 'add realistic leads and calls to an account, with a team if it has none')
    .option(...accountOption)
    .requiredOption('--leads <n>', 'number of leads, up to ten million', (text) => whole(text, 10_000_000))
    .option('--days <d>', 'number of days, including today', (text) => whole(text, 3650), 60)
    .action(async ({ leads, days, json, ...options }) => {
      const { fillAccount } = await import('../demo/fill.ts')
      const { addTeam } = await import('../demo/team.ts')
      const filled = await withInstallation(async ({ owner, database }) => {
        if (!owner) throw new Error('Set DATABASE_URL to the owner of the tables: demo leads are copied as the owner.')
        const { id, name: account } = await accountWith(database.directory, options.account)
        const actor = accountActor(id)
        const started = performance.now()
        const progress = json ? noProgress : showProgress(leads, 'leads')
        const now = new Date()
        try {
          const users = await addTeam(database, actor, { name: account, leads, days, now })
          const options = { leads, days, now, followsUp: true, onProgress: progress.at }
          const { calls } = await fillAccount(owner, database, actor, options)
          const seconds = Math.round((performance.now() - started) / 100) / 10
          return { account, leads, calls, seconds, users }
        } finally {
          progress.end()
        }
      })
      print({ json }, filled, ({ account, calls, seconds, users }) => {
        const count = (n: number) => n.toLocaleString('en-IN')
        const added = `${account} has ${count(leads)} more leads and ${count(calls)} more calls in ${seconds} s.`
        if (users.length === 0) return added
        return `${added}\nThese users can sign in. The passwords are not shown again.\n${table(users as never, '')}`
      })
    })
}

function whole(text: string, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > max) throw new InvalidArgumentError(`Write a whole number from 1 to ${max}.`)
  return number
}
