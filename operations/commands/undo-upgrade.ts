import { execFile } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { asOwner } from '../../server/platform/database/connect.ts'
import { schemaState, untilNotMigrating } from '../../server/platform/database/migrate.ts'
import { programVersion } from '../../server/platform/program-version.ts'
import type { UnfinishedUpgrade } from '../deployment/interrupted-upgrade.ts'
import { programFolder } from './install.ts'
import { dataFolders, readVariables, withOwner } from './open.ts'

/**
 * Restores the data from before an upgrade that was killed, so that this version, which is still the current one, starts. Nothing is
 * lost: no service ran meanwhile. Does nothing while no record of an upgrade exists.
 */
export async function undoInterruptedUpgrade(log: (message: string) => void): Promise<void> {
  const releases = dirname(programFolder)
  if (basename(releases) !== 'releases') return
  const { findUpgrade, isUndone, markUndone, preventUpgrades } = await import('../deployment/interrupted-upgrade.ts')
  const programs = dirname(releases)
  const upgrade = findUpgrade(programs)
  if (upgrade?.from !== programVersion) return
  const lock = preventUpgrades(programs)
  try {
    const { owner, given, dataDir } = readVariables().settings
    if ((given && !owner) || isUndone(dataDir, upgrade)) return
    // A step of the upgrade may still be ending, which changes the database.
    if (owner) await asOwner(owner, untilNotMigrating)
    else {
      const { untilUnused } = await import('../embedded/embedded.ts')
      await untilUnused(dataDir)
    }
    await withOwner((target) => restore(target, upgrade, { releases, log }))
    markUndone(dataDir, upgrade)
  } finally {
    lock.release()
  }
}

type Target = Parameters<Parameters<typeof withOwner>[0]>[0]

async function restore(
  target: Target,
  upgrade: UnfinishedUpgrade,
  { releases, log }: { releases: string; log(message: string): void },
): Promise<void> {
  const { is, snapshot } = await asOwner(target.owner, schemaState)
  // The embedded database names its own.
  const file = snapshot ?? upgrade.snapshot
  if (is !== 'newer' || !file) return
  log(`The upgrade to version ${upgrade.to} was interrupted: restoring the data from before it`)
  if (snapshot) {
    const { openBackup, restoreBackup } = await import('../backup/restore-backup.ts')
    const { setAsideLines } = await import('../backup/set-aside.ts')
    const { set_aside } = await restoreBackup(await openBackup(file, dataFolders()), { ...target, replace: true })
    for (const line of set_aside ? setAsideLines(set_aside) : []) log(line)
  } else {
    // In a database that may hold other things, only the newer version knows what it has made.
    const newer = join(releases, upgrade.to, 'bin/lead-engine.js')
    await promisify(execFile)(process.execPath, [newer, 'restore', file, '--yes', '--as-saved'])
  }
  log(`Restored ${file}`)
}
