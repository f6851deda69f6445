import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A version whose databases and backups are brought to the baseline, which are the migrations 0080 to 0090. Those of other versions
 * before the baseline go through one of these versions first.
 */
interface Earlier {
  version: string
  /** Its last migration. */
  migration: string
  /** Brings its tables to the baseline. */
  upgrade: string
  /** Whether the upgrade makes what a migration makes. Others are applied after it. */
  makes: (file: string) => boolean
}

const numberOf = (file: string) => Number.parseInt(file, 10)
const read = (file: string) => readFileSync(join(import.meta.dirname, 'migrations', file), 'utf8')

const v02: Earlier = {
  version: '0.2',
  migration: '0045_totals_by_value.sql',
  upgrade: read('upgrade-from-45.sql'),
  makes: (file) => numberOf(file) <= 82,
}
const beforeBaseline: Earlier = {
  version: '0.3.0+2e59f53f',
  migration: '0079_erased_ips.sql',
  upgrade: read('upgrade-from-79.sql'),
  makes: (file) => numberOf(file) <= 90,
}

export const upgradeTexts = [v02.upgrade, beforeBaseline.upgrade]

/** Returns the version of a database or a backup that the upgrade brings to the baseline. Null for all others. */
export const earlierVersion = (applied: string[]): Earlier | null =>
  [v02, beforeBaseline].find(({ migration }) => applied.includes(migration)) ?? null

/** Returns the version that a database or a backup goes through first. Null if it needs none. */
export function versionBefore(applied: string[]): Earlier | null {
  const former = applied.filter((file) => !(numberOf(file) >= 80))
  if (earlierVersion(applied) || former.length === 0) return null
  return former.some((file) => numberOf(file) > numberOf(v02.migration)) ? beforeBaseline : v02
}

/** Returns which migrations make the tables into which a backup is copied. The counts of version 0.2 are not: the rows are counted. */
export const makesTablesOf = (backup: string[]) =>
  earlierVersion(backup)?.makes ?? ((file: string) => backup.includes(file))
