import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asOwner, type Connection } from '../../server/platform/database/connect.ts'
import { migrate, schemaProblem, schemaState } from '../../server/platform/database/migrate.ts'
import { resetPassword } from '../../server/platform/database/service-roles.ts'
import { deleteAgain } from '../accounts/deleted-accounts.ts'
import { eraseAgain } from '../backup/erase-again.ts'
import { completeErasedList, erasedListName, findErasedLists } from '../backup/erased-list.ts'
import type { Steps } from '../backup/steps.ts'
import { withoutTimeLimits } from '../backup/time-limits.ts'
import { replaceData } from '../embedded/replace-data.ts'
import { chooseBase } from './choose-base.ts'
import { countRows } from './drill.ts'
import { readErasedLeads } from './erased-leads.ts'
import { openTarget } from './open-target.ts'
import { recover } from './recover.ts'
import type { ContinuousSettings } from './settings.ts'
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
  /** Why later changes could not be restored. */
  problem: string | null
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

/** Replaces the embedded database by that of a time. The former one stays in its place until the new one is complete. */
export async function restoreDatabase(settings: ContinuousSettings, options: Options): Promise<RestoredDatabase> {
  const { until, dataDir, signal, log } = options
  const target = openTarget(settings.target)
  const choice = await chooseBase(target, settings.secret, until)
  const { filled, former } = await replaceData(dataDir, options, async ({ dir, password }) => {
    const { problem } = await unpackBase(choice, join(dir, 'postgres'), options)
    if (problem && !until) throw new Error(gap(problem))
    log('Replaying the log')
    const recovered = await recover(dir, { until, durable: true, signal, log })
    try {
      const saved = join(dir, erasedListName)
      for await (const lines of readErasedLeads(target, settings.secret)) await appendFile(saved, lines)
      const lists = await findErasedLists(saved, options.folders)
      const restoredTo = recovered.last_change_at ?? choice.base.finished_at
      const list = join(dataDir, erasedListName)
      const counts = await finish(recovered.owner, { password, lists, list, restoredTo })
      return { ...counts, restored_to: restoredTo.toISOString(), problem }
    } finally {
      await recovered.stop()
    }
  })
  return { ...filled, former }
}

const gap = (problem: string) =>
  `${problem}. Nothing was changed. To restore what is before it, run lead-engine restore --until TIME with the present time.`

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
