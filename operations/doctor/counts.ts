import { allCounts } from '../../server/crm/counts/tables.ts'
import { type Actor, accountActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import { isCanceled } from '../../server/platform/database/errors.ts'
import { callsOfLeads } from './calls-of-leads.ts'
import { type Check, type Finding, fine, named, problem } from './check.ts'
import { type Comparison, countComparison, type DayRange, maxStatementSeconds, toRanges } from './count-differences.ts'
import type { Installation } from './installation.ts'

const comparisons = [...allCounts.map(countComparison), callsOfLeads]

export interface CountOptions {
  repair: boolean
  /** The time limit. Unless set, 5 minutes to compare and an hour to repair. */
  countSeconds?: number
  /** In rows that were compared, of about so many. */
  onProgress(done: number, all: number): void
}

/**
 * Compares the stored counts, from which totals and deep pages are answered, with the rows themselves, and what leads keep of
 * their calls with the calls.
 */
export const counts = ({ database }: Installation, { repair, countSeconds, onProgress }: CountOptions): Check => {
  const seconds = countSeconds ?? (repair ? 3600 : 300)
  return {
    name: 'counts',
    // The last statement may end later.
    seconds: seconds + 2 * maxStatementSeconds,
    async run(signal) {
      const opened = database.get()
      const started = performance.now()
      const isOver = () => performance.now() - started > seconds * 1000
      const { parts, accountsLeft } = await partsOf(opened, isOver)
      const all = rowsIn(parts)
      const compared: Part[] = []
      const skipped: Part[] = []
      for (const part of parts) {
        signal.throwIfAborted()
        onProgress(rowsIn(compared), all)
        if (!isOver() && (await compare(opened, part, repair))) compared.push(part)
        else skipped.push(part)
      }
      onProgress(all, all)
      const duration = Math.round((performance.now() - started) / 1000)
      const note = `${rowsIn(compared).toLocaleString('en-IN')} rows were compared in ${duration} s${skippedText(skipped, accountsLeft)}`
      return finding(parts, { repair, note, isWhole: skipped.length + accountsLeft === 0 })
    },
  }
}

function finding(
  parts: Part[],
  { repair, note, isWhole }: { repair: boolean; note: string; isWhole: boolean },
): Finding {
  const wrong = [...new Set(parts.map((part) => part.result))].filter(({ keys }) => keys > 0)
  if (wrong.length === 0) {
    if (isWhole) return fine(`All counts equal the rows: ${note}.`)
    const advice = repair
      ? 'Run it again when the database has less to do.'
      : 'lead-engine doctor --repair-counts has an hour, and repairs what differs.'
    return fine(`No count differs from the rows: ${note}.`, advice)
  }
  const text = named(wrong.map(textOf), { max: maxNamed })
  if (repair) return fine(`Counts differed from the rows and are repaired: ${text}. ${note}.`)
  return problem(
    `Counts differ from the rows: ${text}. ${note}.`,
    'Run lead-engine doctor --repair-counts. It may run while the service does.',
  )
}

/** Which rows were not compared, because the time was over or a single day took too long. */
function skippedText(skipped: Part[], accountsLeft: number): string {
  const counts = [...new Set(skipped.map(({ result: { name, account } }) => `${name} of ${account}`))]
  const more = counts.length > maxNamed ? ` and ${counts.length - maxNamed} more` : ''
  return [
    ...(skipped.length > 0
      ? [
          `; ${rowsIn(skipped).toLocaleString('en-IN')} were not, for lack of time (${counts.slice(0, maxNamed).join(', ')}${more})`,
        ]
      : []),
    ...(accountsLeft > 0 ? [`; ${accountsLeft.toLocaleString('en-IN')} accounts were not looked at`] : []),
  ].join('')
}

const rowsIn = (parts: Part[]) => parts.reduce((sum, { range }) => sum + range.rows, 0)

/** A range of days of one comparison. The parts of a comparison have one result. */
interface Part {
  actor: Actor
  comparison: Comparison
  range: DayRange
  result: Result
}

interface Result {
  account: string
  name: string
  keys: number
  rows: number
}

const maxNamed = 5

const textOf = ({ account, name, keys, rows }: Result) => `${name} of ${account}: ${keys} by ${rows} in total`

/** The rest of the accounts is left out when the time is over. */
async function partsOf(database: Database, isOver: () => boolean): Promise<{ parts: Part[]; accountsLeft: number }> {
  const accounts = await database.directory<{ id: string; name: string }[]>`
    select id, name from accounts order by name`
  const parts: Part[] = []
  for (const [index, { id, name }] of accounts.entries()) {
    if (isOver()) return { parts, accountsLeft: accounts.length - index }
    const actor = accountActor(id)
    for (const comparison of comparisons) {
      const result = { account: name, name: comparison.name, keys: 0, rows: 0 }
      const ranges = toRanges(await comparison.days(database, actor))
      parts.push(...ranges.map((range) => ({ actor, comparison, range, result })))
    }
  }
  return { parts, accountsLeft: 0 }
}

/** Returns false if a statement took too long. */
async function compare(
  database: Database,
  { actor, comparison, range, result }: Part,
  repair: boolean,
): Promise<boolean> {
  try {
    const { keys, rows } = await comparison.compare(database, actor, range)
    if (keys > 0 && repair) await comparison.repair(database, actor, range)
    result.keys += keys
    result.rows += rows
    return true
  } catch (error) {
    if (isCanceled(error)) return false
    throw error
  }
}
