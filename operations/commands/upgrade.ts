import type { Command } from 'commander'
import { placesIn } from '../deployment/places.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import { mustBeRoot, rootOption } from './install.ts'
import { command, print, progressLines } from './output.ts'

export function upgradeCommand(): Command {
  return command('upgrade', 'upgrade an installation that install made, as root. Goes back by itself if it fails')
    .argument('[package]', 'the package of the release, or a folder where it is unpacked and npm install has run')
    .option('--back', 'go back to the version from before the last upgrade')
    .option('--yes', 'with --back: lose what changed since, if the earlier version cannot use the database')
    .addOption(rootOption())
    .action(async (path: string | undefined, { root, back, yes, ...options }) => {
      if ((path === undefined) !== (back === true)) throw new Error('Name the package of the new release, or --back.')
      mustBeRoot(root)
      const { goBack, upgrade } = await import('../deployment/upgrade.ts')
      const { lines: done, say } = progressLines(options)
      const places = placesIn(root)
      const stopping = abortOnSignals()
      // A terminal that is closed meanwhile must not leave the service stopped.
      process.on('SIGHUP', () => {})
      process.stdout.on('error', () => {})
      const upgradeOptions = { say, stopping: stopping.signal }
      await (path === undefined
        ? goBack(places, { ...upgradeOptions, lose: yes === true })
        : upgrade(places, path, upgradeOptions))
      stopping.end()
      print(options, { done }, () => 'Done.')
    })
}
