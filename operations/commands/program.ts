import { Command, CommanderError } from 'commander'
import { programVersion } from '../../server/platform/program-version.ts'
import { accountCommand } from './account.ts'
import { backupCommand } from './backup.ts'
import { demoCommand } from './demo.ts'
import { distributeCommand } from './distribute.ts'
import { doctorCommand } from './doctor.ts'
import { healthcheckCommand } from './healthcheck.ts'
import { importCommand } from './import.ts'
import { installCommand } from './install.ts'
import { keyCommand } from './key.ts'
import { migrateCommand } from './migrate.ts'
import { restoreCommand } from './restore.ts'
import { ruleCommand } from './rule.ts'
import { serveCommand } from './serve.ts'
import { setupCommand } from './setup.ts'
import { upgradeCommand } from './upgrade.ts'
import { userCommand } from './user.ts'
import { versionCommand } from './version.ts'
import { webhookCommand } from './webhook.ts'

/**
 * Runs the `lead-engine` command. Returns its exit code: 0 done, 1 failed, 2 wrong usage. What takes long to load, an action
 * loads itself: the other commands and the service do without it.
 */
export async function runProgram(args: string[]): Promise<0 | 1 | 2> {
  const program = new Command('lead-engine')
    .description('Leads and call logs for sales teams')
    .version(programVersion)
    .addCommand(serveCommand())
    .addCommand(setupCommand())
    .addCommand(accountCommand())
    .addCommand(userCommand())
    .addCommand(keyCommand())
    .addCommand(webhookCommand())
    .addCommand(ruleCommand())
    .addCommand(demoCommand())
    .addCommand(importCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(migrateCommand())
    .addCommand(distributeCommand())
    .addCommand(doctorCommand())
    .addCommand(healthcheckCommand())
    .addCommand(installCommand())
    .addCommand(upgradeCommand())
    .addCommand(versionCommand())

  for (const command of everyCommand(program)) command.exitOverride()

  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    console.error((error as Error).message)
    return 1
  }
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}
