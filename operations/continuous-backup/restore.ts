import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import { migrate, schemaProblem, schemaState } from '../../server/platform/database/migrate.ts'
import { resetPassword } from '../../server/platform/database/service-roles.ts'
import { deleteAgain } from '../accounts/deleted-accounts.ts'
import { eraseAgain } from '../backup/erase-again.ts'
import { completeErasedList, erasedListName, findErasedLists } from '../backup/erased-list.ts'
import { countRows } from '../backup/restore-backup.ts'
import type { Steps } from '../backup/steps.ts'
import { withoutTimeLimits } from '../backup/time-limits.ts'
import { replaceData } from '../embedded/replace-data.ts'
import { UnusableDatabase } from '../embedded/server.ts'
import { type Choice, findBases } from './choose-base.ts'
import { Damage } from './encryption.ts'
import { readErasedLeads } from './erased-leads.ts'
import { openTarget } from './open-target.ts'
import { recover } from './recover.ts'
import type { ContinuousSettings } from './settings.ts'
import type { Target } from './target.ts'
import { unpackBase } from './unpack-base.ts'

export interface RestoredDatabase {
  accounts: number
  leads: number
  erased_again: number
  /** The names of accounts that were deleted since, and so again. */
  accounts_erased_again?: string[]
  /** The time of the last change that was restored. */
  restored_to: string
  /** Where the database is that was there before; null if there was none. */
  former: string | null
  /** When the base was complete from which it was restored. */
  base: string
  /** What is damaged in the newer ones. */
  damaged: string[]
  /** Why later changes could not be restored. */
  problem: string | null
  /** Which deletions are not known: leads that were deleted after that time may be back. */
  lost_deletions: string[]
}

interface Options {
  /** Null: up to the last change. */
  until: Date | null
  dataDir: string
  /** Folders that may contain lists of deleted leads. */
  folders: string[]
  /** Whether existing data may be replaced. */
  replace: boolean
  steps: Steps
  signal: AbortSignal
  log(message: string): void
}

/**
 * Replaces the embedded database by that of a time. The former one stays in its place until the new one is complete. If a base is damaged,
 * the one before it is restored, with the log since.
 */
export async function restoreDatabase(settings: ContinuousSettings, options: Options): Promise<RestoredDatabase> {
  const { until, dataDir, log } = options
  const target = openTarget(settings.target)
  const what = `the continuous backup in ${target.name}`
  const { filled, former } = await replaceData(dataDir, { ...options, what }, async (replacement) => {
    const damaged: string[] = []
    for await (const found of findBases(target, settings.secret, until)) {
      try {
        if ('problem' in found) throw new Damage(found.problem)
        return { ...(await restoreBase(found, target, { settings, options, replacement })), damaged }
      } catch (error) {
        if (!(error instanceof Damage || error instanceof UnusableDatabase)) throw error
        damaged.push(error.message)
        log(`A base backup cannot be restored: ${error.message}. Looking for the one before it.`)
        await rm(join(replacement.dir, 'postgres'), { recursive: true, force: true })
      }
    }
    throw new Error(
      `Nothing can be restored from ${target.name}, and nothing was changed: ${damaged.join('; ')}. Restore a daily backup.`,
    )
  })
  return { ...filled, former }
}

interface Restore {
  settings: ContinuousSettings
  options: Options
  replacement: { dir: string; password: string }
}

async function restoreBase(choice: Choice, target: Target, { settings, options, replacement }: Restore) {
  const { until, dataDir, folders, signal, log } = options
  const { dir, password } = replacement
  const { problem } = await unpackBase(choice, join(dir, 'postgres'), options)
  log('Replaying the log')
  const recovered = await recover(dir, { until, durable: true, signal, log })
  try {
    const saved = join(dir, erasedListName)
    const lost_deletions: string[] = []
    const lines = readErasedLeads(target, settings.secret, (lost) => lost_deletions.push(lost))
    await rm(saved, { force: true })
    for await (const some of lines) await appendFile(saved, some)
    const lists = await findErasedLists(saved, folders)
    const base = choice.base.finished_at
    const restoredTo = recovered.last_change_at ?? base
    const list = join(dataDir, erasedListName)
    const counts = await finish(recovered.owner, { password, lists, list, restoredTo })
    return { ...counts, restored_to: restoredTo.toISOString(), base: base.toISOString(), problem, lost_deletions }
  } finally {
    await recovered.stop()
  }
}

interface Finish {
  password: string
  /** The lists of leads to delete again. */
  lists: string[]
  /** The list of this installation. */
  list: string
  restoredTo: Date
}

/** What a restore of a file does too: later migrations, leads that were deleted since, and no sessions. */
function finish(owner: Connection, { password, lists, list, restoredTo }: Finish) {
  return asOwner(owner, async (sql) => {
    const state = await schemaState(sql)
    if (state.is === 'older') await migrate(sql)
    else if (state.is !== 'current') throw schemaProblem(state) ?? new Error('The backup has no tables of Lead Engine.')
    const [deleted, erased_again] = await sql.begin(async (tx) => {
      await withoutTimeLimits(tx)
      await tx`truncate sessions, verifications`
      await tx`delete from continuous_backup`
      return [await deleteAgain(tx, lists, restoredTo), await eraseAgain(tx, lists)] as const
    })
    await completeErasedList(sql, list)
    await resetPassword(sql, owner.username, password)
    return {
      ...(await countRows(sql)),
      erased_again,
      ...(deleted.length > 0 ? { accounts_erased_again: deleted } : {}),
    }
  })
}
