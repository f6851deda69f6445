import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import type { SchemaState } from '../../server/platform/database/migrate.ts'
import { askService, localUrl } from '../doctor/ask-service.ts'
import type { CheckResult } from '../doctor/check.ts'
import {
  findUpgrade,
  forgetUpgrade,
  recordUpgrade,
  takeUpgradeLock,
  type UnfinishedUpgrade,
} from './interrupted-upgrade.ts'
import { type Places, serviceName } from './places.ts'
import {
  addRelease,
  currentRelease,
  keepPrevious,
  makeCurrent,
  previousRelease,
  type Release,
  readRelease,
  removeOldReleases,
} from './releases.ts'
import { askRelease, environmentOfRelease, installFilesOf } from './run-release.ts'
import { serviceUnit, whyNotReady } from './service.ts'

interface Options {
  say(line: string): void
  /** Ends the step that runs. Then the version from before is made to run again. */
  stopping: AbortSignal
}

/** Upgrades to the release in a package, or goes back to how it was. Throws what went wrong, when all runs as before. */
export async function upgrade(places: Places, path: string, options: Options): Promise<void> {
  const from = installedRelease(places)
  const lock = takeUpgradeLock(places.programs)
  try {
    await cleanUp(places, from, options)
    options.say(`Unpacking ${path} beside version ${from.name}`)
    const to = addRelease(places, path)
    try {
      await exchange(places, from, to, options)
    } finally {
      removeOldReleases(places)
    }
    options.say(`Version ${from.name} is kept: lead-engine upgrade --back`)
  } finally {
    lock.release()
  }
}

/** Goes back to the version from before the last upgrade. `lose` confirms that changes since then are lost, if they must be. */
export async function goBack(places: Places, { lose, ...options }: Options & { lose: boolean }): Promise<void> {
  const from = installedRelease(places)
  const lock = takeUpgradeLock(places.programs)
  try {
    await cleanUp(places, from, options)
    const to = previousRelease(places)
    if (!to || to.name === from.name)
      throw new Error('No earlier version is kept here: run lead-engine upgrade with its package.')
    const unit = await mustBeIdle(places, from)
    const schema = await schemaFor(places, to)
    if (schema?.is === 'newer') mayRestore(to, schema, lose)
    const wasStarted = unit.isStarted()
    if (wasStarted) stop(unit, from, options)
    try {
      await restoreFor(places, to, options)
      await switchTo(places, to, options)
    } catch (error) {
      await switchTo(places, from, options)
      await start(places, from, { ...options, wasStarted })
      throw error
    }
    keepPrevious(places, null)
    removeOldReleases(places)
    await start(places, to, { ...options, wasStarted })
  } finally {
    lock.release()
  }
}

/** Checks this before the service is stopped. */
function mayRestore({ name }: Release, { snapshot }: SchemaState, lose: boolean): void {
  const cannot = `Version ${name} cannot use the database as it is.`
  if (!snapshot) throw new Error(`${cannot} Restore a backup with that version, into an empty database.`)
  if (!lose) throw new Error(`${cannot} To lose everything since the upgrade, and restore ${snapshot}, add --yes.`)
}

function installedRelease(places: Places): Release {
  const current = currentRelease(places)
  if (!current)
    throw new Error(`Nothing is installed in ${places.programs}: run lead-engine install from an unpacked release.`)
  return current
}

/** Removes what a killed upgrade left, and restores the data if the service does not run. */
async function cleanUp(places: Places, current: Release, options: Options): Promise<void> {
  const unfinished = findUpgrade(places.programs)
  if (unfinished) {
    options.say(`The upgrade to version ${unfinished.to} was interrupted at ${unfinished.started_at}`)
    if (unfinished.from === current.name && !serviceUnit(places).isActive())
      await restoreFor(places, current, options, unfinished)
    forgetUpgrade(places.programs)
  }
  removeOldReleases(places)
}

