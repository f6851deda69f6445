import { readConfig } from '../config.ts'
import { readContinuousSettings } from '../continuous-backup/settings.ts'
import { readDatabaseSettings } from '../database/database-settings.ts'
import { type Check, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

export const configuration = ({ env, config, settings }: Installation): Check => ({
  name: 'configuration',
  async run() {
    const wrong: string[] = []
    const all = [
      () => config.set(readConfig(env)),
      () => settings.set(readDatabaseSettings(env)),
      () => readContinuousSettings(env),
    ]
    for (const read of all) {
      try {
        read()
      } catch (error) {
        wrong.push(...(error as Error).message.split('\n'))
      }
    }
    if (wrong.length > 0) return problem(wrong.join(' '), 'Correct the variable: docs/configuration.md lists them all.')
    return fine('All variables have valid values.')
  },
})
