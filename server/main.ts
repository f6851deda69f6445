import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { demoCommand } from './commands/demo.ts'
import { keyCommand } from './commands/key.ts'
import { migrateCommand } from './commands/migrate.ts'
import { ruleCommand } from './commands/rule.ts'
import { serveCommand } from './commands/serve.ts'
import { setupCommand } from './commands/setup.ts'
import { userCommand } from './commands/user.ts'
import { webhookCommand } from './commands/webhook.ts'

/** The `lead-engine` command. Exit codes: 0 done, 1 failed, 2 wrong usage. */
const program = new Command('lead-engine')
  .description('Leads and call logs for sales teams')
  .version(manifest.version)
  .addCommand(serveCommand())
  .addCommand(setupCommand())
  .addCommand(userCommand())
  .addCommand(keyCommand())
  .addCommand(webhookCommand())
  .addCommand(ruleCommand())
  .addCommand(demoCommand())
  .addCommand(migrateCommand())

for (const command of everyCommand(program)) command.exitOverride()

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  console.error((error as Error).message)
  process.exit(1)
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}
