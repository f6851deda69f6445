import { basename, dirname } from 'node:path'
import { asOwner } from '../../server/platform/database/connect.ts'
import { schemaState } from '../../server/platform/database/migrate.ts'
import { programVersion } from '../../server/platform/program-version.ts'
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
    // Only the embedded database has such snapshots.
    if (owner || given || isUndone(dataDir, upgrade)) return
    await withOwner((target) => restoreSnapshot(target, upgrade.to, log))
    markUndone(dataDir, upgrade)
  } finally {
    lock.release()
  }
}

type Target = Parameters<Parameters<typeof withOwner>[0]>[0]

async function restoreSnapshot(target: Target, newer: string, log: (message: string) => void): Promise<void> {
  const { is, snapshot } = await asOwner(target.owner, schemaState)
  if (is !== 'newer' || !snapshot) return
  const { openBackup, restoreBackup } = await import('../backup/restore-backup.ts')
  const { setAsideLines } = await import('../backup/set-aside.ts')
  log(`The upgrade to version ${newer} was interrupted: restoring the data from before it`)
  const backup = await openBackup(snapshot, dataFolders())
  const { set_aside } = await restoreBackup(backup, { ...target, replace: true })
  log([`Restored ${snapshot}`, ...(set_aside ? setAsideLines(set_aside) : [])].join('\n'))
}
