import { readConfig } from '../../server/config.ts'
import { readDatabaseSettings } from '../../server/platform/database/database-settings.ts'
import { readContinuousSettings } from '../continuous-backup/settings.ts'
import { checkTracing } from '../tracing/tracing.ts'
import { type Check, fine, problem, problemIn, problemsOf } from './check.ts'
import type { Installation } from './installation.ts'

export const configuration = ({ env, config, settings }: Installation): Check => ({
  name: 'configuration',
  async run() {
    const wrong = problemsOf([
      () => config.set(readConfig(env)),
      () => settings.set(readDatabaseSettings(env)),
      () => readContinuousSettings(env),
    ])
    const { trustProxy } = config.orNull() ?? {}
    // No proxy has all of these.
    if (
      wrong.length === 0 &&
      trustProxy &&
      ['1.1.1.1', '8.8.8.8', '103.21.244.1'].every((ip) => trustProxy.includes(ip))
    ) {
      return problem(
        'TRUST_PROXY trusts every IP address: anybody can choose theirs with X-Forwarded-For, so IP whitelists and limits do not hold.',
        'Set TRUST_PROXY to the IP address of the proxy, such as 127.0.0.1, or remove it without a proxy.',
      )
    }
    if (wrong.length > 0) return problem(wrong.join(' '), 'Correct the variable: docs/configuration.md lists them all.')
    const cannotTrace = await checkTracing(env).then(
      () => null,
      (error: Error) => error.message,
    )
    if (cannotTrace) return problemIn(cannotTrace)
    return fine('All variables have valid values.')
  },
})