async function exchange(places: Places, from: Release, to: Release, options: Options): Promise<void> {
  const { say, stopping } = options
  mustBeFine(await problemsOf(places, to, ['configuration'], stopping))
  // Fails while a disk is not mounted: then it would fail after the switch too.
  await installFilesOf(places, from)
  const unit = await mustBeIdle(places, from)
  const before = await schemaFor(places, to)
  if (before) {
    say(`Checking version ${from.name}`)
    mustBeFine(await problemsOf(places, from, essential, stopping))
  }
  const wasStarted = unit.isStarted()
  const earlier = previousRelease(places)
  const record: UnfinishedUpgrade = {
    from: from.name,
    to: to.name,
    started_at: new Date().toISOString(),
    snapshot: null,
  }
  if (wasStarted) stop(unit, from, options)
  try {
    recordUpgrade(places.programs, record)
    if (before) await migrate(places, { record, from, to, before }, options)
    keepPrevious(places, from)
    await switchTo(places, to, options)
    forgetUpgrade(places.programs)
    await start(places, to, { ...options, wasStarted })
  } catch (error) {
    const { message } = error as Error
    const reason = stopping.aborted ? 'it was stopped' : message.replace(/\.$/, '')
    say(`Going back to version ${from.name}`)
    keepPrevious(places, earlier)
    await undo(places, from, record, { ...options, wasStarted }).catch((cause: Error) => {
      throw new Error(
        `The upgrade to version ${to.name} failed: ${reason}. Going back failed too: ${cause.message} Correct that, then run lead-engine upgrade again.`,
        { cause },
      )
    })
    throw new Error(
      `The upgrade to version ${to.name} failed: ${reason}. Version ${from.name} is the current one, as before.`,
      { cause: error },
    )
  }
}

interface Migration {
  record: UnfinishedUpgrade
  from: Release
  to: Release
  before: SchemaState
}

async function migrate(places: Places, { record, from, to, before }: Migration, options: Options): Promise<void> {
  const { say, stopping } = options
  if (before.is === 'older') {
    if (!isEmbedded(places, to) && !areCompatible(to, before.files)) {
      const file = join(
        environmentOfRelease(places, to).DATA_DIR ?? '',
        `before-upgrade-${record.started_at.replaceAll(':', '-')}.backup`,
      )
      say(`Saving the data in ${file}`)
      await askRelease(places, from, ['backup', file], stopping)
      record.snapshot = file
      recordUpgrade(places.programs, record)
    }
    say(`Migrating the database: ${before.files.length === 1 ? before.files[0] : `${before.files.length} migrations`}`)
    const { snapshot } = await askRelease<{ snapshot: string | null }>(places, to, ['migrate'], stopping)
    if (snapshot) say(`The data from before is saved in ${snapshot}`)
  }
  say(`Checking version ${to.name}`)
  const problems = await problemsOf(places, to, essential, stopping)
  if (problems.length > 0) throw new Error(`doctor of version ${to.name}: ${problems.join(' ')}`)
}

/** Whether the version before can use the database after these migrations. */
const areCompatible = ({ folder }: Release, files: string[]) =>
  files.every((file) =>
    readFileSync(join(folder, 'server/platform/database/migrations', file), 'utf8').startsWith('-- compatible: yes\n'),
  )

async function undo(
  places: Places,
  from: Release,
  record: UnfinishedUpgrade,
  options: Options & { wasStarted: boolean },
): Promise<void> {
  const calm = { ...options, stopping: new AbortController().signal }
  const unit = serviceUnit(places)
  if (unit.isStarted()) unit.stop()
  // A kill while going back must lead back too.
  recordUpgrade(places.programs, record)
  if (currentRelease(places)?.name !== from.name) await switchTo(places, from, calm)
  await restoreFor(places, from, calm, record)
  forgetUpgrade(places.programs)
  await start(places, from, calm)
}

