import type { Command } from 'commander'
import { commit, programVersion, version } from '../../server/platform/program-version.ts'
import { command, print } from './output.ts'

/** Prints the version of the program, its commit, and the version of the Node that runs it. */
export function versionCommand(): Command {
  return command('version', 'print the version').action((options) => {
    const { node } = process.versions
    print(options, { version, commit, node }, () => `lead-engine ${programVersion} on Node ${node}`)
  })
}
