import type { Sql } from '../../server/platform/database/sql.ts'
import { type ErasedLead, erasedLeads, erasedLine } from '../backup/erased-list.ts'
import { Damage } from './encryption.ts'
import { type History, listHistories, openHistory, UnreadableHistory } from './history.ts'
import type { Target } from './target.ts'

/** Objects with the ids of deleted leads, so that a restore to a time before can delete them again. */
export const erased = 'erased/'

/** An object with more lines is not added to. */
const maxLines = 5000
/** How long a deletion takes at most, in milliseconds: its row may appear after later ones. */
const maxDeletionMs = 120_000

/** Saves what was deleted since the base backup, which has what was deleted before. */
export function saveErasedLeads(history: History, sql: Sql, since: Date) {
  const series = new Date().toISOString().replaceAll(/[-:.]/g, '').toLowerCase()
  /** The saved leads of the last minutes, with the times of their deletion. */
  const recent = new Map<string, number>()
  let newest = since.getTime()
  let number = 1
  let lines: string[] = []

  return async () => {
    let from = { at: new Date(newest - maxDeletionMs).toISOString(), lead_id: nil }
    for (;;) {
      const rows = await sql<ErasedLead[]>`${erasedLeads(sql)}
        where (at, lead_id) > (${from.at}, ${from.lead_id}::uuid) order by erased_leads.at, lead_id limit ${maxLines}`
      await save(rows.filter(({ lead_id }) => !recent.has(lead_id)))
      if (rows.length < maxLines) return
      from = rows.at(-1)!
    }
  }

  async function save(leads: ErasedLead[]) {
    if (leads.length === 0) return
    const more = [...lines, ...leads.map(erasedLine)]
    await history.put(`${erased}${series}-${String(number).padStart(6, '0')}`, Buffer.from(more.join('')))
    const isFull = more.length >= maxLines
    lines = isFull ? [] : more
    if (isFull) number++
    for (const { lead_id, at } of leads) recent.set(lead_id, Date.parse(at))
    newest = Math.max(newest, ...leads.map(({ at }) => Date.parse(at)))
    // In the order of insertion: the first are the oldest, or nearly.
    for (const [id, at] of recent) {
      if (at >= newest - 2 * maxDeletionMs) break
      recent.delete(id)
    }
  }
}

const nil = '00000000-0000-0000-0000-000000000000'

/** Reads the lines of all histories, also of those that began later. `onDamage` gets what cannot be read. */
export async function* readErasedLeads(
  target: Target,
  secret: string,
  onDamage: (problem: string) => void,
): AsyncGenerator<Buffer> {
  const unlessDamaged = (error: Error) => {
    if (!(error instanceof Damage || error instanceof UnreadableHistory)) throw error
    onDamage(error.message)
    return null
  }
  for (const id of await listHistories(target)) {
    const history = await openHistory(target, secret, id).catch(unlessDamaged)
    for (const { name } of (await history?.list(erased)) ?? []) {
      const lines = await history!.get(name).catch(unlessDamaged)
      if (lines) yield lines
    }
  }
}
