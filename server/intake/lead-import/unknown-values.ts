import { createHash } from 'node:crypto'
import { folded } from '../../platform/text/contract.ts'
import type { UnknownValue, ValueField } from './contract.ts'
import { jsonObjectIn } from './json-object.ts'

/**
 * What a user chose for values that are not known, by the values' ids: the email of a user, a status, a priority or a source. A text that
 * is empty keeps the value as an answer.
 */
export type ChosenValues = ReadonlyMap<string, string>

/** Parses `values`. Undefined if it is not an object of texts. */
export function chosenValuesIn(text: string): ChosenValues | undefined {
  const given = jsonObjectIn(text)
  if (!given) return undefined
  const entries = Object.entries(given)
  if (entries.some(([, value]) => typeof value !== 'string' || value.length > maxChosenLength)) return undefined
  return new Map(entries as [string, string][])
}

const maxChosenLength = 254

const ids = new Map<string, string>()
const maxIds = 5000

/** Returns the id of a value, the same for all spellings of it. It is short, because a choice goes into a URL. */
export function valueId(field: ValueField, value: string): string {
  const key = `${field} ${folded(value.slice(0, 1000)).trim().replace(/\s+/g, ' ')}`
  const known = ids.get(key)
  if (known !== undefined) return known
  if (ids.size >= maxIds) ids.clear()
  const id = createHash('sha256').update(key).digest('base64url').slice(0, 10)
  ids.set(key, id)
  return id
}

/** A file may have a different one in each row. */
const maxOfField = 100
const maxShownLength = 200

/** Counts the rows of each value that is not known. */
export function unknownValueCounter() {
  const counts = new Map<string, UnknownValue>()
  const sizes: Partial<Record<ValueField, number>> = {}
  let others = 0
  return {
    add(field: ValueField, value: string): void {
      const id = valueId(field, value)
      const known = counts.get(id)
      if (known) known.rows++
      else if ((sizes[field] ?? 0) >= maxOfField) others++
      else {
        sizes[field] = (sizes[field] ?? 0) + 1
        counts.set(id, { id, field, value: value.slice(0, maxShownLength).toWellFormed(), rows: 1 })
      }
    },
    /** The most frequent first, and how often there were others. */
    result: () => ({
      unknown_values: [...counts.values()].sort((one, other) => other.rows - one.rows),
      other_unknown_values: others,
    }),
  }
}
