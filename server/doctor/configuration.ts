import { readConfig } from '../config.ts'
import { readDatabaseSettings } from '../database/database-settings.ts'
import { type Check, errorMessage, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

export const configuration = ({ env, config, settings }: Installation): Check => ({
  name: 'configuration',
  async run() {
    const wrong: string[] = []
    for (const read of [() => config.set(readConfig(env)), () => settings.set(readDatabaseSettings(env))]) {
      try {
        read()
      } catch (error) {
        wrong.push(`${errorMessage(error)}.`)
      }
    }
    if (wrong.length > 0) return problem(wrong.join(' '), 'Correct the variable: docs/configuration.md lists them all.')
    return fine('All variables have valid values.')
  },
})
