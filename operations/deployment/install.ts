import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { areOnSameDisk } from '../doctor/disk-space.ts'
import { dataFolders, isSystemdRunning, partsOf, readUnit, reloadUnits, serviceEnvironment } from './parts.ts'
import { type Places, serviceName } from './places.ts'
import { currentRelease, readRelease } from './releases.ts'
import { findServiceUser, removeServiceUser } from './service-user.ts'
import { readSettings } from './settings-file.ts'
import { stateFolder } from './unit.ts'

type Report = (line: string) => void

/** Makes what is missing or wrong. Returns how many parts that were. */
export function install(
  places: Places,
  release: string,
  { dryRun, domain, report }: { dryRun: boolean; domain?: string | undefined; report: Report },
): number {
  const { name } = readRelease(release)
  if (domain) checkDomain(places, domain)
  const current = currentRelease(places)
  if (current && current.name !== name)
    throw new Error(
      `Version ${current.name} is installed: run lead-engine upgrade with the package of version ${name}.`,
    )
  const [make, correct] = dryRun ? ['Would make', 'Would correct'] : ['Made', 'Corrected']
  let made = 0
  for (const part of partsOf(places, release, { domain })) {
    const problem = part.problem()
    if (!problem) continue
    made++
    if (!dryRun) part.make()
    report(problem === 'is missing' ? `${make} ${part.what}` : `${correct} ${part.what}, which ${problem}`)
  }
  if (made > 0 && !dryRun) reloadUnits(places)
  return made
}

/** Settings that exist are the operator's: they are not changed. */
function checkDomain({ settings }: Places, domain: string): void {
  readConfig({ DOMAIN: domain })
  if (!existsSync(settings) || readSettings(readFileSync(settings, 'utf8')).DOMAIN === domain) return
  throw new Error(
    `${settings} exists: write DOMAIN=${domain} there, remove BASE_URL and TRUST_PROXY, and run lead-engine install.`,
  )
}

/** Returns a sentence if a broken disk would take the embedded database and all its backups, or null. */
export function backupWarning(places: Places, release: string): string | null {
  const { DATABASE_URL, DATA_DIR, BACKUP_DIR, CONTINUOUS_BACKUP } = serviceEnvironment(places, readUnit(release))
  if (DATABASE_URL || CONTINUOUS_BACKUP || !DATA_DIR) return null
  const fix = `set BACKUP_DIR in ${places.settings} to a folder on another disk.`
  if (!BACKUP_DIR) return `No backups are made: ${fix}`
  const [data, backups] = [places.at(DATA_DIR), places.at(BACKUP_DIR)]
  if (!existsSync(data) || !existsSync(backups) || !areOnSameDisk(data, backups)) return null
  return `Daily backups go to ${backups}, which is on the disk of the data: ${fix}`
}

/** Removes what `install` made. Data, backups and settings stay. Returns sentences about what stays. */
export function uninstall(places: Places, report: Report): string[] {
  const { root, at } = places
  const current = currentRelease(places)
  const unit = existsSync(places.unit) ? readFileSync(places.unit, 'utf8') : ''
  const environment = serviceEnvironment(places, unit)
  if (isSystemdRunning(places) && unit) {
    execFileSync('systemctl', ['disable', '--now', serviceName], { stdio: ['ignore', 'ignore', 'pipe'] })
    report(`${serviceName}.service stopped and disabled`)
  }
  const template = current && join(current.folder, 'deploy/environment')
  const example = template && existsSync(template) ? readFileSync(template, 'utf8') : ''
  const isUnchanged = existsSync(places.settings) && readFileSync(places.settings, 'utf8') === example
  const removed = [
    places.unit,
    places.unitFolders,
    places.unitPorts,
    places.command,
    ...(isUnchanged ? [places.settings] : []),
  ]
  for (const path of [...removed, places.programs]) {
    if (!existsSync(path)) continue
    rmSync(path, { recursive: true })
    report(`${path} removed`)
  }
  const state = at(stateFolder(unit))
  const { BACKUP_DIR: backups } = readSettings(example)
  const own = [
    dirname(places.unitFolders),
    dirname(places.settings),
    ...(unit ? [state] : []),
    ...(backups ? [at(backups)] : []),
  ]
  for (const folder of own) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
  reloadUnits(places)

  const data = dataFolders(environment)
    .map(([, folder]) => at(folder))
    .filter((path) => existsSync(path))
  const kept = [...data, ...(existsSync(places.settings) ? [places.settings] : [])]
  if (data.length === 0 && findServiceUser(places)) {
    removeServiceUser(places)
    report(`the user ${serviceName} removed`)
  }
  if (kept.length === 0) return []
  const alsoUser = data.length > 0 ? ` The user ${serviceName} owns it, and stays too.` : ''
  const image = root === '/' ? '' : ` --prefix ${root}`
  return [
    `Your data stays: ${kept.join(', ')}.${alsoUser}`,
    `To delete it permanently: rm -r ${kept.join(' ')}${data.length > 0 ? ` && userdel${image} ${serviceName}` : ''}`,
  ]
}
