import { msg } from '@lingui/core/runtime-macro'
import { readDuration } from '../../platform/http/parse-time.ts'
import type { Text } from '../../platform/languages/translate.ts'
import type { customerOf } from './call-report.ts'
import { fieldNamed, zoneIn } from './column-names.ts'
import { clockOnly } from './column-values.ts'
import { type ImportField, isMigrated } from './contract.ts'
import { readCellTime } from './read-time.ts'
import { readCall } from './row-call.ts'
import { type Cell, isSide, type NamedCell, shown, type Warn } from './row-cell.ts'

interface ReadingTimes {
  now: Date
  warn: Warn
  /** Cells that are answers. Those that cannot be read are added. */
  kept: Set<Cell>
  /** What the numbers of a call say. */
  party: ReturnType<typeof customerOf> | null
}

export const noTimes = { created_at: null, updated_at: null, call_again_at: null, call: null }

/** Reads when the lead was created, changed and is to be called again, and the call. */
export function readTimes(all: readonly Cell[], { now, warn, kept, party }: ReadingTimes) {
  const given = all.filter(({ field }) => isMigrated(field) || field === 'call_again_at')
  if (given.length === 0) return noTimes
  const ofCall = new Set(
    given.filter(
      ({ field, value }) =>
        field.startsWith('call_') && field !== 'call_again_at' && !(isSide({ field }) && value === party?.number),
    ),
  )
  const soon = new Date(now.getTime() + maxAhead)
  const time = (wanted: ImportField, otherwise: (why: Text) => Text, latest = soon): Date | null => {
    const cells = given.filter(({ field }) => field === wanted)
    if (cells.length === 0) return null
    const [cell, ...others] = withClocks(cells)
    if (!cell) return null
    const read = readCellTime(withZone(cell), cell.order)
    const isRead = read && read >= earliest && read <= latest
    for (const one of isRead ? others : cells) (wanted === 'called_at' && isRead ? ofCall : kept).add(one)
    if (isRead) return latest === soon && read > now ? now : read
    const where = { value: shown(cell.value), column: cell.name }
    warn('date', otherwise(!read ? noDate(where) : read > latest ? inFuture(where) : tooEarly(where)))
    return null
  }
  const created_at = time('created_at', (why) => msg`${{ why }}; the time of the import is used`)
  const updated_at = time('updated_at', (why) => msg`${{ why }}, and is ignored`)
  const call_again_at = time(
    'call_again_at',
    (why) => msg`${{ why }}; no call is planned`,
    new Date(now.getTime() + maxPlanned),
  )
  const called_at = time('called_at', (why) => msg`${{ why }}, so the call is not logged`)
  if (!called_at) {
    for (const cell of ofCall) kept.add(cell)
    if ([...ofCall].some((cell) => !isSide(cell)) && !given.some(({ field }) => field === 'called_at'))
      warn('call', msg`The call has no time, so it is not logged`)
    return { created_at, updated_at, call_again_at, call: null }
  }
  const cells = [...ofCall]
  const [type, outcome] = (['call_type', 'call_outcome'] as const).map((wanted) =>
    cells.find(({ field }) => field === wanted),
  )
  const durations = cells.filter(({ field }) => field === 'call_duration')
  // The whole time has the ringing in it.
  const duration = durations.find(({ name }) => /talk|conv|bill/i.test(name)) ?? durations[0]
  const used = [type, outcome, duration]
  const notes = cells
    .filter((cell) => !used.includes(cell) && !repeats(cell, duration))
    .map(({ name, value }) => (isNotes(name) ? value : `${name}: ${value}`))
  const read = readCall({
    called_at,
    type: type?.value ?? party?.direction,
    duration: duration?.value,
    durationUnit: unitOf(duration),
    outcome: outcome?.value,
    notes: notes.length > 0 ? notes.join('\n') : undefined,
  })
  for (const text of read.warnings) warn('call', text)
  return { created_at, updated_at, call_again_at, call: read.call }
}

const unitOf = (cell: Cell | undefined) => (/min/i.test(cell?.name ?? '') ? 'minutes' : 'seconds')

const repeats = (cell: Cell, other: Cell | undefined) =>
  cell.field === 'call_duration' && readDuration(cell.value, unitOf(cell)) === readDuration(other!.value, unitOf(other))

const isNotes = (name: string) => /^(call_notes|notes)$/.test(fieldNamed(name) ?? '')

/** Returns the cells of a time, of which a date and a clock in two columns are one. */
function withClocks(cells: Cell[]): Cell[] {
  const clock = cells.find(({ value }) => clockOnly.test(value))
  const date = cells.find(({ value }) => value !== clock?.value && dateOnly.test(value))
  if (!clock || !date) return cells
  const whole = { ...date, name: date.name, value: `${date.value.replace(dateOnly, '$1')} ${clock.value}` }
  return [whole, ...cells.filter((cell) => cell !== date && cell !== clock)]
}

/** A spreadsheet may add midnight. */
const dateOnly = /^(.*?\d)([T ]00:00(:00)?(\.0+)?)?$(?<!\d:\d\d)/

/** A plan is not further away. */
const maxPlanned = 5 * 365 * 86_400_000

interface Where {
  value: string
  column: string
}

const noDate = ({ value, column }: Where) => msg`“${{ value }}” in ${{ column }} is not a date`
const inFuture = ({ value, column }: Where) => msg`“${{ value }}” in ${{ column }} is in the future`
const tooEarly = ({ value, column }: Where) => msg`“${{ value }}” in ${{ column }} is before 1980`

/** The zone in the name of a column is that of its times, unless they state their own. */
function withZone({ name, value }: NamedCell): string {
  const zone = zoneIn(name)
  return zone !== undefined && endsWithTime.test(value) ? `${value} ${zone}` : value
}

const endsWithTime = /(?<![+-]\d?)\d:\d\d(:\d\d)?(\.\d+)?(\s*[ap]\.?m\.?)?$/i

/** In milliseconds. The clock of another system may be ahead, and so is `updated_at` after several changes in one second. */
const maxAhead = 5 * 60_000

/** Earlier dates are zeros and typing errors. */
const earliest = new Date('1980-01-01T00:00:00Z')
