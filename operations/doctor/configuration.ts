import { readConfig } from '../../server/config.ts'
import { readDatabaseSettings } from '../../server/platform/database/database-settings.ts'
import { readContinuousSettings } from '../continuous-backup/settings.ts'
import { type Check, fine, problem, problemsOf } from './check.ts'
import type { Installation } from './installation.ts'

export const configuration = ({ env, config, settings }: Installation): Check => ({
  name: 'configuration',
  async run() {
    const wrong = problemsOf([
      () => config.set(readConfig(env)),
      () => settings.set(readDatabaseSettings(env)),
      () => readContinuousSettings(env),
    ])
    if (wrong.length > 0) return problem(wrong.join(' '), 'Correct the variable: docs/configuration.md lists them all.')
    return fine('All variables have valid values.')
  },
})
