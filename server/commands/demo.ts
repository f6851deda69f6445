import { type Command, InvalidArgumentError } from 'commander'
import { accountNamed } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, print } from './output.ts'
import { noProgress, showProgress } from './progress.ts'

export function demoCommand(): Command {
  return command('demo', 'add realistic demo leads and calls to an account')
    .requiredOption('--account <name>', 'name of the account')
    .requiredOption('--leads <n>', 'number of leads, up to ten million', (text) => whole(text, 10_000_000))
    .option('--days <d>', 'number of days, including today', (text) => whole(text, 3650), 90)
    .action(async ({ account, leads, days, json }) => {
      const { fillAccount } = await import('../demo/fill.ts')
      const filled = await withInstallation(async ({ owner, database }) => {
        if (!owner) throw new Error('Set DATABASE_URL to the owner of the tables: demo leads are copied as the owner.')
        const actor = await accountNamed(database, account)
        const started = performance.now()
        const progress = json ? noProgress : showProgress(leads, 'leads')
        const options = { leads, days, now: new Date(), onProgress: progress.at }
        try {
          const { calls } = await fillAccount(owner, database, actor, options)
          return { account, leads, calls, seconds: Math.round((performance.now() - started) / 100) / 10 }
        } finally {
          progress.end()
        }
      })
      print({ json }, filled, ({ calls, seconds }) => {
        const count = (n: number) => n.toLocaleString('en-IN')
        return `${account} has ${count(leads)} more leads and ${count(calls)} more calls in ${seconds} s.`
      })
    })
}

function whole(text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new InvalidArgumentError(`Write a whole number from 1 to ${most}.`)
  return number
}
