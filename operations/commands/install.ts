import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { type Places, placesIn } from '../deployment/places.ts'
import { lineOf, summaryOf } from './doctor.ts'
import { command, count, print, progressLines } from './output.ts'

/** The folder of this program. */
export const programFolder = join(import.meta.dirname, '../..')

export const rootOption = () =>
  new Option('--root <folder>', 'the root folder, of an image of a machine').default('/').hideHelp()

export function installCommand(): Command {
  return command('install', 'install this release as a service of systemd, as root')
    .option('--dry-run', 'only say what would be done')
    .option('--check', 'only check what is installed')
    .option('--uninstall', 'remove what was installed. Data, backups and settings stay')
    .addOption(rootOption())
    .action(async ({ root, dryRun, check, uninstall, ...options }) => {
      mustBeRoot(root)
      const places = placesIn(root)
      if (check) return checkAll(places, options)
      return uninstall ? removeAll(places, options) : installAll(places, { ...options, dryRun: dryRun === true })
    })
}

/** Checks that this command can change the machine. */
export function mustBeRoot(root: string): void {
  if (root === '/' && process.getuid?.() !== 0) throw new Error('Run this command as root.')
  if (existsSync(join(programFolder, 'operations/main.ts')))
    throw new Error('This is a checkout: build a release with npm run release, and install that.')
  // The user of the service reads what root writes.
  process.umask(0o022)
}

async function installAll(places: Places, options: { json?: boolean; dryRun: boolean }): Promise<void> {
  const { backupWarning, install } = await import('../deployment/install.ts')
  const { dryRun } = options
  const { lines: done, say } = progressLines(options)
  install(places, programFolder, { dryRun, report: say })
  const warning = dryRun ? null : backupWarning(places, programFolder)
  const warned = warning ? `\n\n${warning}` : ''
  print(options, { done: dryRun ? [] : done, missing: dryRun ? done : [], warning }, () => {
    if (done.length === 0) return `Everything is in place.${warned}`
    if (dryRun) return `\nNothing was changed: ${count(done.length, 'part')} would be.`
    if (!done.includes(`Made ${places.settings}`))
      return `Done. Restart the service, if it runs: systemctl restart lead-engine${warned}`
    return `
Set BASE_URL in ${places.settings}, start the service, and open the set-up link in its log:

  lead-engine install --check
  systemctl enable --now lead-engine
  journalctl -u lead-engine --grep 'Set up' --output cat | tail -1

Run lead-engine install again after you change DATA_DIR, BACKUP_DIR or CONTINUOUS_BACKUP.${warned}`
  })
}

async function checkAll(places: Places, options: { json?: boolean }): Promise<void> {
  const { checkInstalled } = await import('../deployment/check-installed.ts')
  const checks = await checkInstalled(places, programFolder, (result) => {
    if (!options.json) console.log(lineOf(result))
  })
  print(options, { checks }, () => `\n${summaryOf(checks)}`)
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1
}

async function removeAll(places: Places, options: { json?: boolean }): Promise<void> {
  const { uninstall } = await import('../deployment/install.ts')
  const { lines: removed, say } = progressLines(options)
  const stays = uninstall(places, say)
  print(options, { removed, stays }, () => stays.join('\n') || 'Nothing is left.')
}
