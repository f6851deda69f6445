import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { isSystemdRunning } from '../deployment/parts.ts'
import { type Places, placesIn } from '../deployment/places.ts'
import type { Started } from '../deployment/start-installed.ts'
import { lineOf, summaryOf } from './doctor.ts'
import { command, count, print, progressLines } from './output.ts'

/** The folder of this program. */
export const programFolder = join(import.meta.dirname, '../..')

export const rootOption = () =>
  new Option('--root <folder>', 'the root folder, of an image of a machine').default('/').hideHelp()

export function installCommand(): Command {
  return command('install', 'install this release as a service of systemd, as root')
    .option(
      '--domain <name>',
      'serve HTTPS for this host name, with a certificate that the service gets by itself, and start it',
    )
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

async function installAll(
  places: Places,
  options: { json?: boolean; dryRun: boolean; domain?: string },
): Promise<void> {
  const { backupWarning, install } = await import('../deployment/install.ts')
  const { dryRun, domain } = options
  const { lines: done, say } = progressLines(options)
  install(places, programFolder, { dryRun, domain, report: say })
  const warning = dryRun ? null : backupWarning(places, programFolder)
  const warned = warning ? `\n\n${warning}` : ''
  const starts = domain && !dryRun && isSystemdRunning(places)
  const { startInstalled } = await import('../deployment/start-installed.ts')
  const started = starts ? await startInstalled(places, programFolder) : null
  print(options, { done: dryRun ? [] : done, missing: dryRun ? done : [], warning, started }, () => {
    if (started) return `\n${startedText(started)}${warned}`
    if (done.length === 0) return `Everything is in place.${warned}`
    if (dryRun) return `\nNothing was changed: ${count(done.length, 'part')} would be.`
    if (!done.includes(`Made ${places.settings}`))
      return `Done. Restart the service, if it runs: systemctl restart lead-engine${warned}`
    const first = domain ? 'Start' : `Set BASE_URL or DOMAIN in ${places.settings}, start`
    return `
${first} the service, and open the set-up link in its log:

  lead-engine install --check
  systemctl enable --now lead-engine
  journalctl -u lead-engine --grep 'Set up' --output cat | tail -1

Run lead-engine install again after you change DOMAIN, DATA_DIR, BACKUP_DIR or CONTINUOUS_BACKUP.${warned}`
  })
}

function startedText({ baseUrl, hasCertificate, setUpLink }: Started): string {
  const https = hasCertificate
    ? `The service runs at ${baseUrl}`
    : `The service runs, and ${baseUrl} waits for its certificate. This says for what:\n\n  journalctl -u lead-engine --grep certificate`
  return setUpLink
    ? `${https}\n\nOpen this link to set it up. It works once, within 24 hours:\n\n  ${setUpLink}`
    : https
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
