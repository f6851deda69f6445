import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readConfig } from '../../server/config.ts'
import { readDatabaseSettings } from '../../server/platform/database/database-settings.ts'
import { readContinuousSettings } from '../continuous-backup/settings.ts'
import {
  type Check,
  type CheckResult,
  type Finding,
  fine,
  problem,
  problemIn,
  problemsOf,
  runChecks,
} from '../doctor/check.ts'
import { dataFolders, partsOf, readUnit, serviceEnvironment } from './parts.ts'
import { type Places, serviceName } from './places.ts'
import { serviceUserMay } from './service-user.ts'
import { hiddenFolder, isWithin, writableFolders } from './unit.ts'

const again = 'Run lead-engine install as root.'

/** Checks what `install` makes, and the settings. Changes nothing. */
export async function checkInstalled(
  places: Places,
  release: string,
  report: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const unit = readUnit(release)
  const settings = check('settings', () => judgeSettings(places, unit))
  const [first] = await runChecks([settings], report)
  // What the folders should be is not known.
  if (problemsOf([() => serviceEnvironment(places, unit)]).length > 0) return [first!]
  const parts = partsOf(places, release).map(({ name, what, problem: problemOfPart }) =>
    check(name, () => {
      const wrong = problemOfPart()
      if (!wrong) return fine(what)
      const sentence = `${what} ${wrong}.`
      return wrong.includes(': ') ? problemIn(sentence) : problem(sentence, again)
    }),
  )
  const ofUnit = [
    check('writable', () => judgeWritable(places, unit)),
    check('readable', () => judgeReadable(places, unit)),
    check('systemd_analyze', () => verifyUnit(places)),
  ]
  const rest = existsSync(places.unit) ? ofUnit : []
  return [first!, ...(await runChecks([...parts, ...rest], report))]
}

const check = (name: string, run: () => Finding): Check => ({ name, run: async () => run() })

function judgeSettings(places: Places, unit: string): Finding {
  const { settings } = places
  if (!existsSync(settings)) return problem(`${settings} is missing.`, again)
  const [unreadable] = problemsOf([() => serviceEnvironment(places, unit)])
  if (unreadable) return problem(`${settings}: ${unreadable}`, 'Correct the file.')
  const environment = serviceEnvironment(places, unit)
  const readers = [readConfig, readDatabaseSettings, readContinuousSettings]
  const wrong = problemsOf(readers.map((read) => () => read(environment)))
  if (wrong.length > 0)
    return problem(wrong.join(' '), `Correct ${settings}: docs/configuration.md lists all variables.`)
  if (environment.BASE_URL?.includes('leads.example.com'))
    return problem(`BASE_URL is still that of the example.`, `Set it in ${settings} to the URL that users open.`)
  return fine(`All variables in ${settings} have valid values.`)
}

function judgeWritable(places: Places, unit: string): Finding {
  const needed = dataFolders(serviceEnvironment(places, unit))
  const writable = writableFolders(places)
  const closed = needed.find(([, path]) => !writable.some((folder) => isWithin(path, folder)))
  if (!closed) return fine(`The unit lets the service write to ${needed.map(([name]) => name).join(', ')}.`)
  const [name, path] = closed
  return problem(
    `${name} is ${path}, which the unit makes read-only: it has no ReadWritePaths for it.`,
    `${again} If a file of your own in ${places.unit}.d empties ReadWritePaths, remove that line.`,
  )
}

/** Files that the service reads. Root, who runs this check, can read them all. */
function judgeReadable(places: Places, unit: string): Finding {
  const environment = serviceEnvironment(places, unit)
  const files = [
    'CONTINUOUS_BACKUP_KEY_FILE',
    'DATABASE_PASSWORD_FILE',
    'TLS_CERT_FILE',
    'TLS_KEY_FILE',
    'ACME_CA_FILE',
  ].flatMap((name): [name: string, path: string][] =>
    environment[name]?.trim() ? [[name, environment[name].trim()]] : [],
  )
  for (const [name, path] of files) {
    const hidden = hiddenFolder(path)
    if (!serviceUserMay(places, '-r', path))
      return problem(
        `${name} is ${path}, which the user ${serviceName} cannot read.`,
        `Let that user read it, for example: chown ${serviceName} ${path}`,
      )
    if (hidden)
      return problem(
        `${name} is ${path}, which is in ${hidden}: the unit hides that from the service.`,
        `Move the file to another folder, such as /etc/${serviceName}.`,
      )
  }
  return fine('The service can read the files that the settings name.')
}

/** Lines about other units of the machine are left out. */
function verifyUnit({ root, unit }: Places): Finding {
  if (root !== '/') return fine('Not used: systemd-analyze reads the units of this machine.')
  try {
    execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    return fine('systemd accepts the unit.')
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string; stderr?: string }
    if (code === 'ENOENT') return fine('Not used: systemd-analyze is not installed.')
    const lines = stderr.split('\n').filter((line) => line.includes(serviceName))
    if (lines.length === 0) return fine('systemd accepts the unit.')
    return problem(`systemd does not accept the unit: ${lines.join(' ')}`, again)
  }
}
