import type { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { command, print } from './output.ts'

/** Prints the version of the program and of the Node that runs it. */
export function versionCommand(): Command {
  return command('version', 'print the version').action((options) => {
    const versions = { version: manifest.version, node: process.versions.node }
    print(options, versions, ({ version, node }) => `lead-engine ${version} on Node ${node}`)
  })
}
