import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lock, tryLock } from '../embedded/lock.ts'
import { replaceFile } from './replace-file.ts'

/** An upgrade that may have changed the database, while the version `from` is still the current one. */
export interface UnfinishedUpgrade {
  from: string
  to: string
  started_at: string
  /** The backup of an external PostgreSQL from before its migration. The embedded one records its own. */
  snapshot: string | null
}

/*
 * The record and the lock are in the folder of the programs, which only root may write to. In the data folder, the user of the service could
 * replace them with links, which root would follow.
 */
const recordIn = (programs: string) => join(programs, 'upgrade.json')
const lockIn = (programs: string) => join(programs, 'upgrade.lock')

export function findUpgrade(programs: string): UnfinishedUpgrade | null {
  const file = recordIn(programs)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

export function recordUpgrade(programs: string, upgrade: UnfinishedUpgrade): void {
  replaceFile(recordIn(programs), JSON.stringify(upgrade), 0o644)
}

export function forgetUpgrade(programs: string): void {
  rmSync(recordIn(programs), { force: true })
}

/** Where the service, which cannot remove the record, notes that it has restored the data. So it does so once only. */
const noteIn = (dataDir: string) => join(dataDir, 'undone-upgrade')

export const isUndone = (dataDir: string, { started_at }: UnfinishedUpgrade) =>
  existsSync(noteIn(dataDir)) && readFileSync(noteIn(dataDir), 'utf8') === started_at

export const markUndone = (dataDir: string, { started_at }: UnfinishedUpgrade) =>
  writeFileSync(noteIn(dataDir), started_at)

/** Held while an upgrade runs. Ends with its process, however that ends. */
export function takeUpgradeLock(programs: string): Lock {
  const lock = tryLock(lockIn(programs), 'exclusive')
  if (!lock) throw new Error(running)
  return lock
}

/** Held by a service that undoes what an upgrade left. Its user may only read the file of the lock. */
export function preventUpgrades(programs: string): Lock {
  const lock = tryLock(lockIn(programs), 'shared')
  if (!lock) throw new Error(running)
  return lock
}

const running = 'lead-engine upgrade is running: wait until it has ended.'
