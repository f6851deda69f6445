import { type Actor, accountActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { type CountTable, countTables } from '../leads/counts.ts'
import { type Check, fine, problem } from './check.ts'
import { compareCounts, countsByDay, type DayRange, rangesOf, repairCounts } from './count-differences.ts'
import type { Installation } from './installation.ts'

export interface CountOptions {
  repair: boolean
  /** In rows that were compared, of about so many. */
  onProgress(done: number, all: number): void
}

/** Compares the stored counts, from which totals and deep pages are answered, with the rows themselves. */
export const counts = ({ database }: Installation, { repair, onProgress }: CountOptions): Check => ({
  name: 'counts',
  seconds: 3600,
  async run(signal) {
    const opened = database.get()
    const parts = await partsOf(opened)
    const all = parts.reduce((sum, { range }) => sum + range.rows, 0)
    let done = 0
    for (const part of parts) {
      signal.throwIfAborted()
      onProgress(done, all)
      await compare(opened, part, repair)
      done += part.range.rows
    }
    onProgress(all, all)
    const wrong = [...new Set(parts.map((part) => part.result))].filter(({ keys }) => keys > 0)
    if (wrong.length === 0) return fine(`All counts equal the rows: ${all.toLocaleString('en-IN')} were compared.`)
    const list = wrong.slice(0, mostNamed).map(textOf).join('; ')
    const text = wrong.length > mostNamed ? `${list}; and ${wrong.length - mostNamed} more` : list
    if (repair) return fine(`Counts differed from the rows and are repaired: ${text}.`)
    return problem(
      `Counts differ from the rows: ${text}.`,
      'Run lead-engine doctor --repair-counts. It may run while the service does.',
    )
  },
})

/** A range of days of one table of counts. The parts of a table have one result. */
interface Part {
  actor: Actor
  table: CountTable
  range: DayRange
  result: Result
}

interface Result {
  account: string
  table: string
  keys: number
  rows: number
}

const mostNamed = 5

const textOf = ({ account, table, keys, rows }: Result) => `${table} of ${account}: ${keys} by ${rows} in total`

async function partsOf(database: Database): Promise<Part[]> {
  const accounts = await database.directory<{ id: string; name: string }[]>`
    select id, name from accounts order by name`
  const parts: Part[] = []
  for (const { id, name } of accounts) {
    const actor = accountActor(id)
    for (const table of countTables) {
      const result = { account: name, table: table.table, keys: 0, rows: 0 }
      const ranges = rangesOf(await countsByDay(database, actor, table))
      parts.push(...ranges.map((range) => ({ actor, table, range, result })))
    }
  }
  return parts
}

async function compare(database: Database, { actor, table, range, result }: Part, repair: boolean) {
  const { keys, rows } = await compareCounts(database, actor, table, range)
  result.keys += keys
  result.rows += rows
  if (keys > 0 && repair) await repairCounts(database, actor, table, range)
}
