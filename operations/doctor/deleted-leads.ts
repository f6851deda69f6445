import { join } from 'node:path'
import { completeErasedList, countMissing, erasedListName } from '../backup/erased-list.ts'
import { type Check, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** A restore deletes again what these lists name. Without a line, it brings a deleted person back. */
export const deletedLeads = ({ config, settings, owner, sql, isWritable, repair }: Installation): Check => ({
  name: 'deleted_leads',
  seconds: 60,
  async run() {
    isWritable.get()
    if (!owner.orNull()) return fine('Not checked: only the owner of the tables can compare the lists.')
    const { backupDir } = config.get()
    const lists = [settings.get().dataDir, ...(backupDir ? [backupDir] : [])].map((folder) =>
      join(folder, erasedListName),
    )
    const incomplete: string[] = []
    for (const list of lists) {
      const missing = await countMissing(sql.get(), list)
      if (missing === 0) continue
      incomplete.push(`${list} lacks ${missing} of the deleted leads`)
      if (repair === 'everything') await completeErasedList(sql.get(), list)
    }
    if (incomplete.length === 0) return fine('The lists of deleted leads are complete.')
    const wrong = `${incomplete.join('; ')}: a restore would bring them back.`
    if (repair === 'everything') return fine(`${wrong} Repaired.`)
    return problem(
      wrong,
      'Run lead-engine doctor --repair, which writes the lines again. Keep programs such as logrotate away from the file.',
    )
  },
})
