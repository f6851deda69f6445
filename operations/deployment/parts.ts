import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Places, serviceName } from './places.ts'
import { addRelease, currentRelease, makeCurrent, readRelease } from './releases.ts'
import { replaceFile } from './replace-file.ts'
import { addServiceUser, findServiceUser, serviceUserMay, type User } from './service-user.ts'
import { readSettings } from './settings-file.ts'
import { environmentOf, foldersPart, hiddenFolder, isWithin, portsPart, stateFolder } from './unit.ts'

/** A part of an installation on a server. `install` makes each that is not as it should be. */
export interface Part {
  name: string
  what: string
  /** Returns what is wrong, or null. */
  problem(): string | null
  make(): void
}

/** The user who installs: root. */
const ours = (): User => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })

/**
 * Returns the parts, in the order in which they are made. `release` is the unpacked release whose unit and command are written; its files
 * in deploy/ are the only source of both. `domain` is for settings that are missing.
 */
export function partsOf(places: Places, release: string, { domain }: { domain?: string | undefined } = {}): Part[] {
  const deployed = (name: string) => readFileSync(join(release, 'deploy', name), 'utf8')
  const unit = readUnit(release)
  const example = exampleFor(domain, deployed('environment'))
  const environment = () => serviceEnvironment(places, unit, example)
  const folders = foldersInSettings(environment(), unit)
  return [
    user(places, stateFolder(unit)),
    program(places, release),
    folder('settings_folder', dirname(places.settings), 0o755, ours),
    file('settings_file', places.settings, 0o600, example, { isKept: true }),
    folder('state_folder', places.at(stateFolder(unit)), 0o700, () => findServiceUser(places)),
    ...folders.map(([name, path]) => folderInSettings(name, path, places)),
    file('unit', places.unit, 0o644, unit),
    unitPart('unit_folders', places.unitFolders, () =>
      foldersPart(foldersInSettings(environment(), unit).map(([, path]) => path)),
    ),
    unitPart('unit_ports', places.unitPorts, () => portsPart(environment().DOMAIN?.trim() ?? '')),
    file('command', places.command, 0o755, deployed(serviceName)),
  ]
}

/** The service that gets its own certificate has no proxy in front. */
const exampleFor = (domain: string | undefined, example: string) =>
  domain ? example.replace(/^BASE_URL=.*\nTRUST_PROXY=.*$/m, `DOMAIN=${domain}`) : example

/** Returns the unit of a release. */
export const readUnit = (release: string) => readFileSync(join(release, 'deploy', `${serviceName}.service`), 'utf8')

function user(places: Places, home: string): Part {
  return {
    name: 'user',
    what: `the user ${serviceName}`,
    problem: () => (findServiceUser(places) ? null : 'is missing'),
    make: () => addServiceUser(places, home),
  }
}

function program(places: Places, release: string): Part {
  const { name } = readRelease(release)
  return {
    name: 'program',
    what: `version ${name} in ${places.programs}`,
    problem() {
      const current = currentRelease(places)
      if (!current) return 'is missing'
      return wrongOwner(current.folder, 0o755, ours())
    },
    make() {
      if (!currentRelease(places)) makeCurrent(places, addRelease(places, release))
      own(currentRelease(places)!.folder, 0o755, ours())
    },
  }
}

function folder(name: string, path: string, mode: number, owner: () => User | null): Part {
  return {
    name,
    what: path,
    problem: () => (existsSync(path) ? wrongOwner(path, mode, owner()) : 'is missing'),
    make() {
      mkdirSync(path, { mode, recursive: true })
      own(path, mode, owner()!)
    },
  }
}

