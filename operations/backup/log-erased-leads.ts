import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Counter, type Registry } from 'prom-client'
import type { Database } from '../../server/platform/database/connect.ts'
import { repeat } from '../../server/platform/database/repeat.ts'
import { appendToList, type ErasedLead, erasedLeads, readErasedLine } from './erased-list.ts'

const every = 1000
const retryAfter = 60_000
/** A deletion is committed within this time: its row may appear after later ones. */
const maxDeletionMs = 120_000
const batchSize = 5000

interface Settings {
  lists: string[]
  metrics: Registry
  onError(error: unknown, list: string): void
}

/**
 * Writes the ids of deleted leads to files outside of the database, within about a second, whichever process deleted them.
 * What was deleted while no service ran, or while a file could not be written, follows later.
 */
export function logErasedLeads(database: Database, { lists, metrics, onError }: Settings) {
  const failures = new Counter({
    name: 'lead_engine_erased_leads_log_failures_total',
    help: 'Failed attempts to write the ids of deleted leads to a file',
    labelNames: ['file'] as const,
    registers: [metrics],
  })
  for (const file of lists) failures.inc({ file }, 0)
  function keep(path: string) {
    const list = openList(path)
    let failed = false
    const update = async () => {
      await bringUpToDate(database, list)
      failed = false
    }
    const report = (error: unknown) => {
      failures.inc({ file: path })
      if (!failed) onError(error, path)
      failed = true
    }
    const { watch } = database
    const updating = repeat(update, { every, first: 0, retryAfter, watch, onError: report })
    return async () => {
      await updating.stop()
      // What was deleted since the last round.
      if (!failed && !watch?.away) await update().catch(report)
    }
  }
  const stops = lists.map(keep)
  return { stop: () => Promise.all(stops.map((stop) => stop())) }
}

/** A list, and what was read of it. Other processes may append to it too. */
interface OpenList {
  path: string
  readTo: number
  /** The times of the newest entries, by lead. */
  recent: Map<string, number>
  newest: number
}

export const openList = (path: string): OpenList => ({ path, readTo: 0, recent: new Map(), newest: 0 })

/** Appends what the database has and the list lacks, from shortly before the newest entry on. */
export async function bringUpToDate(database: Pick<Database, 'directory'>, list: OpenList): Promise<void> {
  await readNewLines(list)
  const sql = database.directory
  let from = { at: new Date(Math.max(0, list.newest - maxDeletionMs)).toISOString(), lead_id: nil }
  for (;;) {
    const rows = await sql<ErasedLead[]>`${erasedLeads(sql)}
      where (at, lead_id) > (${from.at}, ${from.lead_id}::uuid) order by erased_leads.at, lead_id limit ${batchSize}`
    const missing = rows.filter(({ lead_id }) => !list.recent.has(lead_id))
    if (missing.length > 0) {
      await appendToList(list.path, missing)
      await readNewLines(list)
    }
    if (rows.length < batchSize) return
    from = rows.at(-1)!
  }
}

const nil = '00000000-0000-0000-0000-000000000000'

async function readNewLines(list: OpenList): Promise<void> {
  const size = (await stat(list.path).catch(() => null))?.size ?? 0
  // It was removed or replaced.
  if (size < list.readTo) Object.assign(list, openList(list.path))
  if (size === list.readTo) return
  const input = createReadStream(list.path, { start: list.readTo, end: size - 1 })
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const erased = readErasedLine(text)
    if (erased) remember(list, erased)
  }
  list.readTo = size
}

function remember(list: OpenList, { lead_id, at }: ErasedLead): void {
  const time = Date.parse(at)
  list.newest = Math.max(list.newest, time)
  list.recent.set(lead_id, time)
  // In the order of insertion: the first are the oldest, or nearly.
  for (const [id, old] of list.recent) {
    if (old >= list.newest - 2 * maxDeletionMs) break
    list.recent.delete(id)
  }
}
