import { findCall } from '../payload/call/find-call.ts'
import { isEventOfCall } from '../payload/call/is-call.ts'
import { partyIn } from '../payload/call/party.ts'
import { fieldReaders } from '../payload/lead-draft.ts'
import type { Leaf } from '../payload/structure/leaves.ts'
import { meaningOf } from '../payload/words/meaning.ts'
import { fieldNamed } from './column-names.ts'
import { areDirections } from './column-values.ts'
import type { ImportField } from './contract.ts'

/** A report of a telephone system, or the call log of a phone: each row is a call, and is read like an event of one. */

/** Lead fields that no report of calls has. */
const ofLeads: readonly (ImportField | undefined)[] = ['email', 'source', 'priority', 'tags', 'deal_value']

type Cells = (readonly [name: string, value: string])[]

const leavesOf = (cells: Cells, labelOf = (name: string) => name): Leaf[] => {
  const group = { parent: undefined }
  return cells
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ path: [name], value, labels: [labelOf(name)], around: [], type: undefined, group }))
}

/** Returns what the columns of a report of calls are; undefined if the rows are no calls. */
export function callColumns(names: readonly string[], rows: readonly Cells[]): Map<string, ImportField> | undefined {
  if (rows.length === 0 || names.some((name) => ofLeads.includes(fieldNamed(name)))) return undefined
  const events = rows.filter((cells) => isEventOfCall(leavesOf(cells))).length
  const valuesOf = (name: string) => rows.flatMap((cells) => cells.find(([one]) => one === name)?.[1] || [])
  const isLog =
    names.some((name) => areDirections(valuesOf(name))) && names.some((name) => /duration|talk.?time/i.test(name))
  if (events < rows.length / 2 && !isLog) return undefined
  const votes = new Map<string, Map<ImportField, number>>()
  const vote = (name: unknown, field: ImportField) => {
    const ofColumn = votes.get(String(name)) ?? new Map<ImportField, number>()
    votes.set(String(name), ofColumn.set(field, (ofColumn.get(field) ?? 0) + 1))
  }
  const customers = new Set<string>()
  for (const cells of rows) {
    const call = findCall(leavesOf(cells), true)
    if (!call) continue
    const { parts } = call
    for (const [part, field] of partFields) for (const { name } of parts[part] ?? []) vote(name, field)
    const [started] = parts.started_at ?? []
    if (started) vote(started.name, 'called_at')
    // The date of a clock.
    const date = cells.find(([, value]) => value !== '' && started?.value.startsWith(`${value} `))
    if (date) vote(date[0], 'called_at')
    // A number or an extension of an agent names no user.
    for (const { name, value } of parts.agents ?? []) vote(name, /\p{L}{2}/u.test(value) ? 'assigned_to' : 'call_notes')
    for (const { path } of call.name) vote(path[0], 'name')
    for (const { path } of call.customer) customers.add(String(path[0]))
  }
  const fields = new Map(
    [...votes].map(([name, ofColumn]) => [name, [...ofColumn].sort(([, one], [, other]) => other - one)[0]![0]]),
  )
  for (const [name, field] of fields) if (field === 'call_type' && !areDirections(valuesOf(name))) fields.delete(name)
  for (const name of customers) fields.set(name, 'phone')
  // The direction of each call says which of two sides is the customer's.
  const sideOf = (name: string) => {
    const isNumber = valuesOf(name).some((value) => fieldReaders.phone(value) !== undefined)
    return isNumber && !['called_at', 'call_notes'].includes(fields.get(name) ?? '')
      ? partyIn(meaningOf(name).words)
      : undefined
  }
  const [from, to] = (['from', 'to'] as const).map((side) => names.find((name) => sideOf(name) === side))
  if (from !== undefined && to !== undefined) fields.set(from, 'call_from').set(to, 'call_to')
  return fields
}

const partFields = [
  ['direction', 'call_type'],
  ['outcome', 'call_outcome'],
  ['talk_time', 'call_duration'],
  ['recording', 'call_notes'],
  ['notes', 'call_notes'],
] as const

/**
 * Returns the number of the customer in a call, and its direction, by the numbers on both sides: by the direction, the extensions and
 * `own`, the last digits of the numbers of the business.
 */
export function customerOf(
  cells: readonly { name: string; value: string; field: ImportField }[],
  own: ReadonlySet<string>,
): { number: string | undefined; direction: string | undefined; isWithheld: boolean } {
  const labels = new Map(cells.map(({ name, field }) => [name, sideLabels[field] ?? name]))
  const call = findCall(
    leavesOf(
      cells.map(({ name, value }) => [name, value]),
      (name) => labels.get(name)!,
    ),
    true,
    own,
  )
  return {
    number: call?.customer[0]?.value,
    direction: call?.parts.direction?.[0]?.value,
    isWithheld: (call?.withheld.length ?? 0) > 0,
  }
}

const sideLabels: Partial<Record<ImportField, string>> = { call_from: 'from', call_to: 'to', call_type: 'direction' }