/** Restores the snapshot that this release needs. Without need, because the migrations are compatible, nothing is lost. */
async function restoreFor(
  places: Places,
  release: Release,
  { say }: Options,
  record: UnfinishedUpgrade | null = null,
): Promise<void> {
  const schema = await schemaFor(places, release)
  if (schema?.is !== 'newer') return
  const snapshot = schema.snapshot ?? record?.snapshot
  if (!snapshot)
    throw new Error(
      `Version ${release.name} cannot use the database, and no snapshot of it was saved: restore a backup.`,
    )
  say(`Restoring the data from ${snapshot}`)
  if (schema.snapshot) await askRelease(places, release, ['restore', snapshot, '--yes'])
  else {
    // In a database that may hold other things, only the newer version knows what it has made.
    const newer = readRelease(join(places.programs, 'releases', record!.to))
    await askRelease(places, newer, ['restore', snapshot, '--yes', '--as-saved'])
  }
}

async function switchTo(places: Places, release: Release, { say }: Options): Promise<void> {
  makeCurrent(places, release)
  await installFilesOf(places, release)
  say(`Version ${release.name} is the current one`)
}

function stop(unit: ReturnType<typeof serviceUnit>, { name }: Release, { say }: Options): void {
  unit.stop()
  say(`Stopped the service, version ${name}`)
}

async function start(
  places: Places,
  release: Release,
  { say, wasStarted }: Options & { wasStarted: boolean },
): Promise<void> {
  if (!wasStarted) return say('The service did not run: start it.')
  const unit = serviceUnit(places)
  unit.start()
  const url = localUrl(readConfig(environmentOfRelease(places, release)))
  const problem = await whyNotReady(url, release.name, unit.isActive)
  if (problem) throw new Error(`version ${release.name} is not ready: ${problem}`)
  say(`The service runs, version ${release.name}`)
}

/** Only systemd can restart the service: one that was started in another way must be stopped in that way. */
async function mustBeIdle(places: Places, release: Release): Promise<ReturnType<typeof serviceUnit>> {
  const unit = serviceUnit(places)
  if (unit.isStarted()) return unit
  const url = localUrl(readConfig(environmentOfRelease(places, release)))
  const answered = await askService(url, { proof: null, anyCertificate: true }).catch(() => null)
  if (answered?.isLeadEngine)
    throw new Error(
      `A Lead Engine runs at ${url}, and not as ${serviceName}.service: stop it, upgrade, and start it again.`,
    )
  return unit
}

/** Returns null if there is no database yet. */
async function schemaFor(places: Places, release: Release): Promise<SchemaState | null> {
  const { DATA_DIR = '' } = environmentOfRelease(places, release)
  if (isEmbedded(places, release) && !existsSync(join(DATA_DIR, 'postgres/PG_VERSION'))) return null
  return askRelease(places, release, ['migrate', '--dry-run'])
}

function isEmbedded(places: Places, release: Release): boolean {
  const { DATABASE_URL, DATABASE_APP_URL } = environmentOfRelease(places, release)
  return !DATABASE_URL?.trim() && !DATABASE_APP_URL?.trim()
}

/** What must be right for a version to work. Others, such as the mail server, do not depend on the version. */
const essential = [
  'configuration',
  'data_folder',
  'database',
  'database_version',
  'schema',
  'writes',
  'database_rights',
  'session',
]

/** The other checks read whole tables, while the service is stopped. */
async function problemsOf(places: Places, release: Release, names: string[], signal: AbortSignal): Promise<string[]> {
  const args = ['doctor', '--only', names.join(',')]
  const { checks } = await askRelease<{ checks: CheckResult[] }>(places, release, args, signal)
  const wrong = checks.filter(({ ok }) => !ok)
  return wrong.map(({ message, fix }) => (fix ? `${message} ${fix}` : message))
}

function mustBeFine(problems: string[]): void {
  if (problems.length > 0) throw new Error(`Fix what is wrong before you upgrade: ${problems.join(' ')}`)
}