/** A folder that the operator named. One that exists is theirs: it may hold other things, so it is not given to the service. */
function folderInSettings(name: string, path: string, places: Places): Part {
  const there = places.at(path)
  const needed = () => {
    const hidden = hiddenFolder(path)
    if (hidden) return `is in ${hidden}, which the unit hides from the service: set ${name} to another folder`
    if (!existsSync(dirname(there))) return `has no folder above it: mount its disk, or create ${dirname(there)}`
    if (!existsSync(there) || serviceUserMay(places, '-w', there, '-a', '-x', there)) return null
    return `cannot be written to by the user ${serviceName}: run chown ${serviceName} ${there}, or name a folder below it`
  }
  return {
    name: name.toLowerCase(),
    what: `${name} ${there}`,
    problem: () => needed() ?? (existsSync(there) ? null : 'is missing'),
    make() {
      const wrong = needed()
      if (wrong) throw new Error(`${name} ${there} ${wrong}.`)
      mkdirSync(there, { mode: 0o700 })
      own(there, 0o700, findServiceUser(places)!)
    },
  }
}

function file(name: string, path: string, mode: number, text: string, { isKept = false } = {}): Part {
  const differs = () => !isKept && readFileSync(path, 'utf8') !== text
  return {
    name,
    what: path,
    problem() {
      if (!existsSync(path)) return 'is missing'
      return differs() ? 'is not that of this version' : wrongOwner(path, mode, ours())
    },
    make() {
      mkdirSync(dirname(path), { recursive: true })
      if (!existsSync(path) || differs()) replaceFile(path, text, mode)
      own(path, mode, ours())
    },
  }
}

/** A part of the unit that depends on the settings; null if they need none. */
function unitPart(name: string, path: string, wanted: () => string | null): Part {
  const found = () => (existsSync(path) ? readFileSync(path, 'utf8') : null)
  return {
    name,
    what: path,
    problem() {
      if (found() === wanted()) return null
      return found() === null ? 'is missing' : 'does not fit the settings'
    },
    make() {
      const text = wanted()
      if (text === null) return rmSync(path)
      mkdirSync(dirname(path), { recursive: true })
      replaceFile(path, text, 0o644)
    },
  }
}

/** Returns the environment of the service, as systemd makes it: the unit, and then the settings, or `example` if there are none. */
export function serviceEnvironment({ settings }: Places, unit: string, example = ''): Record<string, string> {
  return { ...environmentOf(unit), ...readSettings(existsSync(settings) ? readFileSync(settings, 'utf8') : example) }
}

/** Returns the folders to which the service writes, by the variables that name them. A bucket is none. */
export function dataFolders(environment: Record<string, string>): [name: string, folder: string][] {
  return ['DATA_DIR', 'BACKUP_DIR', 'CONTINUOUS_BACKUP'].flatMap((name): [string, string][] => {
    const folder = environment[name]?.trim() ?? ''
    return folder === '' || folder.startsWith('s3:') ? [] : [[name, folder]]
  })
}

/** Returns the data folders that the unit does not make writable by itself. */
function foldersInSettings(environment: Record<string, string>, unit: string): [name: string, folder: string][] {
  return dataFolders(environment).filter(([, folder]) => !isWithin(folder, stateFolder(unit)))
}

function wrongOwner(path: string, mode: number, owner: User | null): string | null {
  const found = statSync(path)
  if (!owner || found.uid !== owner.uid || found.gid !== owner.gid)
    return `belongs to user ${found.uid} and group ${found.gid}${owner ? `, not ${owner.uid} and ${owner.gid}` : ''}`
  const bits = found.mode & 0o777
  return bits === mode ? null : `has mode ${octal(bits)}, not ${octal(mode)}`
}

const octal = (mode: number) => mode.toString(8).padStart(4, '0')

function own(path: string, mode: number, { uid, gid }: User): void {
  if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a symbolic link: replace it with what it leads to.`)
  chownSync(path, uid, gid)
  chmodSync(path, mode)
}

/** Makes systemd read the unit again, where it runs. */
export function reloadUnits(places: Places): void {
  if (isSystemdRunning(places)) execFileSync('systemctl', ['daemon-reload'])
}

export const isSystemdRunning = ({ at }: Places) => existsSync(at('/run/systemd/system'))
