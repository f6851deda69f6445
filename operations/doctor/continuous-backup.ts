import { existsSync } from 'node:fs'
import { type ContinuousState, readState, stateOfDrill, stateOfSaving } from '../continuous-backup/state.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import { areOnSameDisk } from './disk-space.ts'
import type { Installation } from './installation.ts'

export const continuousBackup = ({ config, dataDir, database, now }: Installation): Check => ({
  name: 'continuous_backup',
  async run() {
    const folder = dataDir.get()
    if (!config.get().hasContinuousBackup) return withoutIt(folder !== null)
    const state = await readState(database.get().directory)
    const finding = judgeContinuousBackup(now, state)
    if (!finding.ok || folder === null || !existsSync(state!.target) || !areOnSameDisk(state!.target, folder))
      return finding
    return fine(
      `${finding.message} The folder is on the disk of the database.`,
      'Set CONTINUOUS_BACKUP to a folder on another disk or to a bucket: a broken disk would take both.',
    )
  },
})

function withoutIt(isEmbedded: boolean): Finding {
  if (!isEmbedded)
    return fine(
      'Not used: CONTINUOUS_BACKUP saves the embedded database only.',
      'docs/backup.md says how to save each change of your own PostgreSQL.',
    )
  return fine(
    'CONTINUOUS_BACKUP is not set: a lost disk costs all changes since the last backup.',
    'Set it to a folder on another disk or to a bucket: a lost disk then costs seconds.',
  )
}

export function judgeContinuousBackup(now: Date, state: ContinuousState | null): Finding {
  if (state?.error)
    return problem(
      `The continuous backup fails: ${withoutDot(state.error)}.`,
      'Fix the cause: the service tries again by itself.',
    )
  if (!state)
    return problem(
      'The continuous backup has not started.',
      'Start the service with CONTINUOUS_BACKUP: its log says why it does not start.',
    )
  if (stateOfDrill(state) === 'failed')
    return problem(
      `The last restore drill failed: ${withoutDot(state.drill_error!)}.`,
      'Keep a daily backup, fix the cause, and run lead-engine restore --drill.',
    )
  const saving = stateOfSaving(now, state)
  if (saving === 'waiting') return fine('The first base backup is being made.')
  if (saving === 'saved') {
    const drill = state.drill_at ? 'The last restore drill passed.' : 'No restore was tried yet.'
    return fine(`All changes are saved in ${state.target}. ${drill}`)
  }
  return problem(
    `The continuous backup has saved nothing since ${state.saved_at?.toISOString() ?? 'its begin'}.`,
    'Start the service, or run lead-engine backup --continuous.',
  )
}

const withoutDot = (text: string) => text.replace(/\.$/, '')
